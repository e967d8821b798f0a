"""What CUDA's error codes mean to a student, and which of them are no student's doing.

The codes are those of cudaError_t; for all that occur here CUresult has the same numbers.
"""

from __future__ import annotations

from gemv_grader.words import Text


def crash(code: int, name: str) -> Text | None:
    """What a kernel did to end with this error, or None if it is the machine's failure."""
    meaning = _CRASHES.get(code)
    return None if meaning is None else Text(f"{meaning.zh}（CUDA：{name}）", f"{meaning.en} (CUDA: {name})")


def fault(doing: str, code: int, name: str) -> Text:
    """What failed on the machine, and the mend. ``doing`` is the child's word for the step, such as "allocate"."""
    meaning = NO_CUPY if doing == "cupy" else _FAULTS.get(code, _STEPS.get(doing, UNEXPECTED))
    return Text(f"{meaning.zh}（{name}）", f"{meaning.en} ({name})")


_ILLEGAL = Text(
    zh="核函数访问了不属于它的内存：通常是下标越界，或者读了空指针（例如没有偏置时的 bias）。",
    en="The kernel touched memory that is not its own: usually an index out of range, or a null pointer "
    "(such as bias where there is none).",
)
_ABORTED = Text(
    zh="核函数中途异常停止：例如执行了 __trap()，或者栈溢出。",
    en="The kernel stopped abnormally: it ran into __trap(), for example, or out of stack.",
)
_REFUSED = Text(
    zh="GPU 拒绝了这次启动：网格、block 或所需的寄存器、内存超出了它的能力。",
    en="The GPU refused the launch: grid, block, registers or memory asked for are more than it has.",
)
_CRASHES = {
    1: _REFUSED,
    9: _REFUSED,
    700: _ILLEGAL,
    701: _REFUSED,
    702: Text(zh="核函数运行太久，被显示驱动停止。", en="The kernel ran so long that the display driver stopped it."),
    710: Text(zh="核函数里的 assert 失败了。", en="An assert in the kernel failed."),
    714: _ABORTED,
    715: _ABORTED,
    716: Text(
        zh="核函数按错误的对齐读写内存：例如把 float 的地址当成 float4 来读。",
        en="The kernel used a misaligned address: it read a float4 where only a float begins, for example.",
    ),
    717: _ILLEGAL,
    718: _ABORTED,
    719: _ABORTED,
}

NO_CUPY = Text(
    zh="CuPy 没有安装好：请重新运行 pip install 'gemv-grade[gpu]'（CUDA 12 的驱动用 gpu-cuda12）。",
    en="CuPy is not properly installed: run pip install 'gemv-grade[gpu]' again (gpu-cuda12 for a CUDA 12 driver).",
)
UNEXPECTED = Text(zh="GPU 出了意料之外的错误，请重试。", en="The GPU failed in an unexpected way; try again.")
_LOST = Text(
    zh="GPU 或驱动失去响应；请用 nvidia-smi 检查，必要时重启机器。",
    en="The GPU or its driver is gone; check with nvidia-smi, and restart the machine if need be.",
)
_DRIVER = Text(
    zh="显卡驱动与 CuPy 的 CUDA 版本不配：请升级驱动，或改装 gemv-grade[gpu-cuda12]。",
    en="The driver is too old for CuPy's CUDA: upgrade it, or install gemv-grade[gpu-cuda12] instead.",
)
_NO_DEVICE = Text(
    zh="CUDA 看不到 GPU；请检查驱动与 CUDA_VISIBLE_DEVICES。",
    en="CUDA sees no GPU; check the driver and CUDA_VISIBLE_DEVICES.",
)
_MISMATCH = Text(
    zh="驱动的内核模块与库版本不一致，通常是升级后没有重启；请重启机器。",
    en="The driver's kernel module and library differ, usually after an upgrade; restart the machine.",
)
_FAULTS = {
    2: Text(
        zh="GPU 显存不足；请关闭占用显存的程序后重试。",
        en="The GPU is out of memory; close what else uses it, and try again.",
    ),
    35: _DRIVER,
    46: Text(
        zh="GPU 正被别的程序独占，或不可用；请稍后重试。",
        en="The GPU is taken by another program or not available; try again later.",
    ),
    100: _NO_DEVICE,
    101: _NO_DEVICE,
    209: Text(
        zh="编译结果不适合这块 GPU；请报告给维护者。",
        en="The build does not fit this GPU; report it to the maintainers.",
    ),
    214: _LOST,
    803: _MISMATCH,
    804: _DRIVER,
    999: _LOST,
}
_STEPS = {
    "open": Text(
        zh="无法启动 CUDA；请用 nvidia-smi 检查显卡驱动。",
        en="CUDA cannot be started; check the driver with nvidia-smi.",
    ),
    "load": Text(
        zh="无法把程序装入 GPU；请报告给维护者。",
        en="The program cannot be loaded onto the GPU; report it to the maintainers.",
    ),
}
