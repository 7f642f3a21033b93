// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace hearsay::cli {

// How far a run is, on the standard error: one line rewritten in place on a terminal, a line a stage elsewhere. The
// line is wiped by clear() and at the end.
class ProgressDisplay {
 public:
  ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  ~ProgressDisplay() { clear(); }

  // As hearsay::Progress; stages follow one another.
  void show(std::string_view stage, std::uint64_t done, std::uint64_t total);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool shown_ = false;
  std::string stage_;
  Clock::time_point stage_began_;
  Clock::time_point next_;
};

// `[#####-----]  50%  12.5 %/s  0:04 left`; nothing but the name where the total is not known.
std::string progress_line(std::string_view stage, std::uint64_t done, std::uint64_t total, double seconds);

}  // namespace hearsay::cli
