// What runs and watches programs, as one translation unit: the hooks are on the hottest path and must inline the
// checker's short way. The other one is desk.cpp.
#include "memory.cpp"
#include "image.cpp"
#include "scheduler.cpp"
#include "collectives.cpp"
#include "checker.cpp"
#include "hooks.cpp"
#include "atomics.cpp"
#include "rounding.cpp"
#include "launch.cpp"
#include "signals.cpp"
#include "abi.cpp"
