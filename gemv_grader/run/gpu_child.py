"""The child that runs a program on the GPU. It imports nothing of the grader and does not know what is right.

Run by `Link` as a script of an isolated Python: ``gpu_child.py SOCKET [PATH ...]``, the paths being where CuPy lies.
It talks over the socket in messages of one JSON object each, some with file descriptors:

    out  {"arch": "sm_90"}                           as soon as known: the compiler waits for it
    out  {"ready": {facts of the device}}
    in   {"slab": size}                              once per case, with its memory, which is copied to the device
    in   {"program": [{pointers, sizes, blocks}]}    with cubin and host half
    out  {"loaded": true}
    out  {"ran": number, "milliseconds": t}          per case, its memory copied back to where it came from
    out  {"crashed": number, "code": c, "name": n}   instead, and then no more: the context is lost
    out  {"fault": step, "code": c, "name": n}       when CUDA or CuPy fail before any case was launched

Starting CUDA takes a quarter of a second, nearly all of it in two calls of the driver: a thread makes them while the
rest is prepared. CuPy allocates, copies and times through its runtime layer, which is imported alone, since the whole
package takes twice as long to import as everything here together. The program is loaded and launched by the driver
itself: CuPy's driver layer imports the whole package on first use.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import mmap
import os
import re
import select
import signal
import socket
import sys
import threading
from typing import Any

PR_SET_NO_NEW_PRIVS = 38
COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = 75, 76


class CudaError(Exception):
    """CUDA refused: its error code and name, and what was being done."""

    def __init__(self, doing: str, code: int, name: str) -> None:
        super().__init__(f"{doing}: {name} ({code})")
        self.facts = {"code": code, "name": name}
        self.doing = doing


class Channel:
    """The socket to the grader: one JSON object per message, file descriptors beside it."""

    def __init__(self, fd: int) -> None:
        self._socket = socket.socket(fileno=fd)

    def send(self, **message: object) -> None:
        """Send one message."""
        self._socket.send(json.dumps(message).encode())

    def receive(self) -> tuple[dict[str, Any], list[int]] | None:
        """The next message and its descriptors; None when the grader has gone."""
        data, fds, _, _ = socket.recv_fds(self._socket, 1 << 20, 4)
        return (json.loads(data), fds) if data else None

    def die_with_grader(self) -> None:
        """End this process when the grader's end closes, even while the main thread waits for a kernel."""

        def watch() -> None:
            poll = select.poll()
            poll.register(self._socket, 0)  # a hang-up is always reported
            poll.poll()
            os.kill(os.getpid(), signal.SIGKILL)

        threading.Thread(target=watch, daemon=True).start()


class Driver:
    """libcuda, its functions called by name."""

    def __init__(self) -> None:
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise CudaError("open", 0, str(error)) from None

    def __call__(self, function: str, *arguments: Any, doing: str = "open") -> None:
        """Raises CudaError for any status but success."""
        if code := getattr(self.library, function)(*arguments):
            name = ctypes.c_char_p()
            self.library.cuGetErrorName(code, ctypes.byref(name))
            raise CudaError(doing, code, (name.value or b"unknown").decode())


class Device(threading.Thread):
    """The first visible GPU. The thread opens it: driver, device, and the primary context that CuPy will share."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.facts: dict[str, str] = {}
        self.error: CudaError | None = None
        self.context = ctypes.c_void_p()

    def run(self) -> None:
        """Open the device; an error is kept for whoever joins."""
        try:
            self._open()
        except CudaError as error:
            self.error = error

    def _open(self) -> None:
        self.driver = driver = Driver()
        driver("cuInit", 0)
        device, version, name = ctypes.c_int(), ctypes.c_int(), ctypes.create_string_buffer(256)
        driver("cuDeviceGet", ctypes.byref(device), 0)
        driver("cuDeviceGetName", name, len(name), device)
        driver("cuDriverGetVersion", ctypes.byref(version))
        capability = []
        for attribute in (COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR):
            value = ctypes.c_int()
            driver("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
            capability.append(value.value)
        self.facts = {
            "name": name.value.decode(errors="replace"),
            "arch": "sm_{}{}".format(*capability),
            "driver": f"{version.value // 1000}.{version.value % 1000 // 10}",
        }
        driver("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)


def arch_by_nvml() -> str | None:
    """The architecture from NVML, long before CUDA knows it; None unless all GPUs of the machine agree."""
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return None
    count, handle, major, minor = ctypes.c_uint(), ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
    if nvml.nvmlInit_v2() or nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)):
        return None
    found = set()
    for index in range(count.value):
        if nvml.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(handle)):
            return None
        if nvml.nvmlDeviceGetCudaComputeCapability(handle, ctypes.byref(major), ctypes.byref(minor)):
            return None
        found.add(f"sm_{major.value}{minor.value}")
    return found.pop() if len(found) == 1 else None


class Memory:
    """One case's slab: shared with the grader, and its copy on the device."""

    def __init__(self, runtime: Any, fd: int, size: int) -> None:
        self._runtime = runtime
        self._size = size
        self._shared = mmap.mmap(fd, size)
        self._host = ctypes.addressof(ctypes.c_char.from_buffer(self._shared))
        self.device: int = runtime.malloc(size)
        runtime.memcpy(self.device, self._host, size, runtime.memcpyHostToDevice)

    def fetch(self) -> None:
        """Copy the device's bytes back to where the grader reads them."""
        self._runtime.memcpy(self._host, self.device, self._size, self._runtime.memcpyDeviceToHost)


class Program:
    """A student's kernels under the exercise's own launcher. See shim.cpp for how the two halves meet."""

    def __init__(self, driver: Driver, cubin: bytes, host_half: int) -> None:
        self._module = ctypes.c_void_p()
        driver("cuModuleLoadData", ctypes.byref(self._module), cubin, doing="load")
        self._launcher = host = ctypes.CDLL(f"/proc/self/fd/{host_half}")
        host.shim_kernel_name.restype = ctypes.c_char_p
        host.shim_use(ctypes.cast(driver.library.cuLaunchKernel, ctypes.c_void_p))
        kernels = {anonymous(name): name for name in re.findall(rb"\.text\.([^\0]+)", cubin)}
        for index in range(host.shim_kernel_count()):
            name = kernels.get(anonymous(host.shim_kernel_name(index)), b"")
            function = ctypes.c_void_p()
            driver("cuModuleGetFunction", ctypes.byref(function), self._module, name, doing="load")
            host.shim_bind(index, function)

    def launch(self, base: int, case: dict[str, Any]) -> None:
        """Start one case's kernels on the default stream; ``base`` is the device address of its slab."""
        pointers = [None if offset is None else base + offset for offset in case["pointers"]]
        buffers = (ctypes.c_void_p * len(pointers))(*pointers)
        sizes = (ctypes.c_int * len(case["sizes"]))(*case["sizes"])
        self._launcher.harness_launch(buffers, sizes, case["blocks"], None)
        if code := self._launcher.shim_take_error():
            raise CudaError("run", code, "the launch was refused")


def anonymous(name: bytes) -> bytes:
    """A mangled name without the hash of the source that nvcc puts into anonymous namespaces."""
    return re.sub(rb"(_GLOBAL__N__|_INTERNAL_)[0-9a-f]{8}_", rb"\1", name)


def serve(channel: Channel) -> None:
    """One program from start to end."""
    device = Device()
    device.start()
    if early := arch_by_nvml():
        channel.send(arch=early)
    runtime = importlib.import_module("cupy_backends.cuda.api.runtime")
    device.join()
    if device.error:
        raise device.error
    if not early:
        channel.send(arch=device.facts["arch"])
    device.driver("cuCtxSetCurrent", device.context)
    doing = "open"
    try:
        runtime.setDevice(0)
        channel.send(ready={**device.facts, "runtime": str(runtime.runtimeGetVersion())})
        doing = "allocate"
        memories: list[Memory] = []
        while received := channel.receive():
            message, fds = received
            if "slab" in message:
                memories.append(Memory(runtime, fds[0], message["slab"]))
            else:
                run(
                    channel,
                    runtime,
                    Program(device.driver, contents(fds[0]), fds[1]),
                    message["program"],
                    memories,
                )
    except runtime.CUDARuntimeError as error:
        raise CudaError(doing, error.status, str(error).partition(":")[0]) from None


def run(channel: Channel, runtime: Any, program: Program, cases: list[dict[str, Any]], memories: list[Memory]) -> None:
    """Launch case after case; stop at the first that crashes, since its context is lost."""
    start, stop = runtime.eventCreate(), runtime.eventCreate()
    channel.send(loaded=True)
    for number, (case, memory) in enumerate(zip(cases, memories, strict=True)):
        try:
            runtime.eventRecord(start, 0)
            program.launch(memory.device, case)
            runtime.eventRecord(stop, 0)
            runtime.deviceSynchronize()
            memory.fetch()
        except CudaError as error:
            channel.send(crashed=number, **error.facts)
            return
        except runtime.CUDARuntimeError as error:
            channel.send(crashed=number, code=error.status, name=str(error).partition(":")[0])
            return
        channel.send(ran=number, milliseconds=runtime.eventElapsedTime(start, stop))


def contents(fd: int) -> bytes:
    """All bytes of a file, wherever its descriptor stands."""
    return os.pread(fd, os.fstat(fd).st_size, 0)


def main() -> None:
    """Connect, confine, serve; turn every failure into a message."""
    channel = Channel(int(sys.argv[1]))
    sys.path.extend(sys.argv[2:])
    channel.die_with_grader()
    ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    try:
        serve(channel)
    except CudaError as error:
        channel.send(fault=error.doing, **error.facts)
    except ImportError as error:
        channel.send(fault="cupy", code=0, name=str(error))


if __name__ == "__main__":
    main()
