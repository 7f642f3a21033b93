// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>

#include "goal/error_book.h"

namespace hearsay::goal {

// Errors of attacks that use no release, so that the next study on the same data need not measure them again.
class KeptErrors {
 public:
  // None where there are none.
  std::shared_ptr<GoalErrors> find(const std::string& key) const {
    const auto found = kept_.find(key);
    return found == kept_.end() ? nullptr : found->second;
  }
  void keep(const std::string& key, const std::shared_ptr<GoalErrors>& errors) {
    constexpr std::size_t kMost = 64;
    if (kept_.size() >= kMost) kept_.clear();
    kept_[key] = errors;
  }

  // All that such errors depend on but the data; empty where they are not kept: of a program's own entries, which may
  // have the same names and mean something else, and of very many people.
  static std::string key_of(const Ground& ground, const prior::PriorEntry& prior, const attack::AttackEntry& attack);

 private:
  std::map<std::string, std::shared_ptr<GoalErrors>> kept_;
};

}  // namespace hearsay::goal
