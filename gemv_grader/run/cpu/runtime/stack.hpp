// Switching between the stacks of CUDA threads, and the stacks themselves.
//
// A CUDA thread is a fiber: a stack of its own that runs until it has to wait. A switch saves the registers that a
// call preserves, exchanges the stack pointer, and jumps; signal masks and floating-point modes are the same for all.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if !defined(SIMT_PORTABLE_SWITCH) && !defined(__x86_64__) && !defined(__aarch64__)
#define SIMT_PORTABLE_SWITCH
#endif
#ifdef SIMT_PORTABLE_SWITCH
#include <ucontext.h>
#endif

namespace simt {

// What a switch needs of a thread: where it goes on, and what the call that it waits in will return.
struct Resumable {
    void* stack = nullptr;
    uint64_t result = 0;
};

#ifdef SIMT_PORTABLE_SWITCH

// Correct everywhere, and some fifty times slower: each switch is two system calls.
inline uint64_t switch_stack(Resumable* from, Resumable* to) {
    ucontext_t here;
    from->stack = &here;
    swapcontext(&here, static_cast<ucontext_t*>(to->stack));
    return from->result;
}

inline void* prepare_stack(char* low, char* top, void (*entry)()) {
    auto* context = reinterpret_cast<ucontext_t*>(low);
    getcontext(context);
    const size_t used = (sizeof(ucontext_t) + 15) & ~size_t{15};
    context->uc_stack.ss_sp = low + used;
    context->uc_stack.ss_size = static_cast<size_t>(top - low) - used;
    context->uc_link = nullptr;
    makecontext(context, entry, 0);
    return context;
}

#else

// Leave `from`, go on with `to`. For whoever switches back to `from`, this call returns `from->result`.
//
// It returns by a jump. The processor predicts `ret` from the calls it saw last, which another thread made; a jump is
// predicted from where this one went before, and the threads of a block mostly go on at the same place.
extern "C" uint64_t simt_switch_stack(Resumable* from, Resumable* to);
inline uint64_t switch_stack(Resumable* from, Resumable* to) { return simt_switch_stack(from, to); }

#if defined(__x86_64__)
asm(R"(
    .text
    .p2align 4
    .type simt_switch_stack, @function
simt_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq (%rsi), %rsp
    movq 8(%rsi), %rax
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmpq *%rcx
    .size simt_switch_stack, .-simt_switch_stack
)");
constexpr size_t SAVED_WORDS = 8;  // six registers, the address to go on at, and one that keeps calls aligned
constexpr size_t RESUME_WORD = 6;
#else
asm(R"(
    .text
    .p2align 4
    .type simt_switch_stack, %function
simt_switch_stack:
    stp x29, x30, [sp, #-160]!
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    ldp x9, x0, [x1]
    mov sp, x9
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #160
    br x30
    .size simt_switch_stack, .-simt_switch_stack
)");
constexpr size_t SAVED_WORDS = 20;
constexpr size_t RESUME_WORD = 1;
#endif

// A stack that starts `entry`, which must never return, when it is first switched to.
inline void* prepare_stack(char*, char* top, void (*entry)()) {
    auto* frame = reinterpret_cast<uintptr_t*>(top) - SAVED_WORDS;
    memset(frame, 0, SAVED_WORDS * sizeof(uintptr_t));
    frame[RESUME_WORD] = reinterpret_cast<uintptr_t>(entry);
    return frame;
}

#endif

// The stacks of one worker: a reservation of address space, of which only touched pages become memory.
class Stacks {
public:
    static constexpr size_t USABLE = 256 * 1024;

    bool reserve(unsigned count) {
        // One page between stacks stays unmapped, so that an overflow traps. With it the stride is an odd number of
        // pages, which spreads the tops over the cache's sets.
        page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
        void* memory = mmap(nullptr, count * stride(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return false;
        base_ = static_cast<char*>(memory), count_ = count;
        return true;
    }

    bool open(unsigned number) { return mprotect(low(number), USABLE, PROT_READ | PROT_WRITE) == 0; }

    char* low(unsigned number) const { return base_ + number * stride() + page_; }

    // Tops differ in their offset in the page: otherwise all threads' frames would compete for the same few lines of
    // the first-level cache.
    char* top(unsigned number) const { return low(number) + USABLE - (number * 9 % 64) * 64; }

    bool holds(uintptr_t address) const { return address - reinterpret_cast<uintptr_t>(base_) < count_ * stride(); }
    bool holds(unsigned number, uintptr_t address) const {
        return address - reinterpret_cast<uintptr_t>(low(number)) < USABLE;
    }

private:
    size_t stride() const { return USABLE + page_; }

    char* base_ = nullptr;
    unsigned count_ = 0;
    size_t page_ = 0;
};

}  // namespace simt
