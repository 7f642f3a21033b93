// SPDX-License-Identifier: Apache-2.0
#include "base/stage_clock.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>

namespace hearsay {
namespace {

void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

std::uint64_t current_peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

void StageClock::start(std::string name) {
  stop();
  stages_.push_back({std::move(name), 0, 0});
  running_ = true;
  reset_peak();
  began_ = std::chrono::steady_clock::now();
}

void StageClock::stop() {
  if (!running_) return;
  stages_.back().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  stages_.back().peak_bytes = current_peak_bytes();
  running_ = false;
}

double StageClock::seconds() const {
  double sum = 0;
  for (const Stage& stage : stages_) sum += stage.seconds;
  return sum;
}

std::uint64_t StageClock::peak_bytes() const {
  std::uint64_t peak = 0;
  for (const Stage& stage : stages_) peak = std::max(peak, stage.peak_bytes);
  return peak;
}

}  // namespace hearsay
