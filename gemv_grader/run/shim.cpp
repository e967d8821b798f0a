// Stands in for the CUDA runtime under the host half of a program.
//
// The host half is the exercise's own launcher with its `kernel<<<grid, block>>>(...)`, compiled by nvcc from the
// pristine scaffold. nvcc turns that into calls of the runtime: at load time it registers each kernel by its mangled
// name, and a launch pushes the configuration, enters a stub that pops it and gathers the arguments, and ends in
// cudaLaunchKernel with the stub's address as the kernel's identity. This file is all of that runtime:
//
//   load:    __cudaRegisterFunction      remembers (stub, mangled name)
//   runner:  shim_kernel_name, shim_bind pairs each name with the function of that name in the student's cubin
//   launch:  cudaLaunchKernel            starts that function through the driver's cuLaunchKernel
//
// So the launcher decides grid and block, the student's cubin gives the code, and no host code of a student's exists.
// Any other call of the runtime stays undefined and fails the link. One thread uses this at a time.

#include <cstddef>

namespace {

struct Dim3 {
    unsigned x, y, z;
};

using LaunchKernel = int (*)(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned shared_bytes, void* stream, void** arguments, void** extra);

struct Kernel {
    const void* stub;
    const char* name;
    void* function;
};

struct Configuration {
    Dim3 grid, block;
    size_t shared_bytes;
    void* stream;
};

constexpr int MOST_KERNELS = 64;
constexpr int INVALID_VALUE = 1;             // these two are the same in CUresult and cudaError_t
constexpr int INVALID_DEVICE_FUNCTION = 98;

Kernel kernels[MOST_KERNELS];
int kernel_count = 0;
Configuration pushed;
LaunchKernel launch_kernel = nullptr;
int first_error = 0;
void* binary_handle = nullptr;

int fail(int error) {
    if (first_error == 0) first_error = error;
    return error;
}

}  // namespace

extern "C" {

// For the runner.

int shim_kernel_count() { return kernel_count; }

const char* shim_kernel_name(int index) { return kernels[index].name; }

void shim_bind(int index, void* function) { kernels[index].function = function; }

void shim_use(void* cu_launch_kernel) { launch_kernel = reinterpret_cast<LaunchKernel>(cu_launch_kernel); }

// The first error of a launch since the last call; 0 if all launches were accepted.
int shim_take_error() {
    int error = first_error;
    first_error = 0;
    return error;
}

// For the code that nvcc generates.

void** __cudaRegisterFatBinary(void*) { return &binary_handle; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void**, const char* stub, char*, const char* name, int, void*, void*, void*, void*, int*) {
    if (kernel_count < MOST_KERNELS) kernels[kernel_count++] = Kernel{stub, name, nullptr};
}

unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared_bytes, void* stream) {
    pushed = Configuration{grid, block, shared_bytes, stream};
    return 0;
}

int __cudaPopCallConfiguration(Dim3* grid, Dim3* block, size_t* shared_bytes, void* stream) {
    *grid = pushed.grid;
    *block = pushed.block;
    *shared_bytes = pushed.shared_bytes;
    *static_cast<void**>(stream) = pushed.stream;
    return 0;
}

int cudaLaunchKernel(const void* stub, Dim3 grid, Dim3 block, void** arguments, size_t shared_bytes, void* stream) {
    if (launch_kernel == nullptr) return fail(INVALID_VALUE);
    for (int i = 0; i < kernel_count; ++i) {
        if (kernels[i].stub != stub) continue;
        if (kernels[i].function == nullptr) break;
        int error = launch_kernel(kernels[i].function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                  static_cast<unsigned>(shared_bytes), stream, arguments, nullptr);
        return error == 0 ? 0 : fail(error);
    }
    return fail(INVALID_DEVICE_FUNCTION);
}

// A launcher may ask whether its launch was accepted.
int cudaGetLastError() { return first_error; }
int cudaPeekAtLastError() { return first_error; }

}  // extern "C"
