// SPDX-License-Identifier: Apache-2.0
//
// Lists of users, ascending, of which each has a row of something.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "base/ids.h"

namespace hearsay {

inline constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

// Calls visit(user, row in a, row in b) for everybody in either list from rows i and j on, in order; a row is kNoRow
// where the user has none.
template <typename Visit>
void walk_both(std::span<const UserId> a, std::span<const UserId> b, const Visit& visit, std::size_t i = 0,
               std::size_t j = 0) {
  const auto next = [](std::span<const UserId> users, std::size_t& row, UserId user) {
    return row < users.size() && users[row] == user ? row++ : kNoRow;
  };
  while (i < a.size() || j < b.size()) {
    const UserId user = j == b.size() || (i < a.size() && a[i] <= b[j]) ? a[i] : b[j];
    const std::size_t row = next(a, i, user);
    visit(user, row, next(b, j, user));
  }
}

// Finds the rows of users who ascend from call to call.
class RowFinder {
 public:
  explicit RowFinder(std::span<const UserId> users) : users_(users) {}
  std::size_t find(UserId user) {
    while (next_ < users_.size() && users_[next_] < user) ++next_;
    return next_ < users_.size() && users_[next_] == user ? next_ : kNoRow;
  }

 private:
  std::span<const UserId> users_;
  std::size_t next_ = 0;
};

}  // namespace hearsay
