// What is known about one word of memory that may be written: who touched it, and which bytes were ever written.
//
// Two accesses race when different threads make them, one is a write, not both are atomic, and nothing orders them:
// a block barrier orders the threads of a block, __syncwarp those of a warp, and nothing the blocks of a launch (a
// program that uses __threadfence may order them itself; then races between blocks are not judged). A shuffle or a
// vote orders nothing: CUDA says so, and since Volta lanes do advance on their own.
//
// A word remembers its last write, and of its readers the first and the latest. That can miss a race, and never
// invents one.
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
};

struct Access {
    uint32_t clock, block, code;
    uint16_t thread;
    uint8_t bytes;  // which of the word; 0: no access
    bool atomic;

    bool by(const Party& me) const { return thread == me.thread && block == me.block; }
    bool before(const Party& me) const {
        return block == me.block && (clock < me.block_epoch || (thread / 32 == me.thread / 32 && clock < me.warp_epoch));
    }
    bool conflicts(const Party& me, unsigned touched) const {
        if (!(bytes & touched) || by(me) || before(me)) return false;
        return block == me.block || !me.blocks_ordered;
    }
    void set(const Party& me, unsigned touched, bool is_atomic) {
        *this = {me.clock, me.block, me.code, me.thread, static_cast<uint8_t>(touched), is_atomic};
    }
};

struct Cell {
    Access write, reader, latest_reader;
    uint32_t generation;  // of the accesses: launch for global memory, block for shared memory
    uint32_t value;       // after the last completed write
    uint8_t written;      // bytes that hold something
    bool valued;

    void enter(uint32_t now) {
        if (generation == now) return;
        generation = now;
        write.bytes = reader.bytes = latest_reader.bytes = 0;
        valued = false;
    }

    // Record an access. Returns whether it races with one on record; then also that one, and what it did.
    bool touch(const Party& me, unsigned touched, Action action, Access& other, Action& other_action) {
        const bool atomic = action == Action::ATOMIC;
        bool race = false;
        if (write.conflicts(me, touched) && !(atomic && write.atomic)) {
            race = true, other = write, other_action = write.atomic ? Action::ATOMIC : Action::WRITE;
        } else if (action != Action::READ) {
            const Access& read = reader.conflicts(me, touched) ? reader : latest_reader;
            race = read.conflicts(me, touched);
            if (race) other = read, other_action = Action::READ;
        }
        if (action == Action::READ) {
            // The first reader stays on record until it is ordered before all that follow.
            const bool replaces = !reader.bytes || reader.by(me) || reader.before(me);
            (replaces ? reader : latest_reader).set(me, touched, false);
            return race;
        }
        // A thread's plain write stays on record under its own atomic: it is what others may race with.
        const bool keep = atomic && write.bytes == touched && write.by(me) && !write.atomic && !write.before(me);
        if (!keep) write.set(me, touched, atomic);
        written |= static_cast<uint8_t>(touched);
        return race;
    }
};

}  // namespace simt
