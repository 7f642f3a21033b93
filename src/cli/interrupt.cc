// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "base/temporary_folder.h"

namespace hearsay::cli {
namespace {

std::atomic<bool> failed{false};

void say(std::string_view message) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message.data(), message.size());
}

[[noreturn]] void end(int code) {
  say(failed ? "\nhearsay: unexpected failure: out of memory, or a bug; nothing was written\n"
             : "\nhearsay: interrupted\n");
  std::_Exit(code);
}

// Memory can give out where no exception is caught, such as in a thread of a library, which then aborts. The thread
// below tidies up as for a signal from outside; this one waits, and ends the program itself if that does not come.
void on_abort(int) {
  constexpr unsigned kPatience = 2;  // seconds
  if (!failed.exchange(true)) kill(getpid(), SIGTERM);
  for (unsigned left = kPatience; left > 0; left = sleep(left)) {
  }
  end(1);
}

}  // namespace

void end_cleanly_on_signals() {
  // A limit on the size of files is then an error like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGABRT, on_abort);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM}) {
    // A shell starts background jobs with the interrupt ignored; that is to stay.
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&signals, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // A thread rather than a handler: removing folders is not allowed in a handler.
  std::thread([signals] {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) return;
    remove_temporary_folders();
    end(failed ? 1 : 128 + signal);
  }).detach();
}

}  // namespace hearsay::cli
