// SPDX-License-Identifier: Apache-2.0
#include "base/stop_scope.h"

#include <utility>

namespace hearsay {
namespace {

thread_local std::stop_token innermost;

}  // namespace

StopScope::StopScope(std::stop_token stop) : before_(std::exchange(innermost, std::move(stop))) {}

StopScope::~StopScope() {
  innermost = std::move(before_);
}

const std::stop_token& current_stop() {
  return innermost;
}

}  // namespace hearsay
