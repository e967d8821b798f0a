// Atomic operations of device code. They are real ones, since blocks of several workers run at the same time.
#include "../include/simt/atomics.hpp"

#include "checker.hpp"

namespace simt {

namespace {

// Replace `*address` by `change(old)` until nobody came between; returns the old value.
template <class T, class Change>
T update(T* address, void* pc, Change change) {
    on_access(address, sizeof(T), Action::ATOMIC, pc);
    T old;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    for (;;) {
        T value = change(old);
        if (__atomic_compare_exchange(address, &old, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return old;
    }
}

}  // namespace

}  // namespace simt

#define UPDATE(name, type, expression)                                                                      \
    type name(type* address, type value) noexcept {                                                         \
        return simt::update(address, __builtin_return_address(0), [&](type old) -> type { return expression; }); \
    }
#define UPDATE_INTEGERS(name, expression)    \
    UPDATE(name, int, expression)            \
    UPDATE(name, unsigned, expression)       \
    UPDATE(name, unsigned long long, expression)

UPDATE_INTEGERS(atomicAdd, old + value)
UPDATE(atomicAdd, float, old + value)
UPDATE(atomicAdd, double, old + value)
UPDATE(atomicSub, int, old - value)
UPDATE(atomicSub, unsigned, old - value)
UPDATE_INTEGERS(atomicExch, (void(old), value))
UPDATE(atomicExch, float, (void(old), value))
UPDATE_INTEGERS(atomicMin, value < old ? value : old)
UPDATE(atomicMin, long long, value < old ? value : old)
UPDATE_INTEGERS(atomicMax, old < value ? value : old)
UPDATE(atomicMax, long long, old < value ? value : old)
UPDATE_INTEGERS(atomicAnd, old & value)
UPDATE_INTEGERS(atomicOr, old | value)
UPDATE_INTEGERS(atomicXor, old ^ value)
UPDATE(atomicInc, unsigned, old >= value ? 0 : old + 1)
UPDATE(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

#define COMPARE_AND_SWAP(type)                                                                              \
    type atomicCAS(type* address, type compare, type value) noexcept {                                      \
        simt::on_access(address, sizeof(type), simt::Action::ATOMIC, __builtin_return_address(0));          \
        __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);   \
        return compare;                                                                                     \
    }
COMPARE_AND_SWAP(int)
COMPARE_AND_SWAP(unsigned)
COMPARE_AND_SWAP(unsigned long long)
