// Finds accesses outside of arrays, reads of memory that nobody wrote, writes to inputs, and races.
//
// A program's translation unit is compiled with -fsanitize=thread, whose instrumentation calls a function before
// every load and store; hooks.cpp defines these functions instead of linking the sanitizer's own runtime.
#include "checker.hpp"

#include "session.hpp"

namespace simt {

namespace {

// Addresses below are a null pointer and an index: nothing is ever mapped there.
constexpr uintptr_t NULL_ZONE = uintptr_t{1} << 32;

// Blocks of several workers may touch the same word; neighbouring words may share a lock.
Spinlock cell_locks[64];

struct Target {
    const Array* array = nullptr;
    char* base = nullptr;
    Cell* cells = nullptr;
    uint32_t generation = 0;

    bool is_global() const { return array->role != Role::SHARED; }
};

Target find_shared(const Worker& me, char* address) {
    auto* offset = reinterpret_cast<char*>(address - me.shared);
    const Array* array = image.shared.find(offset);
    if (!array || array->role == Role::FENCE) array = image.shared.nearest(offset);
    return {array, me.shared + reinterpret_cast<size_t>(array->base), me.shared_cells, me.blocks_run};
}

const Array* find_variable(char* address) {
    if (!image.holds(reinterpret_cast<uintptr_t>(address))) return nullptr;
    const Array* variable = image.device.find(address);
    return variable || !image.holds_data(reinterpret_cast<uintptr_t>(address)) ? variable : image.device.nearest(address);
}

// Whether an access outside of its array can be let happen, as a GPU would: it must hit nothing of ours.
bool harmless(const Worker& me, const Target& target, const char* address, size_t size, Action action) {
    switch (target.array->role) {
        case Role::SHARED: {
            auto* offset = reinterpret_cast<char*>(address - me.shared);
            const Array* hit = image.shared.find(offset);
            return action == Action::READ || hit || image.holds_dynamic(offset);
        }
        case Role::DEVICE: return action == Action::READ;
        default: return global_memory.mapped(*target.array, reinterpret_cast<uintptr_t>(address), size);
    }
}

bool inside(const Target& target, const char* address, size_t size) {
    const auto offset = static_cast<size_t>(address - target.base);
    return offset < target.array->bytes && size <= target.array->bytes - offset;
}

Cell* first_cell(const Worker& me, const Target& target, const char* address) {
    return target.cells + (target.is_global() ? address - target.base : address - me.shared) / 4;
}

void locate(Fault& found, const Target& target, const char* address, size_t size) {
    const Array& array = *target.array;
    const auto element = static_cast<int64_t>(array.element ? array.element : size <= 16 ? size : 4);
    int64_t offset = address - target.base;
    const auto bytes = static_cast<int64_t>(array.bytes);
    // An access that begins inside and ends outside is told by the first element outside.
    if (offset >= 0 && offset < bytes && offset + static_cast<int64_t>(size) > bytes) offset = bytes;
    found.array = array.name;
    found.index = (offset >= 0 ? offset : offset - element + 1) / element;
    found.count = static_cast<uint64_t>(bytes / element);
}

Fault describe(const Worker& me, Kind kind, const char* address, size_t size, Action action, uintptr_t pc) {
    Fault found = me.fault(kind);
    found.action = action, found.place.pc = pc;
    found.address = reinterpret_cast<uintptr_t>(address), found.size = static_cast<unsigned>(size);
    return found;
}

void tell_other(Fault& found, const Worker& me, const Access& other, Action action) {
    found.has_other = true;
    found.other_action = action;
    found.other_block = me.launch->block_at(other.block);
    found.other_thread = me.launch->thread_at(other.thread);
    found.other_place.pc = image.low + other.code;
}

struct Word {
    unsigned bytes;  // touched
    uint32_t bits;   // of these bytes in the word's value
};

Word word_of(size_t start, size_t size, size_t number) {
    Word word{0, 0};
    for (size_t byte = 0; byte < 4; ++byte) {
        const size_t position = 4 * number + byte;
        if (position < start || position >= start + size) continue;
        word.bytes |= 1u << byte;
        word.bits |= 0xffu << 8 * byte;
    }
    return word;
}

uint64_t value_at(const char* address, size_t size) {
    uint64_t value = 0;
    __builtin_memcpy(&value, address, size < sizeof value ? size : sizeof value);
    return value;
}

void check_words(Worker& me, const Target& target, char* address, size_t size, Action action, uintptr_t pc, bool natural) {
    Cell* const cells = first_cell(me, target, address);
    const size_t start = reinterpret_cast<uintptr_t>(address) % 4;
    const size_t words = (start + size + 3) / 4;
    const Party party = me.party(pc);
    Access other{};
    Action other_action = Action::NONE;  // of the first race found
    size_t written = 0;  // bytes

    Spinlock& lock = cell_locks[reinterpret_cast<uintptr_t>(address) / 64 % 64];
    if (target.is_global()) lock.lock();
    for (size_t n = 0; n < words; ++n) {
        Cell& cell = cells[n];
        const unsigned bytes = word_of(start, size, n).bytes;
        if (cell.generation != target.generation && !target.is_global()) cell.written = 0;
        cell.enter(target.generation);
        written += static_cast<size_t>(__builtin_popcount(cell.written & bytes));
        if (other_action != Action::NONE) {
            Access another;
            Action its_action;
            cell.touch(party, bytes, action, another, its_action);
        } else if (!cell.touch(party, bytes, action, other, other_action)) {
            other_action = Action::NONE;
        }
    }
    if (target.is_global()) lock.unlock();

    // A copy of a whole object may read padding, which nobody writes.
    const bool unwritten = natural ? written < size : written == 0;
    if (unwritten && action != Action::WRITE && target.array->role != Role::DEVICE) {
        Fault found = describe(me, Kind::UNINITIALISED, address, size, action, pc);
        locate(found, target, address, size);
        me.report(found);
    }
    // Two writes of the same value race by the letter only: whichever comes last, the word holds it.
    const bool may_agree = action == Action::WRITE && other_action == Action::WRITE;
    if (action == Action::WRITE) {
        me.open.cells = cells, me.open.address = address, me.open.size = static_cast<unsigned>(size);
        me.open.raced = may_agree, me.open.entry = Log::MOST;
        me.attention = true;
    }
    if (other_action != Action::NONE) {
        Fault race = describe(me, Kind::RACE, address, size, action, pc);
        locate(race, target, address, size);
        tell_other(race, me, other, other_action);
        if (may_agree) {
            me.open.race = race;
        } else {
            me.report(race);
        }
    }
}

void note(Worker& me, const Target& target, char* address, size_t size, Action action, uintptr_t pc) {
    const Event event = action == Action::READ ? Event::READ : action == Action::WRITE ? Event::WRITE : Event::ATOMIC;
    const size_t entry = me.log->add({reinterpret_cast<uintptr_t>(address), static_cast<uint64_t>(address - target.base),
                                      value_at(address, size), target.array, {pc, 0}, static_cast<uint32_t>(size),
                                      me.running->number, event, 0, 0});
    if (me.open.cells) me.open.entry = entry;
}

}  // namespace

Party Worker::party(uintptr_t pc) const {
    return {clock, block_epoch, warp_->epoch, static_cast<uint32_t>(block_number), running->number,
            static_cast<uint32_t>(pc - image.low), launch->fenced.load(std::memory_order_relaxed)};
}

void check(Worker& me, char* address, size_t size, Action action, uintptr_t pc, bool natural) {
    me.attend({pc, 0});
    const auto number = reinterpret_cast<uintptr_t>(address);
    Target target;
    if (const Array* array = global_memory.owner(number)) {
        target = {array, array->base, array->cells, me.launch->number};
    } else if (static_cast<size_t>(address - me.shared) < image.shared_bytes) {
        target = find_shared(me, address);
    } else if (me.stacks().holds(me.running->number, number)) {
        return;
    } else if (const Array* variable = find_variable(address)) {
        target = {variable, variable->base, variable->cells, me.launch->number};
    } else if (image.holds(number) && action == Action::READ) {
        return;  // a constant of the compiler's
    } else {
        Fault found = describe(me, number < NULL_ZONE ? Kind::NULL_POINTER : Kind::WILD_POINTER, address, size, action, pc);
        found.fatal = true;
        me.report(found);
    }

    if (target.array->role == Role::COMPILERS) return;
    if (!inside(target, address, size)) {
        Fault found = describe(me, Kind::OUT_OF_BOUNDS, address, size, action, pc);
        locate(found, target, address, size);
        found.fatal = !harmless(me, target, address, size, action);
        return me.report(found);
    }
    if (natural && number % size != 0) {
        Fault found = describe(me, Kind::MISALIGNED, address, size, action, pc);
        locate(found, target, address, size);
        found.fatal = true;
        me.report(found);
    }
    if (target.array->role == Role::INPUT) {
        if (action != Action::READ) {
            Fault found = describe(me, Kind::WRITE_TO_INPUT, address, size, action, pc);
            locate(found, target, address, size);
            me.report(found);
        }
    } else if (target.cells) {
        check_words(me, target, address, size, action, pc, natural);
    }
    if (me.log) note(me, target, address, size, action, pc);
}

// Host code runs on this machine's memory here, and would crash on a device pointer with a GPU.
void check_host(const char* address, Action action, uintptr_t pc) {
    const Array* array = global_memory.owner(reinterpret_cast<uintptr_t>(address));
    if (!array) return;
    Fault found;
    found.kind = Kind::HOST_ACCESS;
    found.action = action, found.place.pc = pc, found.array = array->name;
    session.faults.add(found);
}

void mark_written(void* pointer, size_t bytes) {
    auto* address = static_cast<char*>(pointer);
    const Array* array = global_memory.owner(reinterpret_cast<uintptr_t>(address));
    if (!bytes || !array || !array->cells || !array->holds(address, bytes)) return;
    const size_t start = reinterpret_cast<uintptr_t>(address) % 4;
    Cell* const cells = &array->cell(address);
    for (size_t n = 0; n < (start + bytes + 3) / 4; ++n) cells[n].written |= static_cast<uint8_t>(word_of(start, bytes, n).bytes);
}

void Worker::attend_now(Place place) {
    if (open.cells) {
        const size_t start = reinterpret_cast<uintptr_t>(open.address) % 4;
        bool differs = false;
        for (size_t n = 0; n < (start + open.size + 3) / 4; ++n) {
            Cell& cell = open.cells[n];
            const auto now = static_cast<uint32_t>(value_at(open.address - start + 4 * n, 4));
            differs |= cell.valued && ((cell.value ^ now) & word_of(start, open.size, n).bits) != 0;
            cell.value = now, cell.valued = true;
        }
        if (log) log->complete(open.entry, value_at(open.address, open.size));
        open.cells = nullptr;
        attention = log || stop;
        if (open.raced && differs) report(open.race);
    }
    if (stop) {
        Fault found = fault(Kind::ENDLESS);
        found.fatal = true, found.place = place;
        report(found);
    }
}

}  // namespace simt
