// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/user_rows.h"
#include "belief/beliefs.h"
#include "dataset/visit_store.h"
#include "metric/uniform_distances.h"

namespace hearsay::metric {

// Calls visit(user, truth_row, belief_row) for every user who is active in the truth, in order; belief_row is kNoRow
// where the user is not listed. Time follows the active users, not those listed.
template <typename Visit>
void walk_active(const dataset::EpochVisits& truth, std::span<const UserId> listed, const Visit& visit) {
  std::size_t b = 0;
  for (std::size_t t = 0; t < truth.users.size(); ++t) {
    const UserId user = truth.users[t];
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

// Calls visit(user, truth_row, belief_row) for every user of the range who may have a ROI by the limits of an
// assignment, or is active or listed, in order; a row is kNoRow where the user has none.
template <typename Visit>
void walk_with_limits(const dataset::EpochVisits& truth, const belief::Assignment& assignment, belief::UserRange range,
                      const Visit& visit) {
  std::size_t t = 0;
  std::size_t b = 0;
  const std::span<const UserId> listed = assignment.users;
  const auto next = [](std::span<const UserId> users, std::size_t& row, UserId user) {
    return row < users.size() && users[row] == user ? row++ : kNoRow;
  };
  const std::size_t end = assignment.places.empty()
                              ? std::min<std::size_t>(assignment.highest_limit(), index_of(range.end))
                              : index_of(range.end);
  for (std::size_t u = index_of(range.begin); u < end; ++u) {
    const auto user = static_cast<UserId>(u);
    const std::size_t truth_row = next(truth.users, t, user);
    visit(user, truth_row, next(listed, b, user));
  }
  walk_both(truth.users, listed, visit, t, b);
}

// The rows of an assignment, those of users apart in their stead. Users ascend from call to call.
class AssignedRows {
 public:
  explicit AssignedRows(const belief::Assignment& assignment)
      : assignment_(assignment), apart_(assignment.apart.users) {}
  std::span<const RoiId> rois_of(std::size_t row) {
    const std::size_t apart = apart_.find(assignment_.users[row]);
    return apart == kNoRow ? assignment_.rois_of(row) : assignment_.apart.rois_of(apart);
  }

 private:
  const belief::Assignment& assignment_;
  RowFinder apart_;
};

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

// Reads an assignment user by user, users ascending.
class AssignmentReader {
 public:
  AssignmentReader(const belief::Assignment& assignment, RoiId null_roi)
      : assignment_(assignment), null_(null_roi), apart_(assignment.apart.users) {}

  Overlap read(UserId user, std::span<const RoiId> truth, std::size_t row) {
    if (const std::size_t apart = apart_.find(user); apart != kNoRow) {
      const std::span<const RoiId> rois = assignment_.apart.rois_of(apart);
      return {rois.size(), truth.size(), common_rois(truth, rois)};
    }
    const std::uint32_t place = assignment_.place_of(user);
    Overlap overlap{assignment_.sorted_limits.size() - limits_up_to(place), truth.size(), 0};
    if (overlap.predicted > 0) {
      for (const RoiId roi : truth) overlap.common += assignment_.limits[index_of(roi)] > place ? 1 : 0;
    }
    if (row != kNoRow) {
      overlap.predicted += assignment_.rois_of(row).size();
      overlap.common += common_rois(truth, assignment_.rois_of(row));
    }
    if (overlap.predicted == 0) overlap = {1, truth.size(), truth.front() == null_ ? 1U : 0U};
    return overlap;
  }

 private:
  // How many limits are at or below a place: where places ascend, a few more than the last time.
  std::size_t limits_up_to(std::uint32_t place) {
    const std::span<const std::uint32_t> limits = assignment_.sorted_limits;
    if (!assignment_.places.empty()) {
      return static_cast<std::size_t>(std::upper_bound(limits.begin(), limits.end(), place) - limits.begin());
    }
    while (passed_ < limits.size() && limits[passed_] <= place) ++passed_;
    return passed_;
  }

  const belief::Assignment& assignment_;
  RoiId null_;
  RowFinder apart_;
  std::size_t passed_ = 0;
};

// Calls visit(user, row of the truth or kNoRow, overlap with, overlap without) for the users apart in `without`, which
// otherwise is `with`.
template <typename Visit>
void walk_apart(const dataset::EpochVisits& truth, const belief::Assignment& with, const belief::Assignment& without,
                RoiId null_roi, const Visit& visit) {
  const auto row_of = [](std::span<const UserId> users, UserId user) {
    const auto found = std::lower_bound(users.begin(), users.end(), user);
    return found == users.end() || *found != user ? kNoRow : static_cast<std::size_t>(found - users.begin());
  };
  AssignmentReader before(with, null_roi);
  AssignmentReader after(without, null_roi);
  for (const UserId user : without.apart.users) {
    const std::size_t active = row_of(truth.users, user);
    const std::size_t row = row_of(with.users, user);
    const std::span<const RoiId> rois = active == kNoRow ? std::span(&null_roi, 1) : truth.rois_of(active);
    visit(user, active, before.read(user, rois, row), after.read(user, rois, row));
  }
}

}  // namespace hearsay::metric
