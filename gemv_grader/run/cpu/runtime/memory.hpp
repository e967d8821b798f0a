// The arrays a program may touch, and which of them an address belongs to.
//
// Every array in global memory lies alone in the middle of a slot of 16 GiB of reserved address space. So the slot
// tells which array a pointer was derived from, however wrong the index: any 32-bit index of a 4-byte element stays
// in its slot. Around the array a band is mapped, as memory around an array exists on a GPU; beyond it nothing is.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "race.hpp"

namespace simt {

// FENCE lies between variables of shared memory and belongs to none; the compiler's own are guards and the like.
enum class Role : uint8_t { INPUT, OUTPUT, ALLOCATED, SHARED, DEVICE, FENCE, COMPILERS };

struct Array {
    const char* name = "";
    char* base = nullptr;  // for shared memory: the offset in a worker's block of it
    size_t bytes = 0;
    unsigned element = 0;  // bytes; 0 where only the accesses tell
    Role role = Role::INPUT;
    Cell* cells = nullptr;  // one a word; none for inputs, which nobody may write

    bool holds(const char* address, size_t size) const {
        const auto offset = static_cast<size_t>(address - base);
        return offset < bytes && size <= bytes - offset;
    }
    Cell& cell(const char* address) const { return cells[(address - base) / 4]; }
};

class GlobalMemory {
public:
    static constexpr unsigned SLOTS = 64;
    static constexpr unsigned SLOT_BITS = 34;
    static constexpr size_t SLOT = size_t{1} << SLOT_BITS;
    static constexpr size_t BAND = 64 * 1024;

    bool reserve();

    // Make an array with bands of 0xFF around it, and 0xFF in it where the program itself allocates. Null when
    // memory or slots run out. With `checked`, the words of arrays that may be written get cells.
    Array* add(const char* name, size_t bytes, unsigned element, Role role, bool checked);
    void remove(Array* array);
    void clear();

    // The array whose slot holds the address, or null.
    const Array* owner(uintptr_t address) const {
        const size_t slot = (address - base_) >> SLOT_BITS;
        return slot < used_ && arrays_[slot].base ? &arrays_[slot] : nullptr;
    }
    bool mapped(const Array& array, uintptr_t address, size_t size) const;
    Array* allocated_at(const void* address);

private:
    uintptr_t base_ = 0;
    unsigned used_ = 0;
    Array arrays_[SLOTS];
};

// A variable of the program, found in the executable's symbol table.
struct Variables {
    Array* list = nullptr;
    unsigned count = 0;

    bool add(const Array& variable);

    const Array* find(const char* address) const {
        for (unsigned i = 0; i < count; ++i) {
            if (list[i].holds(address, 1)) return &list[i];
        }
        return nullptr;
    }
    // The variable that an address just missed.
    const Array* nearest(const char* address) const;
};

// The executable: its `__shared__` and `__device__` variables, and where its code and constants lie.
struct Image {
    Variables shared;            // `base` is an offset from `shared_base()` of the calling thread
    size_t shared_bytes = 0;     // extent of all of them
    Array* dynamic = nullptr;    // `extern __shared__`, one of `shared`
    Variables device;
    uintptr_t low = 0, high = 0;  // the executable in memory
    uintptr_t data_low = UINTPTR_MAX, data_high = 0;  // and its variables

    bool load(bool checked);
    char* shared_base() const;
    bool holds(uintptr_t address) const { return address - low < high - low; }
    bool holds_data(uintptr_t address) const { return address >= data_low && address < data_high; }
    bool holds_dynamic(const char* offset) const;  // counted as the bases of `shared` are
    uintptr_t file_address(uintptr_t address) const { return address - bias_; }  // as its own tables count

private:
    uintptr_t bias_ = 0;
    ptrdiff_t thread_block_ = 0;  // from the first shared variable to the runtime's anchor in thread-local memory
};

extern GlobalMemory global_memory;
extern Image image;

}  // namespace simt
