// Starting the workers, and ending a case that crashed on one of them.
#pragma once

namespace simt {

void start_workers(unsigned count);
void note_crash();  // called in a signal handler
void catch_signals();

}  // namespace simt
