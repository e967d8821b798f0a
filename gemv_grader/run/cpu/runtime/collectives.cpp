// What the lanes of a warp do together. The last lane to arrive computes the results of all: a lane may be in its
// next collective before another has looked at the result of this one, so results are stored, never looked up.
#include "worker.hpp"

namespace simt {

namespace {

template <class Do>
void each_lane(unsigned lanes, Do&& act) {
    for (; lanes; lanes &= lanes - 1) act(static_cast<unsigned>(__builtin_ctz(lanes)));
}

uint64_t merge(Collective kind, uint64_t a, uint64_t b) {
    const auto ua = static_cast<uint32_t>(a), ub = static_cast<uint32_t>(b);
    const auto sa = static_cast<int32_t>(ua), sb = static_cast<int32_t>(ub);
    switch (kind) {
        case Collective::ADD: return ua + ub;
        case Collective::MIN_SIGNED: return static_cast<uint32_t>(sa < sb ? sa : sb);
        case Collective::MAX_SIGNED: return static_cast<uint32_t>(sa < sb ? sb : sa);
        case Collective::MIN_UNSIGNED: return ua < ub ? ua : ub;
        case Collective::MAX_UNSIGNED: return ua < ub ? ub : ua;
        case Collective::AND: return a & b;
        case Collective::OR: return a | b;
        default: return a ^ b;
    }
}

}  // namespace

Group& Warp::join(uint64_t key) {
    for (unsigned g = 0; g < groups; ++g) {
        if (group[g].key == key) return group[g];
    }
    group[groups] = {key, 0};
    return group[groups++];
}

inline Switch Worker::join_collective_quickly(Collective kind, unsigned mask, uint64_t value, unsigned source, int line) {
    Thread& me = *running;
    Warp& warp = *warp_;
    const unsigned bit = me.bit();
    Group& group = warp.group[0];
    const unsigned arrived = group.arrived | bit;
    if (!warp.ready || warp.groups != 1 || group.key != Group::key_of(kind, mask) || arrived == (mask & warp.live) ||
        !(mask & bit) || attention.load(std::memory_order_relaxed)) {
        return {nullptr, nullptr};
    }
    me.value = value, me.source = source, me.line = line;
    group.arrived = arrived;
    return switch_in_warp();
}

Switch Worker::join_collective(Collective kind, unsigned mask, uint64_t value, unsigned source, int line) {
    attend({0, line});
    Thread& me = *running;
    Warp& warp = *warp_;
    const unsigned bit = me.bit();
    me.value = value, me.source = source, me.kind = kind, me.line = line;
    if (!(mask & bit)) refuse_mask(mask);
    Group& group = warp.join(Group::key_of(kind, mask));
    group.arrived |= bit;
    if (group.arrived != (mask & warp.live)) return switch_to_next();
    const Group done = warp.take(group);
    finish(warp, done);
    wake(warp, done.arrived & ~bit);
    return {nullptr, nullptr};
}

// __activemask names no partners: they are the lanes that come to the same line before the warp has nothing else to
// run, which is how far a GPU would let them converge.
Switch Worker::join_active(int line) {
    attend({0, line});
    Thread& me = *running;
    me.kind = Collective::ACTIVE, me.line = line;
    warp_->join(Group::key_of(Collective::ACTIVE, static_cast<unsigned>(line))).arrived |= me.bit();
    return switch_to_next();
}

bool Worker::release_active(Warp& warp) {
    for (unsigned g = 0; g < warp.groups; ++g) {
        if (warp.group[g].kind() != Collective::ACTIVE) continue;
        const Group done = warp.take(warp.group[g]);
        finish(warp, done);
        wake(warp, done.arrived);
        return true;
    }
    return false;
}

void Worker::refuse_mask(unsigned mask) {
    Fault found = fault(Kind::MASK_WITHOUT_CALLER);
    found.fatal = true;
    found.place.line = running->line, found.mask = mask, found.lane = running->lane();
    report(found);
}

void Worker::note_collective() {
    const Thread& me = *running;
    log->add({me.value, 0, me.result, nullptr, {0, me.line}, 0, me.number, Event::COLLECTIVE, static_cast<uint8_t>(me.kind),
              static_cast<uint8_t>(me.source)});
}

void Worker::shuffle(Warp& warp, const Group& group) {
    Thread* const lanes = warp.threads;
    each_lane(group.arrived, [&](unsigned lane) {
        Thread& me = lanes[lane];
        if (group.arrived >> me.source & 1) {
            me.result = lanes[me.source].value;
            return;
        }
        me.result = ~uint64_t{0};  // undefined on a GPU: make it show
        Fault found = fault(Kind::SHUFFLE_SOURCE, me);
        found.place.line = me.line, found.mask = group.mask(), found.lane = me.source;
        report(found);
    });
}

void Worker::finish(Warp& warp, const Group& group) {
    Thread* const lanes = warp.threads;
    const unsigned arrived = group.arrived;
    uint64_t common = 0;
    switch (group.kind()) {
        case Collective::SHUFFLE: return shuffle(warp, group);
        case Collective::MATCH_ANY:
            each_lane(arrived, [&](unsigned lane) {
                uint64_t equal = 0;
                each_lane(arrived, [&](unsigned other) {
                    equal |= uint64_t{lanes[other].value == lanes[lane].value} << other;
                });
                lanes[lane].result = equal;
            });
            return;
        case Collective::MATCH_ALL:
            common = arrived;
            each_lane(arrived, [&](unsigned lane) {
                if (lanes[lane].value != lanes[__builtin_ctz(arrived)].value) common = 0;
            });
            break;
        case Collective::SYNC: warp.epoch = ++clock; break;
        case Collective::ACTIVE: common = arrived; break;
        case Collective::BALLOT:
        case Collective::ANY:
        case Collective::ALL:
            each_lane(arrived, [&](unsigned lane) { common |= lanes[lane].value << lane; });
            if (group.kind() == Collective::ANY) common = common != 0;
            if (group.kind() == Collective::ALL) common = common == arrived;
            break;
        default:
            common = lanes[__builtin_ctz(arrived)].value;
            each_lane(arrived & (arrived - 1), [&](unsigned lane) {
                common = merge(group.kind(), common, lanes[lane].value);
            });
    }
    each_lane(arrived, [&](unsigned lane) { lanes[lane].result = common; });
}

}  // namespace simt
