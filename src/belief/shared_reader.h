// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/user_rows.h"
#include "belief/beliefs.h"

namespace hearsay::belief {

// The weights that a shared distribution has for users who ascend from call to call.
class SharedReader {
 public:
  explicit SharedReader(const Shared& shared) : shared_(shared), apart_(shared.apart.users) {}

  // To be called before the others, for each user.
  void enter(UserId user) {
    row_ = apart_.find(user);
    total_ = shared_.background.total;
    for (std::size_t i = begin(); i < end(); ++i) total_ += shared_.apart_weights[i] - usual(i);
  }
  // At or below 0: she is believed in null.
  double total() const { return total_; }
  double weight(RoiId roi) const {
    const std::span<const RoiId> rois = shared_.apart.rois.subspan(begin(), end() - begin());
    const auto found = std::lower_bound(rois.begin(), rois.end(), roi);
    if (found == rois.end() || *found != roi) return shared_.background.weights[index_of(roi)];
    return shared_.apart_weights[begin() + static_cast<std::size_t>(found - rois.begin())];
  }
  // How many more places hold, of those that weigh something else for the user.
  template <typename Holds>
  std::int64_t more(const Holds& holds) const {
    std::int64_t sum = 0;
    for (std::size_t i = begin(); i < end(); ++i) {
      sum += (holds(shared_.apart_weights[i]) ? 1 : 0) - (holds(usual(i)) ? 1 : 0);
    }
    return sum;
  }

 private:
  std::size_t begin() const { return row_ == kNoRow ? 0 : shared_.apart.begins[row_]; }
  std::size_t end() const { return row_ == kNoRow ? 0 : shared_.apart.begins[row_ + 1]; }
  double usual(std::size_t i) const { return shared_.background.weights[index_of(shared_.apart.rois[i])]; }

  const Shared& shared_;
  RowFinder apart_;
  std::size_t row_ = kNoRow;
  double total_ = 0;
};

// Calls take(user) for the users apart who are not among `users`.
template <typename Take>
void for_others_apart(const Shared& shared, std::span<const UserId> users, const Take& take) {
  RowFinder there(users);
  for (const UserId user : shared.apart.users) {
    if (there.find(user) == kNoRow) take(user);
  }
}

}  // namespace hearsay::belief
