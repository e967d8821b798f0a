// Atomic operations on int, unsigned, 64-bit integers, float and double. All are calls into the runtime, which
// checks the address and performs them for real: other blocks run at the same time.
#pragma once

#define SIMT_ATOMIC(name, type) type name(type* address, type value) noexcept;
#define SIMT_ATOMIC_INTEGERS(name) \
    SIMT_ATOMIC(name, int)         \
    SIMT_ATOMIC(name, unsigned)    \
    SIMT_ATOMIC(name, unsigned long long)

SIMT_ATOMIC_INTEGERS(atomicAdd)
SIMT_ATOMIC(atomicAdd, float)
SIMT_ATOMIC(atomicAdd, double)
SIMT_ATOMIC(atomicSub, int)
SIMT_ATOMIC(atomicSub, unsigned)
SIMT_ATOMIC_INTEGERS(atomicExch)
SIMT_ATOMIC(atomicExch, float)
SIMT_ATOMIC_INTEGERS(atomicMin)
SIMT_ATOMIC(atomicMin, long long)
SIMT_ATOMIC_INTEGERS(atomicMax)
SIMT_ATOMIC(atomicMax, long long)
SIMT_ATOMIC_INTEGERS(atomicAnd)
SIMT_ATOMIC_INTEGERS(atomicOr)
SIMT_ATOMIC_INTEGERS(atomicXor)
SIMT_ATOMIC(atomicInc, unsigned)
SIMT_ATOMIC(atomicDec, unsigned)

int atomicCAS(int* address, int compare, int value) noexcept;
unsigned atomicCAS(unsigned* address, unsigned compare, unsigned value) noexcept;
unsigned long long atomicCAS(unsigned long long* address, unsigned long long compare, unsigned long long value) noexcept;

#undef SIMT_ATOMIC_INTEGERS
#undef SIMT_ATOMIC
