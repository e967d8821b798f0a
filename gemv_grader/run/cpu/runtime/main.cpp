// The runner: program PLAN_FILE SLAB_FILE REPORT_FILE, three open file descriptors.
//
// The plan is words separated by blanks, in this order:
//     workers COUNT  block_seconds SECONDS  sample_blocks COUNT  trace_block NUMBER|-1  after_crash go_on|stop
//     arrays COUNT (NAME input|output ELEMENT_BYTES)...
//     case ID SLAB_OFFSET SLAB_BYTES BLOCKS  sizes COUNT VALUE...  (OFFSET BYTES)... one pair an array; OFFSET -1: null
//     ...
// The slab file holds the memory of all cases; each case's arrays are copied out of its slab, the program's entry
// point is called, and the whole slab is copied back: arrays and the guard bands between them. The report is one
// JSON object a line: that all is ready; then for each case the events of the traced block, if asked for, and what
// happened.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "checker.hpp"
#include "launch.hpp"
#include "session.hpp"

extern "C" void harness_launch(void* const* buffers, const int* sizes, int blocks, struct CUstream_st* stream);

namespace simt {

namespace {

class Plan {
public:
    explicit Plan(int file) {
        char chunk[4096];
        for (ssize_t count; (count = read(file, chunk, sizeof chunk)) > 0;) text_.append(chunk, static_cast<size_t>(count));
    }
    // The next word; empty at the end.
    std::string word() {
        const size_t start = text_.find_first_not_of(" \n", at_);
        if (start == std::string::npos) return at_ = text_.size(), "";
        at_ = text_.find_first_of(" \n", start);
        if (at_ == std::string::npos) at_ = text_.size();
        return text_.substr(start, at_ - start);
    }
    int64_t number() { return strtoll(word().c_str(), nullptr, 10); }
    void expect(const char* keyword) {
        if (word() != keyword) session.give_up("the plan is malformed");
    }

private:
    std::string text_;
    size_t at_ = 0;
};

struct Parameter {
    std::string name;
    Role role;
    unsigned element;
};

// Where an array lies in its case's slab. The gap between two arrays is split between them, so that every byte of
// the slab travels with exactly one.
struct Piece {
    char* start;  // in the slab
    char* end;
    char* data;
    Array* array;

    char* placed() const { return array->base - (data - start); }
    void load() const { memcpy(placed(), start, static_cast<size_t>(end - start)); }
    void store() const { memcpy(start, placed(), static_cast<size_t>(end - start)); }
};

double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

void run_case(Plan& plan, const std::vector<Parameter>& parameters, char* slabs) {
    static std::string id;
    id = plan.word();
    char* const slab = slabs + plan.number();
    const auto slab_bytes = static_cast<size_t>(plan.number());
    const auto blocks = static_cast<int>(plan.number());
    plan.expect("sizes");
    std::vector<int> sizes(static_cast<size_t>(plan.number()));
    for (int& size : sizes) size = static_cast<int>(plan.number());

    session.begin_case(id.c_str());
    std::vector<void*> arguments;
    std::vector<Piece> pieces;
    char* before = nullptr;  // end of the array before
    for (const Parameter& parameter : parameters) {
        const int64_t offset = plan.number(), bytes = plan.number();
        if (offset < 0) {
            arguments.push_back(nullptr);
            continue;
        }
        Array* array = global_memory.add(parameter.name.c_str(), static_cast<size_t>(bytes), parameter.element,
                                         parameter.role, session.checked);
        if (!array) session.give_up("no memory for the arrays of a case");
        char* const data = slab + offset;
        char* const start = before ? before + (data - before) / 2 : slab;
        if (before) pieces.back().end = start;
        pieces.push_back({start, slab + slab_bytes, data, array});
        if (data - start > static_cast<ptrdiff_t>(GlobalMemory::BAND)) session.give_up("a guard band is too wide");
        before = data + bytes;
        arguments.push_back(array->base);
    }
    for (const Piece& piece : pieces) piece.load();

    const double start = now();
    harness_launch(arguments.data(), sizes.data(), blocks, nullptr);
    const double milliseconds = now() - start;

    for (const Piece& piece : pieces) piece.store();
    const bool crashed = session.end_case(milliseconds);
    // After an endless block the next case would only wait as long again.
    if (session.faults.any(Kind::ENDLESS) || (crashed && session.stop_after_crash)) _exit(0);
    global_memory.clear();
}

void run(int plan_file, int slab_file, int report_file) {
    session.report_file = report_file;
    session.checked = instrumented;
    Plan plan(plan_file);
    plan.expect("workers");
    session.workers = static_cast<unsigned>(plan.number());
    plan.expect("block_seconds");
    session.block_seconds = strtod(plan.word().c_str(), nullptr);
    plan.expect("sample_blocks");
    session.sample_blocks = static_cast<uint64_t>(plan.number());
    plan.expect("trace_block");
    session.traced = static_cast<uint64_t>(plan.number());
    plan.expect("after_crash");
    session.stop_after_crash = plan.word() == "stop";

    plan.expect("arrays");
    std::vector<Parameter> parameters(static_cast<size_t>(plan.number()));
    for (Parameter& parameter : parameters) {
        parameter.name = plan.word();
        parameter.role = plan.word() == "input" ? Role::INPUT : Role::OUTPUT;
        parameter.element = static_cast<unsigned>(plan.number());
    }

    const off_t bytes = lseek(slab_file, 0, SEEK_END);
    void* slabs = bytes > 0 ? mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, slab_file, 0) : nullptr;
    if (slabs == MAP_FAILED) session.give_up("the slabs cannot be mapped");
    if (!image.load(session.checked)) session.give_up("the program's symbol table cannot be read");
    if (!global_memory.reserve()) session.give_up("no address space for the arrays (is there a limit on virtual memory?)");
    catch_signals();
    start_workers(session.workers);
    session.announce();

    for (std::string word = plan.word(); !word.empty(); word = plan.word()) {
        if (word != "case") session.give_up("the plan is malformed");
        run_case(plan, parameters, static_cast<char*>(slabs));
    }
}

}  // namespace

}  // namespace simt

int main(int count, char** words) {
    if (count != 4) return 2;
    simt::run(atoi(words[1]), atoi(words[2]), atoi(words[3]));
    _exit(0);  // no destructors: the report is complete
}
