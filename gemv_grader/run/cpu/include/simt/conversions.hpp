// Conversions between number types with a stated rounding, reinterpretations, and loads with a cache hint.
//
// The GPU's conversions to integers saturate and turn NaN into 0, where C++ leaves both undefined.
#pragma once

#include <limits.h>
#include <math.h>

#include "abi.hpp"

namespace simt {

// `limit` is the largest value plus one: a power of two, and so exact as a double.
template <class Integer>
inline Integer saturate(double value, Integer smallest, Integer largest, double limit) {
    if (value != value) return 0;
    if (value >= limit) return largest;
    if (value <= static_cast<double>(smallest)) return smallest;
    return static_cast<Integer>(value);
}

inline int to_int(double value) { return saturate<int>(value, INT_MIN, INT_MAX, 0x1p31); }
inline unsigned to_uint(double value) { return saturate<unsigned>(value, 0, UINT_MAX, 0x1p32); }
inline long long to_ll(double value) { return saturate<long long>(value, LLONG_MIN, LLONG_MAX, 0x1p63); }
inline unsigned long long to_ull(double value) { return saturate<unsigned long long>(value, 0, ULLONG_MAX, 0x1p64); }

inline float narrow_down(double exact) {
    const float near = static_cast<float>(exact);
    return near > exact ? nextafterf(near, -INFINITY) : near;
}
inline float narrow_up(double exact) { return -narrow_down(-exact); }
inline float narrow_to_zero(double exact) { return exact > 0 ? narrow_down(exact) : narrow_up(exact); }

}  // namespace simt

#define SIMT_TO_INTEGER(from, name, type, convert)                            \
    inline type __##from##2##name##_rn(from a) { return convert(rint(a)); }   \
    inline type __##from##2##name##_rz(from a) { return convert(trunc(a)); }  \
    inline type __##from##2##name##_ru(from a) { return convert(ceil(a)); }   \
    inline type __##from##2##name##_rd(from a) { return convert(floor(a)); }
#define SIMT_TO_INTEGERS(from)                                     \
    SIMT_TO_INTEGER(from, int, int, simt::to_int)                  \
    SIMT_TO_INTEGER(from, uint, unsigned, simt::to_uint)           \
    SIMT_TO_INTEGER(from, ll, long long, simt::to_ll)              \
    SIMT_TO_INTEGER(from, ull, unsigned long long, simt::to_ull)
SIMT_TO_INTEGERS(float)
SIMT_TO_INTEGERS(double)
#undef SIMT_TO_INTEGERS
#undef SIMT_TO_INTEGER

#define SIMT_TO_FLOAT(name, type)                                                      \
    inline float __##name##2float_rn(type a) { return static_cast<float>(a); }         \
    inline float __##name##2float_rz(type a) { return simt::narrow_to_zero(a); }       \
    inline float __##name##2float_ru(type a) { return simt::narrow_up(a); }            \
    inline float __##name##2float_rd(type a) { return simt::narrow_down(a); }
SIMT_TO_FLOAT(int, int)
SIMT_TO_FLOAT(uint, unsigned)
SIMT_TO_FLOAT(double, double)
#undef SIMT_TO_FLOAT
inline float __ll2float_rn(long long a) { return static_cast<float>(a); }
inline float __ull2float_rn(unsigned long long a) { return static_cast<float>(a); }
inline double __int2double_rn(int a) { return a; }
inline double __uint2double_rn(unsigned a) { return a; }
inline double __ll2double_rn(long long a) { return static_cast<double>(a); }
inline double __ull2double_rn(unsigned long long a) { return static_cast<double>(a); }

#define SIMT_REINTERPRET(name, from, to)      \
    inline to name(from value) {              \
        to result;                            \
        static_assert(sizeof(to) == sizeof(from), "a reinterpretation keeps every bit"); \
        __builtin_memcpy(&result, &value, sizeof(to)); \
        return result;                        \
    }
SIMT_REINTERPRET(__float_as_int, float, int)
SIMT_REINTERPRET(__float_as_uint, float, unsigned)
SIMT_REINTERPRET(__int_as_float, int, float)
SIMT_REINTERPRET(__uint_as_float, unsigned, float)
SIMT_REINTERPRET(__double_as_longlong, double, long long)
SIMT_REINTERPRET(__longlong_as_double, long long, double)
#undef SIMT_REINTERPRET

// A cache hint changes no value.
#define SIMT_LOAD(name) template <class T> inline T name(const T* address) { return *address; }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldcv)
SIMT_LOAD(__ldlu)
#undef SIMT_LOAD
#define SIMT_STORE(name) template <class T> inline void name(T* address, T value) { *address = value; }
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwb)
SIMT_STORE(__stwt)
#undef SIMT_STORE
