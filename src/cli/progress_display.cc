// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_display.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hearsay::cli {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 30;
constexpr const char* kWipe = "\r\x1b[K";

}  // namespace

std::string progress_line(std::string_view stage, std::uint64_t done, std::uint64_t total, double seconds) {
  if (total == 0) return fmt::format("{} ...", stage);
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  std::string line =
      fmt::format("{} [{:#<{}}{:-<{}}] {:3.0f}%", stage, "", filled, "", kBarWidth - filled, share * 100);
  if (share > 0 && seconds > 0) {
    const auto left = static_cast<std::uint64_t>(std::llround(seconds * (1 - share) / share));
    line += fmt::format("  {:.1f} %/s  {}:{:02} left", share * 100 / seconds, left / 60, left % 60);
  }
  return line;
}

ProgressDisplay::ProgressDisplay() : terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressDisplay::show(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  const Clock::time_point now = Clock::now();
  if (stage != stage_) {
    stage_ = stage;
    stage_began_ = now;
    next_ = now;
    if (!terminal_) fmt::print(stderr, "{} ...\n", stage);
  }
  if (!terminal_ || now < next_) return;
  next_ = now + kInterval;
  const double seconds = std::chrono::duration<double>(now - stage_began_).count();
  fmt::print(stderr, "{}{}", kWipe, progress_line(stage, done, total, seconds));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressDisplay::clear() {
  if (shown_) fmt::print(stderr, "{}", kWipe);
  shown_ = false;
}

}  // namespace hearsay::cli
