// SPDX-License-Identifier: Apache-2.0
//
// A request to stop that reaches every parallel_for without being passed along.
#pragma once

#include <stop_token>

namespace hearsay {

// While one lives, a request to stop ends every parallel_for that its thread starts, and those that these start in
// turn: they throw Cancelled before their next index. Scopes nest; the innermost one holds.
//
//     const StopScope scope(source.get_token());
//     build_prior();  // throws Cancelled soon after source.request_stop()
class StopScope {
 public:
  explicit StopScope(std::stop_token stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  std::stop_token before_;
};

// The token of the innermost scope of this thread; without a scope, one that never stops.
const std::stop_token& current_stop();

}  // namespace hearsay
