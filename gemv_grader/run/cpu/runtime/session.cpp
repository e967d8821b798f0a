#include "session.hpp"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "coalescing.hpp"
#include "json.hpp"

namespace simt {

Session session;

namespace {

// What the logs of the current case came to. Workers hand them in one at a time.
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
Coalescing coalescing;
std::string trace;

void write(const std::string& text) {
    size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = ::write(session.report_file, text.data() + done, text.size() - done);
        if (count < 0 && errno != EINTR) _exit(3);
        if (count > 0) done += static_cast<size_t>(count);
    }
}

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::OUT_OF_BOUNDS: return "out_of_bounds";
        case Kind::NULL_POINTER: return "null_pointer";
        case Kind::WILD_POINTER: return "wild_pointer";
        case Kind::MISALIGNED: return "misaligned";
        case Kind::UNINITIALISED: return "uninitialised";
        case Kind::WRITE_TO_INPUT: return "write_to_input";
        case Kind::RACE: return "race";
        case Kind::HOST_ACCESS: return "host_access";
        case Kind::BARRIER_DIVERGENCE: return "barrier_divergence";
        case Kind::BARRIER_AFTER_EXIT: return "barrier_after_exit";
        case Kind::SHUFFLE_SOURCE: return "shuffle_source";
        case Kind::MASK_WITHOUT_CALLER: return "mask_without_caller";
        case Kind::DEADLOCK: return "deadlock";
        case Kind::TRAP: return "trap";
        case Kind::ASSERTION: return "assertion";
        case Kind::ENDLESS: return "endless";
        case Kind::LAUNCH_CONFIGURATION: return "launch_configuration";
        case Kind::UNSUPPORTED: return "unsupported";
        case Kind::ILLEGAL_ADDRESS: return "illegal_address";
        case Kind::STACK_OVERFLOW: return "stack_overflow";
        case Kind::DIVISION_BY_ZERO: return "division_by_zero";
        case Kind::STOPPED: return "stopped";
    }
    return "";
}

const char* name_of(Action action) {
    switch (action) {
        case Action::READ: return "read";
        case Action::WRITE: return "write";
        case Action::ATOMIC: return "atomic";
        case Action::NONE: break;
    }
    return "";
}

const char* name_of(Event event) {
    switch (event) {
        case Event::READ: return "read";
        case Event::WRITE: return "write";
        case Event::ATOMIC: return "atomic";
        case Event::COLLECTIVE: return "collective";
        case Event::BARRIER: return "barrier";
        case Event::END: break;
    }
    return "end";
}

const char* name_of(Role role) {
    switch (role) {
        case Role::SHARED: return "shared";
        case Role::DEVICE: return "device";
        default: return "global";
    }
}

void write_index(Json& json, const char* key, uint3 index, unsigned rank) {
    json.key(key).begin_array().number(index.x);
    if (rank > 1) json.number(index.y);
    if (rank > 2) json.number(index.z);
    json.end_array();
}

// A return address, as an offset in the executable's file that lies within the calling instruction.
void write_place(Json& json, const char* prefix, Place place) {
    const std::string name(prefix);
    if (place.pc && image.holds(place.pc)) json.key((name + "pc").c_str()).number(image.file_address(place.pc - 1));
    if (place.line) json.key((name + "line").c_str()).number(place.line);
}

void write_fault(Json& json, const Fault& fault) {
    json.begin_object().key("kind").string(name_of(fault.kind)).key("fatal").truth(fault.fatal);
    json.key("times").number(fault.times);
    if (fault.action != Action::NONE) json.key("action").string(name_of(fault.action));
    write_place(json, "", fault.place);
    if (fault.block_number != NO_BLOCK) {
        write_index(json, "block", fault.block, fault.block_rank);
        write_index(json, "thread", fault.thread, fault.thread_rank);
    }
    if (fault.array) {
        json.key("array").string(fault.array).key("index").number(fault.index).key("count").number(fault.count);
    }
    if (fault.size) json.key("size").number(fault.size);
    if (fault.address || fault.size) json.key("address").number(uint64_t{fault.address});
    if (fault.has_other) {
        write_index(json, "other_block", fault.other_block, fault.block_rank);
        write_index(json, "other_thread", fault.other_thread, fault.thread_rank);
        write_place(json, "other_", fault.other_place);
        if (fault.other_action != Action::NONE) json.key("other_action").string(name_of(fault.other_action));
    }
    if (fault.of_threads) json.key("threads").number(fault.threads).key("of_threads").number(fault.of_threads);
    if (fault.mask) json.key("mask").number(fault.mask).key("lane").number(fault.lane);
    if (fault.text[0]) json.key("text").string(fault.text);
    json.end_object();
}

void write_site(Json& json, const Site& site) {
    json.begin_object();
    write_place(json, "", {site.pc, 0});
    json.key("array").string(site.array).key("memory").string(name_of(site.role));
    json.key("action").string(name_of(site.event)).key("requests").number(site.requests);
    json.key("lanes").number(site.lanes).key("units").number(site.units).key("ideal").number(site.ideal);
    json.end_object();
}

void write_entry(Json& json, const Entry& entry) {
    json.begin_object().key("event").string(name_of(entry.event)).key("thread").number(unsigned{entry.thread});
    write_place(json, "", entry.place);
    if (entry.array) {
        json.key("array").string(entry.array->name).key("memory").string(name_of(entry.array->role));
        json.key("offset").number(entry.offset).key("size").number(unsigned{entry.size}).key("bits").number(entry.value);
    } else if (entry.event == Event::COLLECTIVE) {
        json.key("collective").number(unsigned{entry.detail}).key("source").number(unsigned{entry.source});
        json.key("own").number(entry.address).key("bits").number(entry.value);
    }
    json.end_object().newline();
}

}  // namespace

void Session::announce() {
    Json json;
    json.begin_object().key("ready").truth(true).end_object().newline();
    write(json.text());
}

void Session::begin_case(const char* id) {
    case_ = id;
    faults.clear();
    coalescing.clear();
    trace.clear();
    launches_ = blocks_ = threads_ = 0;
    last_error = 0, most_shared = 48 * 1024;
}

void Session::note_launch(const Launch& launch) {
    ++launches_;
    blocks_ += launch.blocks, threads_ += launch.blocks * launch.threads;
}

void Session::take_log(const Worker& me, const Log& log) {
    pthread_mutex_lock(&lock);
    coalescing.count(log);
    if (me.block_number == me.launch->traced) {
        Json json;
        for (const Entry& entry : log) write_entry(json, entry);
        trace += json.text();
    }
    pthread_mutex_unlock(&lock);
}

bool Session::end_case(double milliseconds) {
    bool crashed = false;
    for (const Fault& fault : faults) crashed |= fault.fatal;
    Json json;
    json.begin_object().key("case").string(case_).key("status").string(crashed ? "crashed" : "ran");
    json.key("milliseconds").number(milliseconds);
    json.key("launches").number(launches_).key("blocks").number(blocks_).key("threads").number(threads_);
    json.key("fault_count").number(faults.total()).key("faults").begin_array();
    for (const Fault& fault : faults) write_fault(json, fault);
    json.end_array();
    if (checked) {
        json.key("sampled_blocks").number(coalescing.blocks()).key("complete").truth(coalescing.complete());
        json.key("accesses").begin_array();
        for (const Site& site : coalescing.sites()) write_site(json, site);
        json.end_array();
    }
    json.end_object().newline();
    write(trace);
    write(json.text());
    return crashed;
}

void Session::end_crashed() {
    end_case(0);
    _exit(0);
}

void Session::give_up(const char* why) {
    Json json;
    json.begin_object().key("grader_fault").string(why).end_object().newline();
    write(json.text());
    _exit(3);
}

}  // namespace simt
