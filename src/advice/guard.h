// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include "engine/loading.h"

namespace hearsay::advice {

// Ends a search that takes longer than its budget, and passes on what the caller asks for: to stop, and to be told how
// far it is.
class Guard {
 public:
  Guard(const engine::LoadOptions& load, double seconds);

  // Calls `work` with options that stop it when time is over. False where that came to pass: what it did then counts
  // for nothing. Throws Cancelled after the caller's request.
  bool run(const std::string& stage, const std::function<void(const engine::LoadOptions& load)>& work);
  bool out_of_time() const { return std::chrono::steady_clock::now() >= end_; }
  void check_stop() const;

 private:
  engine::LoadOptions load_;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace hearsay::advice
