// The whole runtime as one translation unit: the hooks are on the hottest path and must inline the checker's short
// way, and one file is one cached object per toolchain.
#include "stack.hpp"

#include "memory.cpp"
#include "image.cpp"
#include "scheduler.cpp"
#include "collectives.cpp"
#include "checker.cpp"
#include "hooks.cpp"
#include "atomics.cpp"
#include "rounding.cpp"
#include "coalescing.cpp"
#include "json.cpp"
#include "session.cpp"
#include "launch.cpp"
#include "signals.cpp"
#include "abi.cpp"
#include "main.cpp"
