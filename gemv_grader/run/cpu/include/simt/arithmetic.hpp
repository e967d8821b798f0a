// Device arithmetic: intrinsics with a stated rounding, fast approximations, bit operations, min and max.
//
// Programs are compiled with -ffp-contract=off, so `a * b` is one rounding and `__fmul_rn(a, b)` is just that. The
// fast approximations are computed accurately: they may be better here than on a GPU, never worse.
#pragma once

#include <math.h>
#include <stdlib.h>

#include "abi.hpp"

#define SIMT_ROUNDED(prefix, type, round)                                                                            \
    inline type prefix##add_rn(type a, type b) { return a + b; }                                                     \
    inline type prefix##sub_rn(type a, type b) { return a - b; }                                                     \
    inline type prefix##mul_rn(type a, type b) { return a * b; }                                                     \
    inline type prefix##div_rn(type a, type b) { return a / b; }                                                     \
    inline type prefix##rcp_rn(type a) { return 1 / a; }                                                             \
    SIMT_DIRECTED(prefix, type, round, rz, ZERO)                                                                     \
    SIMT_DIRECTED(prefix, type, round, ru, UP)                                                                       \
    SIMT_DIRECTED(prefix, type, round, rd, DOWN)

#define SIMT_DIRECTED(prefix, type, round, suffix, mode)                                                             \
    inline type prefix##add_##suffix(type a, type b) { return round('+', a, b, 0, simt::Rounding::mode); }           \
    inline type prefix##sub_##suffix(type a, type b) { return round('-', a, b, 0, simt::Rounding::mode); }           \
    inline type prefix##mul_##suffix(type a, type b) { return round('*', a, b, 0, simt::Rounding::mode); }           \
    inline type prefix##div_##suffix(type a, type b) { return round('/', a, b, 0, simt::Rounding::mode); }           \
    inline type prefix##rcp_##suffix(type a) { return round('/', 1, a, 0, simt::Rounding::mode); }                   \
    inline type prefix##sqrt_##suffix(type a) { return round('s', a, 0, 0, simt::Rounding::mode); }

SIMT_ROUNDED(__f, float, simt_round_float)
SIMT_ROUNDED(__d, double, simt_round_double)
#undef SIMT_ROUNDED
#undef SIMT_DIRECTED

inline float __fsqrt_rn(float a) { return sqrtf(a); }
inline double __dsqrt_rn(double a) { return sqrt(a); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fmaf_rz(float a, float b, float c) { return simt_round_float('f', a, b, c, simt::Rounding::ZERO); }
inline float __fmaf_ru(float a, float b, float c) { return simt_round_float('f', a, b, c, simt::Rounding::UP); }
inline float __fmaf_rd(float a, float b, float c) { return simt_round_float('f', a, b, c, simt::Rounding::DOWN); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
inline double __fma_rz(double a, double b, double c) { return simt_round_double('f', a, b, c, simt::Rounding::ZERO); }
inline double __fma_ru(double a, double b, double c) { return simt_round_double('f', a, b, c, simt::Rounding::UP); }
inline double __fma_rd(double a, double b, double c) { return simt_round_double('f', a, b, c, simt::Rounding::DOWN); }

inline float __frsqrt_rn(float a) { return static_cast<float>(1 / sqrt(static_cast<double>(a))); }
inline float rsqrtf(float a) { return __frsqrt_rn(a); }
inline double rsqrt(double a) { return 1 / sqrt(a); }
inline float rsqrt(float a) { return __frsqrt_rn(a); }
inline float rcbrtf(float a) { return 1 / cbrtf(a); }
inline float __fdividef(float a, float b) { return a / b; }
inline float fdividef(float a, float b) { return a / b; }
inline float __expf(float a) { return expf(a); }
inline float __exp10f(float a) { return powf(10, a); }
inline float exp10f(float a) { return powf(10, a); }
inline float __logf(float a) { return logf(a); }
inline float __log2f(float a) { return log2f(a); }
inline float __log10f(float a) { return log10f(a); }
inline float __powf(float a, float b) { return powf(a, b); }
inline float __sinf(float a) { return sinf(a); }
inline float __cosf(float a) { return cosf(a); }
inline float __tanf(float a) { return tanf(a); }
inline float __saturatef(float a) { return a > 0 ? (a < 1 ? a : 1) : 0; }  // NaN gives 0

inline int __mul24(int a, int b) { return static_cast<int>((a << 8 >> 8) * static_cast<int64_t>(b << 8 >> 8)); }
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<int64_t>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(static_cast<uint64_t>(a) * b >> 32); }
inline long long __mul64hi(long long a, long long b) { return static_cast<long long>(static_cast<__int128>(a) * b >> 64); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}

inline int __popc(unsigned a) { return __builtin_popcount(a); }
inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
inline int __clz(int a) { return a ? __builtin_clz(static_cast<unsigned>(a)) : 32; }
inline int __clzll(long long a) { return a ? __builtin_clzll(static_cast<unsigned long long>(a)) : 64; }
inline int __ffs(int a) { return __builtin_ffs(a); }
inline int __ffsll(long long a) { return __builtin_ffsll(a); }
inline unsigned __brev(unsigned a) {
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(a);
}
inline unsigned long long __brevll(unsigned long long a) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(a))) << 32 | __brev(static_cast<unsigned>(a >> 32));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    const uint64_t both = static_cast<uint64_t>(high) << 32 | low;
    return static_cast<unsigned>(both << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    const uint64_t both = static_cast<uint64_t>(high) << 32 | low;
    return static_cast<unsigned>(both >> (shift & 31));
}

// Overloads for every pair that CUDA has, so that mixed arguments neither convert silently nor are ambiguous.
#define SIMT_MIN_MAX(result, left, right)                                                             \
    inline result min(left a, right b) {                                                              \
        const result x = static_cast<result>(a), y = static_cast<result>(b);                          \
        return y < x ? y : x;                                                                         \
    }                                                                                                 \
    inline result max(left a, right b) {                                                              \
        const result x = static_cast<result>(a), y = static_cast<result>(b);                          \
        return x < y ? y : x;                                                                         \
    }
SIMT_MIN_MAX(int, int, int)
SIMT_MIN_MAX(unsigned, unsigned, unsigned)
SIMT_MIN_MAX(unsigned, int, unsigned)
SIMT_MIN_MAX(unsigned, unsigned, int)
SIMT_MIN_MAX(long, long, long)
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIN_MAX(unsigned long, unsigned long, long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef SIMT_MIN_MAX
// A NaN loses against a number, as in fminf.
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(a, b); }
inline double max(float a, double b) { return fmax(a, b); }
inline double min(double a, float b) { return fmin(a, b); }
inline double max(double a, float b) { return fmax(a, b); }
