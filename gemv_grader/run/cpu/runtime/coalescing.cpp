#include "coalescing.hpp"

#include <algorithm>

namespace simt {

namespace {

constexpr uint64_t SECTOR = 32;
constexpr unsigned BANKS = 32;
constexpr unsigned THREADS = 1024;

// How often a thread passed a site since it last synchronised; `interval` says since when.
struct Passes {
    uint32_t interval = 0, count = 0;
};

template <class Each>
void distinct(std::vector<uint64_t>& units, Each&& each) {
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
    for (uint64_t unit : units) each(unit);
}

}  // namespace

size_t Coalescing::site_of(const Entry& entry) {
    for (size_t i = 0; i < sites_.size(); ++i) {
        const Site& site = sites_[i];
        if (site.pc == entry.place.pc && site.array == entry.array->name && site.event == entry.event) return i;
    }
    sites_.push_back({entry.place.pc, entry.array->name, entry.array->role, entry.event});
    return sites_.size() - 1;
}

void Coalescing::count(const Log& log) {
    ++blocks_;
    complete_ &= !log.full();
    std::vector<uint32_t> intervals(THREADS, 0);
    std::vector<Passes> passes;
    pieces_.clear();
    for (const Entry& entry : log) {
        if (entry.event > Event::ATOMIC) {
            ++intervals[entry.thread];
            continue;
        }
        const size_t site = site_of(entry);
        if (passes.size() < sites_.size() * THREADS) passes.resize(sites_.size() * THREADS);
        Passes& passed = passes[site * THREADS + entry.thread];
        if (passed.interval != intervals[entry.thread]) passed = {intervals[entry.thread], 0};
        // The log holds fewer than 2^18 entries, so 20 bits hold each of the last two.
        const uint64_t request = (uint64_t{site} * 32 + entry.thread / 32) << 40 | uint64_t{passed.interval} << 20 | passed.count++;
        pieces_.push_back({request, entry.address, entry.size});
    }
    std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.request < b.request; });
    for (size_t first = 0, end; first < pieces_.size(); first = end) {
        for (end = first + 1; end < pieces_.size() && pieces_[end].request == pieces_[first].request;) ++end;
        close(sites_[pieces_[first].request >> 45], &pieces_[first], &pieces_[0] + end);
    }
}

void Coalescing::close(Site& site, const Piece* first, const Piece* end) {
    words_.clear();
    for (const Piece* piece = first; piece != end; ++piece) {
        for (uint64_t word = piece->address / 4; word <= (piece->address + piece->size - 1) / 4; ++word) words_.push_back(word);
    }
    uint64_t count = 0, units = 0;
    if (site.role == Role::SHARED) {
        uint64_t turns[BANKS] = {};
        distinct(words_, [&](uint64_t word) { ++count, ++turns[word % BANKS]; });
        for (uint64_t t : turns) units = std::max(units, t);
    } else {
        uint64_t last = ~uint64_t{0};
        distinct(words_, [&](uint64_t word) {
            ++count;
            if (word * 4 / SECTOR != last) ++units, last = word * 4 / SECTOR;
        });
    }
    const uint64_t per_unit = site.role == Role::SHARED ? BANKS : SECTOR / 4;
    site.requests += 1;
    site.lanes += static_cast<uint64_t>(end - first);
    site.units += units;
    site.ideal += (count + per_unit - 1) / per_unit;
}

}  // namespace simt
