// float2, int4, dim3 and kin.
//
// Types that the hardware moves with one instruction (8 or 16 bytes) are copied as one unit here too, so that the
// checker sees one access of 16 bytes where the GPU makes one, and checks its alignment.
#pragma once

#include "abi.hpp"

namespace simt {

template <size_t Bytes>
struct Unit {
    typedef unsigned int type __attribute__((vector_size(Bytes), may_alias));
};

template <class T>
__attribute__((always_inline)) inline void copy_whole(T& to, const T& from) {
    using Whole = typename Unit<sizeof(T)>::type;
    *reinterpret_cast<Whole*>(&to) = *reinterpret_cast<const Whole*>(&from);
}

}  // namespace simt

#define SIMT_VECTOR1(name, scalar) \
    struct name##1 { scalar x; };  \
    inline name##1 make_##name##1(scalar x) { return {x}; }

#define SIMT_VECTOR3(name, scalar)         \
    struct name##3 { scalar x, y, z; };    \
    inline name##3 make_##name##3(scalar x, scalar y, scalar z) { return {x, y, z}; }

#define SIMT_VECTOR2(name, scalar, bytes)                                                  \
    struct alignas(bytes) name##2 { scalar x, y; };                                        \
    inline name##2 make_##name##2(scalar x, scalar y) { return {x, y}; }

#define SIMT_VECTOR4(name, scalar, bytes)                                                  \
    struct alignas(bytes) name##4 { scalar x, y, z, w; };                                  \
    inline name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { return {x, y, z, w}; }

#define SIMT_WHOLE(type)                                                                   \
    type() = default;                                                                      \
    type(const type& other) { simt::copy_whole(*this, other); }                            \
    type& operator=(const type& other) { simt::copy_whole(*this, other); return *this; }

#define SIMT_WHOLE2(name, scalar)                                                          \
    struct alignas(2 * sizeof(scalar)) name##2 {                                           \
        scalar x, y;                                                                       \
        SIMT_WHOLE(name##2)                                                                \
        constexpr name##2(scalar x, scalar y = 0) : x(x), y(y) {}                          \
    };                                                                                     \
    inline name##2 make_##name##2(scalar x, scalar y) { return {x, y}; }

#define SIMT_WHOLE4(name, scalar)                                                          \
    struct alignas(4 * sizeof(scalar)) name##4 {                                           \
        scalar x, y, z, w;                                                                 \
        SIMT_WHOLE(name##4)                                                                \
        constexpr name##4(scalar x, scalar y = 0, scalar z = 0, scalar w = 0) : x(x), y(y), z(z), w(w) {} \
    };                                                                                     \
    inline name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { return {x, y, z, w}; }

#define SIMT_SMALL(name, scalar)                        \
    SIMT_VECTOR1(name, scalar)                          \
    SIMT_VECTOR2(name, scalar, 2 * sizeof(scalar))      \
    SIMT_VECTOR3(name, scalar)                          \
    SIMT_VECTOR4(name, scalar, 4 * sizeof(scalar))

#define SIMT_WORDS(name, scalar) \
    SIMT_VECTOR1(name, scalar)   \
    SIMT_WHOLE2(name, scalar)    \
    SIMT_VECTOR3(name, scalar)   \
    SIMT_WHOLE4(name, scalar)

#define SIMT_LONGS(name, scalar) \
    SIMT_VECTOR1(name, scalar)   \
    SIMT_WHOLE2(name, scalar)    \
    SIMT_VECTOR3(name, scalar)   \
    SIMT_VECTOR4(name, scalar, 16)

SIMT_SMALL(char, signed char)
SIMT_SMALL(uchar, unsigned char)
SIMT_SMALL(short, short)
SIMT_SMALL(ushort, unsigned short)
SIMT_WORDS(int, int)
SIMT_WORDS(uint, unsigned int)
SIMT_WORDS(float, float)
SIMT_LONGS(longlong, long long)
SIMT_LONGS(ulonglong, unsigned long long)
SIMT_LONGS(double, double)

#undef SIMT_VECTOR1
#undef SIMT_VECTOR2
#undef SIMT_VECTOR3
#undef SIMT_VECTOR4
#undef SIMT_WHOLE
#undef SIMT_WHOLE2
#undef SIMT_WHOLE4
#undef SIMT_SMALL
#undef SIMT_WORDS
#undef SIMT_LONGS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(const uint3& v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
