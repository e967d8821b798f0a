// What -fsanitize=thread makes a program call, as g++ and clang++ emit it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#include "checker.hpp"

using simt::Action;
using simt::on_access;

namespace simt {

// An instrumented program calls __tsan_init before main, and maybe before our own objects exist.
bool instrumented = false;

namespace {

void refuse_device_heap() {
    Fault found = worker->fault(Kind::UNSUPPORTED);
    found.fatal = true;
    snprintf(found.text, sizeof found.text, "malloc and new in device code");
    worker->report(found);
}

}  // namespace

}  // namespace simt

#define PC __builtin_return_address(0)

extern "C" {

void __tsan_init() { simt::instrumented = true; }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

#define SIZED(bytes)                                                                                   \
    void __tsan_read##bytes(void* p) { on_access(p, bytes, Action::READ, PC); }                        \
    void __tsan_write##bytes(void* p) { on_access(p, bytes, Action::WRITE, PC); }                      \
    void __tsan_volatile_read##bytes(void* p) { on_access(p, bytes, Action::READ, PC); }               \
    void __tsan_volatile_write##bytes(void* p) { on_access(p, bytes, Action::WRITE, PC); }             \
    void __tsan_read_write##bytes(void* p) {                                                           \
        on_access(p, bytes, Action::READ, PC);                                                         \
        on_access(p, bytes, Action::WRITE, PC);                                                        \
    }                                                                                                  \
    void __tsan_unaligned_read##bytes(void* p) { on_access<false>(p, bytes, Action::READ, PC); }       \
    void __tsan_unaligned_write##bytes(void* p) { on_access<false>(p, bytes, Action::WRITE, PC); }     \
    void __tsan_unaligned_read_write##bytes(void* p) {                                                 \
        on_access<false>(p, bytes, Action::READ, PC);                                                  \
        on_access<false>(p, bytes, Action::WRITE, PC);                                                 \
    }
SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)
SIZED(16)

void __tsan_read_range(void* p, size_t bytes) {
    if (bytes) on_access<false>(p, bytes, Action::READ, PC);
}
void __tsan_write_range(void* p, size_t bytes) {
    if (bytes) on_access<false>(p, bytes, Action::WRITE, PC);
}

// clang calls these for copies that it makes itself, and rewrite.py for those that a program asks for.
void* simt_memcpy(void* to, const void* from, size_t bytes) noexcept {
    if (bytes) on_access<false>(from, bytes, Action::READ, PC), on_access<false>(to, bytes, Action::WRITE, PC);
    return memcpy(to, from, bytes);
}
void* simt_memmove(void* to, const void* from, size_t bytes) noexcept {
    if (bytes) on_access<false>(from, bytes, Action::READ, PC), on_access<false>(to, bytes, Action::WRITE, PC);
    return memmove(to, from, bytes);
}
void* simt_memset(void* to, int byte, size_t bytes) noexcept {
    if (bytes) on_access<false>(to, bytes, Action::WRITE, PC);
    return memset(to, byte, bytes);
}
// Device code may allocate on a GPU; here it would get memory that the checker knows nothing of.
void* simt_malloc(size_t bytes) noexcept {
    if (simt::worker) simt::refuse_device_heap();
    return malloc(bytes);
}
void simt_free(void* address) noexcept { free(address); }

void* __tsan_memcpy(void*, const void*, size_t) noexcept __attribute__((alias("simt_memcpy")));
void* __tsan_memmove(void*, const void*, size_t) noexcept __attribute__((alias("simt_memmove")));
void* __tsan_memset(void*, int, size_t) noexcept __attribute__((alias("simt_memset")));

#define ATOMIC(bits, type)                                                                             \
    type __tsan_atomic##bits##_load(const volatile type* p, int) {                                     \
        on_access(p, sizeof(type), Action::ATOMIC, PC);                                                \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
    }                                                                                                  \
    void __tsan_atomic##bits##_store(volatile type* p, type value, int) {                              \
        on_access(p, sizeof(type), Action::ATOMIC, PC);                                                \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                                  \
    FETCH(bits, type, exchange, __atomic_exchange_n)                                                  \
    FETCH(bits, type, fetch_add, __atomic_fetch_add)                                                  \
    FETCH(bits, type, fetch_sub, __atomic_fetch_sub)                                                  \
    FETCH(bits, type, fetch_and, __atomic_fetch_and)                                                  \
    FETCH(bits, type, fetch_or, __atomic_fetch_or)                                                    \
    FETCH(bits, type, fetch_xor, __atomic_fetch_xor)                                                  \
    FETCH(bits, type, fetch_nand, __atomic_fetch_nand)                                                \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type* p, type* expected, type value, int, int) { \
        on_access(p, sizeof(type), Action::ATOMIC, PC);                                                \
        return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type* p, type* expected, type value, int, int) { \
        on_access(p, sizeof(type), Action::ATOMIC, PC);                                                \
        return __atomic_compare_exchange_n(p, expected, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }                                                                                                  \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type* p, type expected, type value, int, int) { \
        on_access(p, sizeof(type), Action::ATOMIC, PC);                                                \
        __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
        return expected;                                                                               \
    }
#define FETCH(bits, type, name, builtin)                                                              \
    type __tsan_atomic##bits##_##name(volatile type* p, type value, int) {                             \
        on_access(p, sizeof(type), Action::ATOMIC, PC);                                                \
        return builtin(p, value, __ATOMIC_SEQ_CST);                                                    \
    }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"

void* operator new(size_t bytes) {
    if (simt::worker && simt::worker->in_thread()) simt::refuse_device_heap();
    if (void* memory = malloc(bytes)) return memory;
    abort();
}
void operator delete(void* address) noexcept { free(address); }
void operator delete(void* address, size_t) noexcept { free(address); }
