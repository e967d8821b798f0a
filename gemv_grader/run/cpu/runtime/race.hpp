// What is known about one word of memory that may be written: who touched it, and which bytes were ever written.
//
// Two accesses race when different threads make them, one is a write, not both are atomic, and nothing orders them:
// a block barrier orders the threads of a block, __syncwarp those of a warp, and nothing the blocks of a launch (a
// program that uses __threadfence may order them itself; then races between blocks are not judged). A shuffle or a
// vote orders nothing: CUDA says so, and since Volta lanes do advance on their own.
//
// A word remembers its last write and its readers since. That can miss a race, and never invents one.
#pragma once

#include <stdint.h>

#include "fault.hpp"

namespace simt {

// The thread that makes an access, and how far its synchronisations reach: `clock` counts all barriers of the
// worker, and an access stamped before `block_epoch` (in the same warp: before `warp_epoch`) has happened before.
struct Party {
    uint32_t clock, block_epoch, warp_epoch;
    uint32_t block;
    uint16_t thread;
    uint32_t code;  // offset of the access in the program's image
    bool blocks_ordered;

    unsigned warp() const { return thread / 32u; }
};

struct Access {
    // Who else made it since, besides the thread named: in the same warp, block, or grid.
    static constexpr uint8_t IN_WARP = 1, IN_BLOCK = 2, IN_GRID = 4, OTHERS = 7;
    static constexpr uint8_t IS_ATOMIC = 8;

    uint32_t clock, block, code;
    uint16_t thread;
    uint8_t bytes;  // which of the word; 0: no access
    uint8_t flags;

    bool atomic() const { return flags & IS_ATOMIC; }
    bool by(const Party& me) const { return thread == me.thread && block == me.block; }
    bool same_warp(const Party& me) const { return thread / 32u == me.warp(); }
    bool before(const Party& me) const {
        return block == me.block && (clock < me.block_epoch || (same_warp(me) && clock < me.warp_epoch));
    }
    bool conflicts(const Party& me, unsigned touched) const {
        if (!(bytes & touched) || (by(me) && !(flags & OTHERS))) return false;
        if (before(me) && !(flags & (IN_BLOCK | IN_GRID))) return false;
        return block == me.block || !me.blocks_ordered;
    }
    void set(const Party& me, unsigned touched, uint8_t with_flags) {
        *this = {me.clock, me.block, me.code, me.thread, static_cast<uint8_t>(touched), with_flags};
    }
};

struct Cell {
    Access write, read;
    uint32_t generation;  // of the accesses: launch for global memory, block for shared memory
    uint32_t value;       // after the last completed write
    uint8_t written;      // bytes that hold something
    bool valued;

    void enter(uint32_t now) {
        if (generation == now) return;
        generation = now;
        write.bytes = read.bytes = 0;
        valued = false;
    }

    // Record an access. If it races with one on record, true, and that one with what it did.
    bool touch(const Party& me, unsigned touched, Action action, Access& other, Action& other_action) {
        forget_ordered_readers(me);
        const bool atomic = action == Action::ATOMIC;
        bool race = false;
        if (write.conflicts(me, touched) && !(atomic && write.atomic())) {
            race = true, other = write, other_action = write.atomic() ? Action::ATOMIC : Action::WRITE;
        } else if (action != Action::READ && read.conflicts(me, touched)) {
            race = true, other = read, other_action = Action::READ;
        }
        if (action == Action::READ) {
            join_readers(me, touched);
            return race;
        }
        // A thread's plain write stays on record under its own atomic: it is what others may race with.
        const bool keep = atomic && write.bytes == touched && write.by(me) && !write.atomic() && !write.before(me);
        if (!keep) write.set(me, touched, atomic ? Access::IS_ATOMIC : uint8_t{0});
        written |= static_cast<uint8_t>(touched);
        return race;
    }

private:
    void forget_ordered_readers(const Party& me) {
        if (!read.bytes || read.block != me.block) return;
        if (read.clock < me.block_epoch) {
            read.bytes = 0;
        } else if (read.same_warp(me) && read.clock < me.warp_epoch) {
            read.flags &= static_cast<uint8_t>(~Access::IN_WARP);
            if (!read.flags) read.bytes = 0;
        }
    }

    void join_readers(const Party& me, unsigned touched) {
        // Readers of different bytes cannot share a record: it would mix up who read what.
        const bool joins = read.bytes == touched;
        uint8_t others = joins ? read.flags : uint8_t{0};
        if (joins && !read.by(me)) {
            others |= read.block != me.block ? Access::IN_GRID : read.same_warp(me) ? Access::IN_WARP : Access::IN_BLOCK;
        }
        read.set(me, touched, others);
    }
};

}  // namespace simt
