// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <thread>

#include "report/temporary_folder.h"

namespace hearsay::cli {

void end_cleanly_on_signals() {
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
    report::remove_temporary_folders();
    constexpr std::string_view kMessage = "\nhearsay: interrupted\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
    std::_Exit(128 + signal);
  }).detach();
}

}  // namespace hearsay::cli
