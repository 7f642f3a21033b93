// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "dataset/visit_store.h"
#include "prior/beliefs.h"

namespace hearsay::metric {

inline constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

// Calls visit(user, truth_row, belief_row) for every user who is active in the truth or listed in the beliefs, in
// order; a row is kNoRow where the user has none. All other users are in null and believed to have the common row.
template <typename Visit>
void walk_users(const dataset::EpochVisits& truth, const prior::Beliefs& beliefs, const Visit& visit) {
  std::size_t t = 0;
  std::size_t b = 0;
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

}  // namespace hearsay::metric
