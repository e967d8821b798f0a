// Finds the program's variables in its own executable: the symbol table gives names, sizes and places.
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.hpp"

// `extern __shared__` memory, up to the most a block may ask for. Programs reach it by this name too (rewrite.py).
constexpr size_t MOST_DYNAMIC = 227 * 1024;
extern "C" {
__attribute__((aligned(128))) __thread char simt_dynamic_memory[MOST_DYNAMIC];
__thread char simt_anchor;
extern const char simt_dynamic_name[];  // what the program calls it
}

namespace simt {

Image image;

namespace {

// A file mapped for reading, until the end of the scope.
class MappedFile {
public:
    explicit MappedFile(const char* path) {
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        struct stat status;
        if (file >= 0 && fstat(file, &status) == 0) {
            size_ = static_cast<size_t>(status.st_size);
            data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
        }
        if (file >= 0) close(file);
    }
    ~MappedFile() {
        if (good()) munmap(data_, size_);
    }
    bool good() const { return data_ != MAP_FAILED; }
    const char* at(size_t offset) const { return static_cast<const char*>(data_) + offset; }

private:
    void* data_ = MAP_FAILED;
    size_t size_ = 0;
};

bool begins(const char* name, const char* prefix) { return strncmp(name, prefix, strlen(prefix)) == 0; }

// Ours are in the namespace simt, whatever the mangling says about them first, or begin with its name.
bool of_runtime(const char* name) {
    if (begins(name, "simt_fence_")) return false;
    if (begins(name, "simt_")) return true;
    return begins(name, "_Z") && begins(name + strspn(name, "_ZNKGVTIS"), "4simt");
}

Role role_of(const char* name, bool thread_local_variable) {
    if (begins(name, "_ZGV")) return Role::COMPILERS;  // guards of initialisers
    if (strstr(name, "simt_fence_")) return Role::FENCE;
    return thread_local_variable ? Role::SHARED : Role::DEVICE;
}

int note_extent(dl_phdr_info* info, size_t, void* data) {
    auto* found = static_cast<Image*>(data);
    found->low = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD) continue;
        const uintptr_t start = info->dlpi_addr + segment.p_vaddr;
        if (start < found->low) found->low = start;
        if (start + segment.p_memsz > found->high) found->high = start + segment.p_memsz;
    }
    return 1;  // the first object is the executable itself
}

Array variable(const char* name, uintptr_t base, size_t bytes, Role role) {
    Array array;
    array.name = strdup(name), array.base = reinterpret_cast<char*>(base), array.bytes = bytes, array.role = role;
    return array;
}

Cell* cells_for(size_t bytes) {
    void* memory = mmap(nullptr, (bytes / 4 + 2) * sizeof(Cell), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<Cell*>(memory);
}

}  // namespace

bool Image::load(bool checked) {
    dl_iterate_phdr(note_extent, this);
    const MappedFile file("/proc/self/exe");
    if (!file.good()) return false;
    const auto& header = *reinterpret_cast<const ElfW(Ehdr)*>(file.at(0));
    const auto* sections = reinterpret_cast<const ElfW(Shdr)*>(file.at(header.e_shoff));
    bias_ = header.e_type == ET_DYN ? low & ~uintptr_t{0xfff} : 0;

    size_t anchor = SIZE_MAX, dynamic = SIZE_MAX;
    for (int s = 0; s < header.e_shnum; ++s) {
        const char* section = file.at(sections[header.e_shstrndx].sh_offset) + sections[s].sh_name;
        if (strcmp(section, ".data") == 0 || strcmp(section, ".bss") == 0) {
            const uintptr_t start = bias_ + sections[s].sh_addr;
            if (start < data_low) data_low = start;
            if (start + sections[s].sh_size > data_high) data_high = start + sections[s].sh_size;
        }
        if (sections[s].sh_type != SHT_SYMTAB) continue;
        const char* names = file.at(sections[sections[s].sh_link].sh_offset);
        const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(file.at(sections[s].sh_offset));
        for (size_t i = 0; i < sections[s].sh_size / sizeof(ElfW(Sym)); ++i) {
            const ElfW(Sym)& symbol = symbols[i];
            const char* name = names + symbol.st_name;
            const unsigned type = ELF64_ST_TYPE(symbol.st_info);
            if (type == STT_TLS && strcmp(name, "simt_anchor") == 0) anchor = symbol.st_value;
            if (type == STT_TLS && strcmp(name, "simt_dynamic_memory") == 0) dynamic = symbol.st_value;
            if (symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF || of_runtime(name)) continue;
            const Role role = role_of(name, type == STT_TLS);
            if (type == STT_TLS && !shared.add(variable(name, symbol.st_value, symbol.st_size, role))) return false;
            const uintptr_t address = bias_ + symbol.st_value;
            if (type == STT_OBJECT && !device.add(variable(name, address, symbol.st_size, role))) return false;
        }
    }
    if (anchor == SIZE_MAX || dynamic == SIZE_MAX) return false;
    if (!shared.add(variable(simt_dynamic_name, dynamic, 0, Role::SHARED))) return false;
    this->dynamic = &shared.list[shared.count - 1];

    size_t first = SIZE_MAX, last = dynamic + MOST_DYNAMIC;
    for (unsigned i = 0; i < shared.count; ++i) {
        const auto offset = reinterpret_cast<size_t>(shared.list[i].base);
        if (offset < first) first = offset;
        if (offset + shared.list[i].bytes > last) last = offset + shared.list[i].bytes;
    }
    for (unsigned i = 0; i < shared.count; ++i) shared.list[i].base -= first;
    thread_block_ = static_cast<ptrdiff_t>(anchor - first);
    shared_bytes = last - first;

    for (unsigned i = 0; checked && i < device.count; ++i) {
        Array& array = device.list[i];
        array.cells = cells_for(array.bytes);
        if (!array.cells) return false;
    }
    return true;
}

bool Image::holds_dynamic(const char* offset) const { return static_cast<size_t>(offset - dynamic->base) < MOST_DYNAMIC; }

char* Image::shared_base() const { return &simt_anchor - thread_block_; }

}  // namespace simt
