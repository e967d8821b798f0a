// What one run of a program collects, case by case, and hands to the grader as lines of JSON.
#pragma once

#include "fault.hpp"
#include "worker.hpp"

namespace simt {

class Session {
public:
    // Options, set once from the plan.
    bool checked = false;  // the program is instrumented
    unsigned workers = 1;
    double block_seconds = 5;  // processor time that one block may take
    uint64_t sample_blocks = 16;
    uint64_t traced = NO_BLOCK;
    bool stop_after_crash = false;
    int report_file = -1;

    Faults faults;

    void announce();  // everything is ready: from here on a crash is the program's
    void begin_case(const char* id);
    bool end_case(double milliseconds);  // returns whether it crashed
    void take_log(const Worker& worker, const Log& log);
    void note_launch(const Launch& launch);

    // The program cannot go on: report the current case and end the process.
    [[noreturn]] void end_crashed();
    // The runner itself cannot go on: the machine's fault, not the program's.
    [[noreturn]] void give_up(const char* why);

    // Set by launches, read by the program (cudaGetLastError).
    int last_error = 0;
    size_t most_shared = 48 * 1024;

private:
    const char* case_ = "";
    uint64_t launches_ = 0, blocks_ = 0, threads_ = 0;
};

extern Session session;

}  // namespace simt
