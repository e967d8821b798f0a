// Counts how a warp's accesses meet memory: 32-byte sectors of global memory, or turns of the banks of shared memory.
//
// The lanes of a warp run one after the other here, so what a GPU issues as one request is put together afterwards:
// the n-th time that lanes of a warp pass the same instruction since they last synchronised is one request.
#pragma once

#include <stdint.h>
#include <vector>

#include "events.hpp"

namespace simt {

struct Site {
    uintptr_t pc;
    const char* array;
    Role role;
    Event event;
    uint64_t requests = 0, lanes = 0;
    uint64_t units = 0;  // sectors, or turns, that the requests took
    uint64_t ideal = 0;  // and the fewest that could hold the bytes asked for
};

class Coalescing {
public:
    void clear() { sites_.clear(), blocks_ = 0, complete_ = true; }
    void count(const Log& log);

    const std::vector<Site>& sites() const { return sites_; }
    unsigned blocks() const { return blocks_; }
    bool complete() const { return complete_; }  // no sampled block was too long for the log

private:
    struct Piece {
        uint64_t request;  // pieces of one request sort together
        uint64_t address;
        unsigned size;
    };
    size_t site_of(const Entry& entry);
    void close(Site& site, const Piece* first, const Piece* end);

    std::vector<Site> sites_;
    std::vector<Piece> pieces_;
    std::vector<uint64_t> words_;
    unsigned blocks_ = 0;
    bool complete_ = true;
};

}  // namespace simt
