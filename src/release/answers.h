// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "release/count_matrix.h"

namespace hearsay::release {

// What a step learns of visits besides the counts of them. Those of shares of the people give those of everybody.
struct Answers {
  // People who tell about each place (null last) in each epoch, each by a choice of its own. Whole numbers: add up.
  std::optional<CountMatrix> reports = {};
  std::uint64_t most_visits = 0;  // of the person with most
  std::uint64_t next_visits = 0;  // of the person with most of all others

  // Adds those of other people, of the same places and epochs, or takes away those of one of these people.
  void add(const Answers& others);
  void remove(const Answers& person);

  std::string to_bytes() const;
  static Answers from_bytes(std::string_view bytes);
};

}  // namespace hearsay::release
