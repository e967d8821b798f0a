// Judges one access of a program to memory. See checker.cpp.
#pragma once

#include "worker.hpp"

namespace simt {

extern bool instrumented;  // whether the program calls us at all

// `natural`: the access must be aligned to its size, as on a GPU.
void check(Worker& me, char* address, size_t size, Action action, uintptr_t pc, bool natural);
void check_host(const char* address, Action action, uintptr_t pc);

// Host code filled this memory: it counts as written.
void mark_written(void* address, size_t bytes);

// Called before every access that a program makes. The short way is for what a kernel does most: read an input.
template <bool Natural = true>
__attribute__((always_inline)) inline void on_access(const volatile void* pointer, size_t size, Action action, void* pc) {
    auto* address = const_cast<char*>(static_cast<const volatile char*>(pointer));
    Worker* me = worker;
    const auto code = reinterpret_cast<uintptr_t>(pc);
    if (!me) return check_host(address, action, code);
    if (action == Action::READ && !me->attention.load(std::memory_order_relaxed)) {
        const auto number = reinterpret_cast<uintptr_t>(address);
        const Array* array = global_memory.owner(number);
        if (array && !array->cells && array->holds(address, size) && (!Natural || number % size == 0)) return;
    }
    check(*me, address, size, action, code, Natural);
}

}  // namespace simt
