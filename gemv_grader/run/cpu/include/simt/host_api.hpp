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

// Not instrumented: what starts a thread reads the launcher's stack, which is no business of the checker.
#define SIMT_UNCHECKED __attribute__((no_sanitize("thread")))

namespace simt {

// `kernel<<<grid, block, bytes, stream>>>(arguments)` is rewritten to
// `simt::launcher([&](auto... values) SIMT_UNCHECKED { kernel(values...); }).on(grid, block, bytes, stream)(arguments)`,
// so that templates are deduced and overloads chosen as in a call.
template <class Call>
class Launcher {
public:
    explicit Launcher(Call call) : call_(call) {}

    Launcher& on(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t = nullptr) {
        grid_ = grid, block_ = block, shared_bytes_ = shared_bytes;
        return *this;
    }

    // Arguments are evaluated once, here; each thread gets its own copy.
    template <class... Arguments>
    void operator()(Arguments... arguments) const {
        auto thread = [&]() SIMT_UNCHECKED { call_(arguments...); };
        const unsigned grid[] = {grid_.x, grid_.y, grid_.z}, block[] = {block_.x, block_.y, block_.z};
        simt_launch(grid, block, shared_bytes_, &enter<decltype(thread)>, &thread);
    }

private:
    template <class Thread>
    SIMT_UNCHECKED static void enter(void* thread) { (*static_cast<Thread*>(thread))(); }

    Call call_;
    dim3 grid_, block_;
    size_t shared_bytes_ = 0;
};

template <class Call>
Launcher<Call> launcher(Call call) { return Launcher<Call>(call); }

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

// CUDA declares it without an include, too. What a program prints is not read.
extern "C" int printf(const char* format, ...);
