// What deals with the grader, as one translation unit: plan, report and statistics. The other one is engine.cpp.
#include "json.cpp"
#include "coalescing.cpp"
#include "session.cpp"
#include "main.cpp"
