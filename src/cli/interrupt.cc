// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>

#include "base/temporary_folder.h"

namespace hearsay::cli {
namespace {

void say(std::string_view message) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message.data(), message.size());
}

}  // namespace

void end_cleanly_on_signals() {
  // A limit on the size of files is then an error like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  // Memory can give out where no exception is caught, such as in a thread of a library.
  std::set_terminate([] {
    remove_temporary_folders();
    say("hearsay: unexpected failure: out of memory, or a bug; nothing was written\n");
    std::_Exit(1);
  });
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
    say("\nhearsay: interrupted\n");
    std::_Exit(128 + signal);
  }).detach();
}

}  // namespace hearsay::cli
