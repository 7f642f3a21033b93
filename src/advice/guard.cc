// SPDX-License-Identifier: Apache-2.0
#include "advice/guard.h"

#include "base/errors.h"

namespace hearsay::advice {

Guard::Guard(const engine::LoadOptions& load, double seconds)
    : load_(load),
      end_(std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds))) {}

void Guard::check_stop() const {
  if (load_.stop.stop_requested()) throw Cancelled();
}

bool Guard::run(const std::string& stage, const std::function<void(const engine::LoadOptions& load)>& work) {
  check_stop();
  if (out_of_time()) return false;
  std::stop_source source;
  const std::stop_callback passed_on(load_.stop, [&] { source.request_stop(); });
  engine::LoadOptions load = load_;
  load.stop = source.get_token();
  load.progress = [&](std::string_view, std::uint64_t done, std::uint64_t total) {
    if (out_of_time()) source.request_stop();
    if (load_.progress) load_.progress(stage, done, total);
  };
  try {
    work(load);
  } catch (...) {
    check_stop();
    if (source.stop_requested()) return false;
    throw;
  }
  check_stop();
  return !source.stop_requested();
}

}  // namespace hearsay::advice
