// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "dataset/visit_store.h"
#include "prior/beliefs.h"

namespace hearsay::metric {

inline constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

// Calls visit(user, truth_row, belief_row) for every user who is active in the truth, in order; belief_row is kNoRow
// where the user is not listed. Time follows the active users, not those listed. `sums` is what visit adds to, by user:
// it is larger than the cache where users are many, so entries are fetched ahead.
template <typename Sum, typename Visit>
void walk_active(const dataset::EpochVisits& truth, const prior::Beliefs& beliefs, const std::vector<Sum>& sums,
                 const Visit& visit) {
  constexpr std::size_t kAhead = 16;
  const std::span<const UserId> listed = beliefs.users;
  std::size_t b = 0;
  for (std::size_t t = 0; t < truth.users.size(); ++t) {
    const UserId user = truth.users[t];
    if (t + kAhead < truth.users.size()) __builtin_prefetch(&sums[index_of(truth.users[t + kAhead])], 1);
    // The next one is near: steps that double, then a search between the last two.
    std::size_t step = 1;
    std::size_t end = b;
    while (end < listed.size() && listed[end] < user) {
      b = end + 1;
      end += step;
      step *= 2;
    }
    end = std::min(end, listed.size());
    b = static_cast<std::size_t>(std::lower_bound(listed.begin() + static_cast<std::ptrdiff_t>(b),
                                                  listed.begin() + static_cast<std::ptrdiff_t>(end), user) -
                                 listed.begin());
    visit(user, t, b < listed.size() && listed[b] == user ? b : kNoRow);
  }
}

// Calls visit(user, truth_row, belief_row) for every user covered by the limits of an assignment, active or listed, in
// order; a row is kNoRow where the user has none.
template <typename Visit>
void walk_covered(const dataset::EpochVisits& truth, const prior::Beliefs& beliefs, const Visit& visit) {
  std::size_t t = 0;
  std::size_t b = 0;
  const auto next = [](std::span<const UserId> users, std::size_t& row, UserId user) {
    return row < users.size() && users[row] == user ? row++ : kNoRow;
  };
  for (std::uint32_t u = 0; u < beliefs.covered(); ++u) {
    const auto user = static_cast<UserId>(u);
    const std::size_t truth_row = next(truth.users, t, user);
    visit(user, truth_row, next(beliefs.users, b, user));
  }
  while (t < truth.users.size() || b < beliefs.users.size()) {
    const bool from_truth = b == beliefs.users.size() || (t < truth.users.size() && truth.users[t] < beliefs.users[b]);
    const UserId user = from_truth ? truth.users[t] : beliefs.users[b];
    const std::size_t truth_row = next(truth.users, t, user);
    visit(user, truth_row, next(beliefs.users, b, user));
  }
}

// How many ROIs two ascending lists have in common.
inline std::size_t common_rois(std::span<const RoiId> a, std::span<const RoiId> b) {
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) ++common;
    const bool advance_a = a[i] <= b[j];
    const bool advance_b = b[j] <= a[i];
    i += advance_a ? 1 : 0;
    j += advance_b ? 1 : 0;
  }
  return common;
}

// One user and epoch of an assignment: ROIs predicted, true, and both.
struct Overlap {
  std::size_t predicted = 0;
  std::size_t actual = 0;
  std::size_t common = 0;
};

// Reads assignments user by user, users ascending.
class AssignmentReader {
 public:
  AssignmentReader(const prior::Beliefs& beliefs, RoiId null_roi) : beliefs_(beliefs), null_(null_roi) {}

  Overlap read(UserId user, std::span<const RoiId> truth, std::size_t belief_row) {
    const auto number = static_cast<std::uint32_t>(user);
    while (passed_ < beliefs_.sorted_limits.size() && beliefs_.sorted_limits[passed_] <= number) ++passed_;
    Overlap overlap{beliefs_.sorted_limits.size() - passed_, truth.size(), 0};
    if (overlap.predicted > 0) {
      for (const RoiId roi : truth) overlap.common += beliefs_.limits[index_of(roi)] > number ? 1 : 0;
    }
    if (belief_row != kNoRow) {
      overlap.predicted += beliefs_.rois_of(belief_row).size();
      overlap.common += common_rois(truth, beliefs_.rois_of(belief_row));
    }
    if (overlap.predicted == 0) overlap = {1, truth.size(), truth.front() == null_ ? 1U : 0U};
    return overlap;
  }

 private:
  const prior::Beliefs& beliefs_;
  RoiId null_;
  std::size_t passed_ = 0;  // limits at or below the last user
};

}  // namespace hearsay::metric
