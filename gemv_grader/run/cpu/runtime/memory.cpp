#include "memory.hpp"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace simt {

namespace {

constexpr size_t PAGE = 4096;

size_t up(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

void* map_zeroed(size_t bytes) {
    void* memory = mmap(nullptr, up(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

size_t cell_bytes(const Array& array) { return ((array.bytes + 3) / 4 + 1) * sizeof(Cell); }

char* band_start(const Array& array) { return array.base - GlobalMemory::BAND; }
size_t mapped_bytes(const Array& array) { return up(array.bytes) + 2 * GlobalMemory::BAND; }

}  // namespace

GlobalMemory global_memory;

bool GlobalMemory::reserve() {
    void* memory = mmap(nullptr, SLOTS * SLOT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    base_ = reinterpret_cast<uintptr_t>(memory);
    return true;
}

Array* GlobalMemory::add(const char* name, size_t bytes, unsigned element, Role role, bool checked) {
    unsigned slot = 0;
    while (slot < used_ && arrays_[slot].base) ++slot;
    if (slot == SLOTS || bytes > SLOT / 4) return nullptr;

    Array array;
    array.name = name, array.bytes = bytes, array.element = element, array.role = role;
    array.base = reinterpret_cast<char*>(base_ + slot * SLOT + SLOT / 2);
    void* memory = mmap(band_start(array), mapped_bytes(array), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    memset(memory, 0xFF, BAND);
    memset(array.base + bytes, 0xFF, static_cast<size_t>(band_start(array) + mapped_bytes(array) - array.base) - bytes);
    if (role == Role::ALLOCATED) memset(array.base, 0xFF, bytes);
    if (checked && role != Role::INPUT) {
        array.cells = static_cast<Cell*>(map_zeroed(cell_bytes(array)));
        if (!array.cells) return nullptr;
    }
    arrays_[slot] = array;
    if (slot == used_) ++used_;
    return &arrays_[slot];
}

void GlobalMemory::remove(Array* array) {
    mmap(band_start(*array), mapped_bytes(*array), PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (array->cells) munmap(array->cells, up(cell_bytes(*array)));
    *array = Array();
}

void GlobalMemory::clear() {
    for (unsigned slot = 0; slot < used_; ++slot) {
        if (arrays_[slot].base) remove(&arrays_[slot]);
    }
    used_ = 0;
}

bool GlobalMemory::mapped(const Array& array, uintptr_t address, size_t size) const {
    const size_t offset = address - reinterpret_cast<uintptr_t>(band_start(array));
    const size_t extent = mapped_bytes(array);
    return offset < extent && size <= extent - offset;
}

Array* GlobalMemory::allocated_at(const void* address) {
    for (unsigned slot = 0; slot < used_; ++slot) {
        Array& array = arrays_[slot];
        if (array.role == Role::ALLOCATED && array.base == address) return &array;
    }
    return nullptr;
}

bool Variables::add(const Array& variable) {
    void* grown = realloc(list, (count + 1) * sizeof(Array));
    if (!grown) return false;
    list = static_cast<Array*>(grown);
    list[count++] = variable;
    return true;
}

const Array* Variables::nearest(const char* address) const {
    const Array* best = nullptr;
    ptrdiff_t least = 0;
    for (unsigned i = 0; i < count; ++i) {
        const Array& array = list[i];
        if (array.role == Role::FENCE || array.role == Role::COMPILERS) continue;
        const char* const last = array.base + array.bytes - (array.bytes ? 1 : 0);
        const ptrdiff_t distance = address < array.base ? array.base - address : address - last;
        if (!best || distance < least) best = &array, least = distance;
    }
    return best;
}

}  // namespace simt
