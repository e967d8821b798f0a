// When the processor itself refuses: faults that the checker could not announce, or that no checker was there for.
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "launch.hpp"
#include "session.hpp"

namespace simt {

namespace {

uintptr_t program_counter(const ucontext_t& context) {
#if defined(__x86_64__)
    return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.pc;
#else
    return 0;
#endif
}

Action action_of([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__)
    if (context.uc_mcontext.gregs[REG_ERR] & 2) return Action::WRITE;
#endif
    return Action::READ;
}

Kind kind_of(int signal, uintptr_t address) {
    switch (signal) {
        case SIGUSR1: return Kind::ENDLESS;
        case SIGFPE: return Kind::DIVISION_BY_ZERO;
        case SIGSEGV:
        case SIGBUS:
            if (worker && worker->stacks().holds(address)) return Kind::STACK_OVERFLOW;
            return address < uintptr_t{1} << 32 ? Kind::NULL_POINTER : Kind::ILLEGAL_ADDRESS;
        default: return Kind::STOPPED;
    }
}

void on_signal(int signal, siginfo_t* info, void* data) {
    const auto& context = *static_cast<ucontext_t*>(data);
    const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
    const Kind kind = kind_of(signal, address);
    if (kind == Kind::ENDLESS && !(worker && worker->launch)) return;

    Fault found = worker && worker->running ? worker->fault(kind) : Fault();
    found.kind = kind, found.fatal = true;
    found.place.pc = program_counter(context) + 1;  // as if it were a return address
    if (signal == SIGSEGV || signal == SIGBUS) {
        found.address = address, found.action = action_of(context);
        if (const Array* array = global_memory.owner(address)) {
            found.kind = Kind::OUT_OF_BOUNDS, found.array = array->name;
            const auto element = static_cast<int64_t>(array->element ? array->element : 4);
            const auto offset = static_cast<int64_t>(address - reinterpret_cast<uintptr_t>(array->base));
            found.index = (offset >= 0 ? offset : offset - element + 1) / element;
            found.count = array->bytes / static_cast<size_t>(element);
        }
    }
    session.faults.add(found);
    if (!worker) session.end_crashed();
    note_crash();
    for (;;) pause();
}

}  // namespace

void catch_signals() {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGUSR1};
    for (int signal : caught) sigaction(signal, &action, nullptr);
}

}  // namespace simt
