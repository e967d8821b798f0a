// Arithmetic in a directed rounding mode: set it, compute, set it back. `volatile` keeps the compiler, which knows
// nothing of modes, from computing at another time.
#include <fenv.h>
#include <math.h>

#include "../include/simt/abi.hpp"

namespace simt {

namespace {

int mode_of(Rounding rounding) {
    switch (rounding) {
        case Rounding::ZERO: return FE_TOWARDZERO;
        case Rounding::UP: return FE_UPWARD;
        case Rounding::DOWN: return FE_DOWNWARD;
        case Rounding::NEAREST: break;
    }
    return FE_TONEAREST;
}

float fused(float a, float b, float c) { return fmaf(a, b, c); }
double fused(double a, double b, double c) { return fma(a, b, c); }
float root(float a) { return sqrtf(a); }
double root(double a) { return sqrt(a); }

template <class T>
T compute(char operation, T x, T y, T z, Rounding rounding) {
    volatile T a = x, b = y, c = z, result = 0;
    fesetround(mode_of(rounding));
    switch (operation) {
        case '+': result = a + b; break;
        case '-': result = a - b; break;
        case '*': result = a * b; break;
        case '/': result = a / b; break;
        case 's': result = root(a); break;
        case 'f': result = fused(a, b, c); break;
        default: break;
    }
    fesetround(FE_TONEAREST);
    return result;
}

}  // namespace

}  // namespace simt

float simt_round_float(char operation, float a, float b, float c, simt::Rounding rounding) noexcept {
    return simt::compute(operation, a, b, c, rounding);
}
double simt_round_double(char operation, double a, double b, double c, simt::Rounding rounding) noexcept {
    return simt::compute(operation, a, b, c, rounding);
}
