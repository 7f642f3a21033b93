// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "release/draft.h"

namespace hearsay::release {

// Everybody's visits in a draft, by user, then epoch, then place. A copy: 8 bytes a visit.
class VisitsByUser {
 public:
  struct Visit {
    std::uint32_t epoch;
    RoiId roi;
  };

  explicit VisitsByUser(const Draft& draft);

  std::size_t users() const { return begins_.size() - 1; }
  std::span<Visit> of(std::size_t user) {
    return std::span(visits_).subspan(begins_[user], begins_[user + 1] - begins_[user]);
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<Visit> visits_;
};

// Of one user.
std::uint64_t largest_number_of_visits(const Draft& draft);
// The same, and of one of the others, as answers.
Answers most_visits(const Draft& draft);

}  // namespace hearsay::release
