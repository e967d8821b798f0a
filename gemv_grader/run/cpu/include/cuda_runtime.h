// What `#include <cuda_runtime.h>` finds when a program is compiled for the CPU.
//
// The program is ordinary C++17 against these headers; `runtime/` holds what they call. Kernel launches and
// `extern __shared__` are rewritten before (rewrite.py), everything else is the program's own text. A name that is
// not here does not compile, and the grader turns the compiler's "not declared" into "not supported on the CPU".
#pragma once

#include "simt/abi.hpp"
#include "simt/qualifiers.hpp"
#include "simt/vector_types.hpp"
#include "simt/thread.hpp"
#include "simt/warp.hpp"
#include "simt/atomics.hpp"
#include "simt/arithmetic.hpp"
#include "simt/conversions.hpp"
#include "simt/host_api.hpp"
