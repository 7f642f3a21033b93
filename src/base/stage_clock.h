// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace hearsay {

struct Stage {
  std::string name;
  double seconds = 0;            // wall time
  std::uint64_t peak_bytes = 0;  // largest resident memory of the process during the stage
};

// Time and peak memory by stage. The kernel's high-water mark is reset at each start (Linux; elsewhere the mark of the
// whole process so far is given), so a program that reads the mark itself sees that of the last stage.
class StageClock {
 public:
  // Ends the stage under way, if any.
  void start(std::string name);
  void stop();
  const std::vector<Stage>& stages() const { return stages_; }
  double seconds() const;            // sum over stages
  std::uint64_t peak_bytes() const;  // largest over stages

 private:
  std::vector<Stage> stages_;
  bool running_ = false;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace hearsay
