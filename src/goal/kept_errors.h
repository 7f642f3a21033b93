// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "goal/error_book.h"

namespace hearsay::goal {

// Errors of attacks that use no release, so that the next study on the same data need not measure them again.
class KeptErrors {
 public:
  // What it may hold from now on. It lets go of everything where it holds more.
  void limit(std::uint64_t bytes);
  std::uint64_t bytes() const { return bytes_; }

  // None where there are none.
  std::shared_ptr<GoalErrors> find(const std::string& key) const {
    const auto found = kept_.find(key);
    return found == kept_.end() ? nullptr : found->second;
  }
  // In the place of all others where there is no room for it beside them; not at all where there is none.
  void keep(const std::string& key, const std::shared_ptr<GoalErrors>& errors);

  // All that such errors depend on but the data; empty where they are not kept: of a program's own entries, which may
  // have the same names and mean something else.
  static std::string key_of(const Ground& ground, const prior::PriorEntry& prior, const attack::AttackEntry& attack);

 private:
  void clear();

  std::map<std::string, std::shared_ptr<GoalErrors>> kept_;
  std::uint64_t bytes_ = 0;
  std::uint64_t limit_ = 0;
};

}  // namespace hearsay::goal
