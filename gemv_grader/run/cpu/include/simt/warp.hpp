// Shuffles, votes and reductions among the lanes of a warp.
#pragma once

#include "thread.hpp"

namespace simt {

template <class T>
__attribute__((always_inline)) inline uint64_t to_bits(T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "the lanes of a warp exchange values of 4 or 8 bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T>
__attribute__((always_inline)) inline T from_bits(uint64_t bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}

template <class T>
__attribute__((always_inline)) inline T shuffle(unsigned mask, T value, unsigned source, int line) {
    return from_bits<T>(simt_collective(Collective::SHUFFLE, mask, to_bits(value), source, line));
}

// First lane of the segment of `width` lanes that `lane` belongs to.
inline unsigned segment(unsigned lane, int width) { return lane & ~(static_cast<unsigned>(width) - 1); }

inline unsigned vote(Collective kind, unsigned mask, int predicate, int line) {
    return static_cast<unsigned>(simt_collective(kind, mask, predicate != 0, 0, line));
}

}  // namespace simt

// A lane that would read outside its segment reads itself, as on the GPU.
template <class T>
inline T __shfl_sync(unsigned mask, T value, int source, int width = warpSize, int line = __builtin_LINE()) {
    const unsigned first = simt::segment(simt_lane(), width);
    return simt::shuffle(mask, value, first + (static_cast<unsigned>(source) & (width - 1)), line);
}

template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize, int line = __builtin_LINE()) {
    const unsigned lane = simt_lane(), first = simt::segment(lane, width);
    return simt::shuffle(mask, value, lane - first >= delta ? lane - delta : lane, line);
}

template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize, int line = __builtin_LINE()) {
    const unsigned lane = simt_lane(), room = simt::segment(lane, width) + width - 1 - lane;
    return simt::shuffle(mask, value, delta <= room ? lane + delta : lane, line);
}

template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = warpSize, int line = __builtin_LINE()) {
    const unsigned lane = simt_lane(), source = lane ^ static_cast<unsigned>(bits);
    // Segments below this one may be read, those above may not: the PTX rule for `bfly`.
    return simt::shuffle(mask, value, source < simt::segment(lane, width) + width ? source : lane, line);
}

inline void __syncwarp(unsigned mask = 0xffffffff, int line = __builtin_LINE()) {
    simt_collective(simt::Collective::SYNC, mask, 0, 0, line);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return simt::vote(simt::Collective::BALLOT, mask, predicate, line);
}
inline int __any_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return static_cast<int>(simt::vote(simt::Collective::ANY, mask, predicate, line));
}
inline int __all_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return static_cast<int>(simt::vote(simt::Collective::ALL, mask, predicate, line));
}
inline unsigned __activemask(int line = __builtin_LINE()) {
    return simt_active(line);
}

template <class T>
inline unsigned __match_any_sync(unsigned mask, T value, int line = __builtin_LINE()) {
    return static_cast<unsigned>(simt_collective(simt::Collective::MATCH_ANY, mask, simt::to_bits(value), 0, line));
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* all_equal, int line = __builtin_LINE()) {
    const auto lanes = simt_collective(simt::Collective::MATCH_ALL, mask, simt::to_bits(value), 0, line);
    *all_equal = lanes != 0;
    return static_cast<unsigned>(lanes);
}

#define SIMT_REDUCE(name, type, kind)                                                                        \
    inline type __reduce_##name##_sync(unsigned mask, type value, int line = __builtin_LINE()) {             \
        return static_cast<type>(simt_collective(simt::Collective::kind, mask, simt::to_bits(value), 0, line)); \
    }
SIMT_REDUCE(add, int, ADD)
SIMT_REDUCE(add, unsigned, ADD)
SIMT_REDUCE(min, int, MIN_SIGNED)
SIMT_REDUCE(min, unsigned, MIN_UNSIGNED)
SIMT_REDUCE(max, int, MAX_SIGNED)
SIMT_REDUCE(max, unsigned, MAX_UNSIGNED)
SIMT_REDUCE(and, unsigned, AND)
SIMT_REDUCE(or, unsigned, OR)
SIMT_REDUCE(xor, unsigned, XOR)
#undef SIMT_REDUCE
