// Host code: kernel launches and the few runtime calls that a launcher makes.
//
// Launches are synchronous here, so streams and events order nothing and a synchronisation returns at once.
#pragma once

#include "vector_types.hpp"

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorLaunchFailure = 719
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

namespace simt {

// `kernel<<<grid, block, bytes, stream>>>(arguments)` is rewritten to
// `simt::kernel(kernel).on(grid, block, bytes, stream)(arguments)`.
template <class... Parameters>
class Kernel {
public:
    explicit Kernel(void (*function)(Parameters...)) : function_(function) {}

    Kernel& on(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t = nullptr) {
        grid_ = grid, block_ = block, shared_bytes_ = shared_bytes;
        return *this;
    }

    // Arguments convert to the parameters once, here; each thread then gets its own copy.
    void operator()(Parameters... arguments) const {
        auto call = [this, &arguments...]() __attribute__((no_sanitize("thread"))) { function_(arguments...); };
        const unsigned grid[] = {grid_.x, grid_.y, grid_.z}, block[] = {block_.x, block_.y, block_.z};
        simt_launch(grid, block, shared_bytes_, &enter<decltype(call)>, &call);
    }

private:
    // Not instrumented: it reads the launcher's stack, which is no business of the checker.
    template <class Call>
    __attribute__((no_sanitize("thread"))) static void enter(void* call) { (*static_cast<Call*>(call))(); }

    void (*function_)(Parameters...);
    dim3 grid_, block_;
    size_t shared_bytes_ = 0;
};

template <class... Parameters>
Kernel<Parameters...> kernel(void (*function)(Parameters...)) { return Kernel<Parameters...>(function); }

inline cudaError_t last_error(bool clear) { return static_cast<cudaError_t>(simt_take_error(clear)); }

}  // namespace simt

inline cudaError_t cudaGetLastError() { return simt::last_error(true); }
inline cudaError_t cudaPeekAtLastError() { return simt::last_error(false); }
inline cudaError_t cudaDeviceSynchronize() { return simt::last_error(false); }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return simt::last_error(false); }
inline const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "no error";
        case cudaErrorInvalidValue: return "invalid argument";
        case cudaErrorMemoryAllocation: return "out of memory";
        case cudaErrorInvalidConfiguration: return "invalid configuration argument";
        case cudaErrorLaunchFailure: return "unspecified launch failure";
    }
    return "unknown error";
}

template <class T>
inline cudaError_t cudaMalloc(T** address, size_t bytes) {
    *address = static_cast<T*>(simt_allocate(bytes));
    return *address ? cudaSuccess : cudaErrorMemoryAllocation;
}
template <class T>
inline cudaError_t cudaMallocAsync(T** address, size_t bytes, cudaStream_t) { return cudaMalloc(address, bytes); }
inline cudaError_t cudaFree(void* address) { return simt_release(address) ? cudaSuccess : cudaErrorInvalidValue; }
inline cudaError_t cudaFreeAsync(void* address, cudaStream_t) { return cudaFree(address); }
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
    simt_copy(to, from, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t = nullptr) {
    return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemset(void* to, int byte, size_t bytes) {
    simt_fill(to, byte, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int byte, size_t bytes, cudaStream_t = nullptr) {
    return cudaMemset(to, byte, bytes);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyHostToDevice) {
    simt_copy(reinterpret_cast<char*>(&symbol) + offset, from, bytes);
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    simt_copy(to, reinterpret_cast<const char*>(&symbol) + offset, bytes);
    return cudaSuccess;
}

template <class Function>
inline cudaError_t cudaFuncSetAttribute(Function*, cudaFuncAttribute attribute, int value) {
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) simt_allow_shared(static_cast<size_t>(value));
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) { return *stream = nullptr, cudaSuccess; }
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }

// Printed text goes nowhere: nothing a program prints is read. Declared here because CUDA declares it without an
// include too.
extern "C" int printf(const char* format, ...);
