// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "dataset/visit_store.h"
#include "prior/beliefs.h"

namespace hearsay::metric {

inline constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

// Calls visit(user, truth_row, belief_row) for every user who is active in the truth, listed in the beliefs or covered
// by their limits, in order; a row is kNoRow where the user has none. All other users are in null and believed to have
// the common row.
template <typename Visit>
void walk_users(const dataset::EpochVisits& truth, const prior::Beliefs& beliefs, const Visit& visit) {
  std::size_t t = 0;
  std::size_t b = 0;
  for (std::uint32_t u = 0; u < beliefs.covered(); ++u) {
    const auto user = static_cast<UserId>(u);
    const bool active = t < truth.users.size() && truth.users[t] == user;
    const bool listed = b < beliefs.users.size() && beliefs.users[b] == user;
    visit(user, active ? t++ : kNoRow, listed ? b++ : kNoRow);
  }
  while (t < truth.users.size() || b < beliefs.users.size()) {
    if (b == beliefs.users.size() || (t < truth.users.size() && truth.users[t] < beliefs.users[b])) {
      visit(truth.users[t], t, kNoRow);
      ++t;
    } else if (t == truth.users.size() || beliefs.users[b] < truth.users[t]) {
      visit(beliefs.users[b], kNoRow, b);
      ++b;
    } else {
      visit(truth.users[t], t, b);
      ++t;
      ++b;
    }
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
