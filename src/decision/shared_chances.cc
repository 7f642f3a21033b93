// SPDX-License-Identifier: Apache-2.0
#include "decision/shared_chances.h"

#include <algorithm>

namespace hearsay::decision {

SharedChances::SharedChances(const belief::Shared& shared, double epochs)
    : epochs_(epochs),
      everyone_(shared.everyone),
      users_(shared.users.begin(), shared.users.end()),
      weights_(shared.background.weights.begin(), shared.background.weights.end()),
      all_(shared.background.total),
      apart_users_(shared.apart.users.begin(), shared.apart.users.end()) {
  std::copy_if(weights_.begin(), weights_.end(), std::back_inserter(sorted_), [](double one) { return one > 0; });
  std::sort(sorted_.begin(), sorted_.end());
  sums_.assign(sorted_.size() + 1, 0);
  for (std::size_t i = sorted_.size(); i > 0; --i) sums_[i - 1] = sums_[i] + sorted_[i - 1];
  for (std::size_t row = 0; row < apart_users_.size(); ++row) {
    apart_begins_.push_back(apart_.size());
    for (std::size_t i = shared.apart.begins[row]; i < shared.apart.begins[row + 1]; ++i) {
      apart_.push_back({shared.apart.rois[i], shared.apart_weights[i]});
    }
  }
  apart_begins_.push_back(apart_.size());
}

bool SharedChances::enter(UserId user) {
  while (next_ < users_.size() && users_[next_] < user) ++next_;
  if (!everyone_ && (next_ == users_.size() || users_[next_] != user)) return false;
  while (next_apart_ < apart_users_.size() && apart_users_[next_apart_] < user) ++next_apart_;
  const bool apart = next_apart_ < apart_users_.size() && apart_users_[next_apart_] == user;
  first_ = apart ? apart_begins_[next_apart_] : 0;
  last_ = apart ? apart_begins_[next_apart_ + 1] : 0;
  total_ = all_;
  for (std::size_t i = first_; i < last_; ++i) total_ += apart_[i].weight - weights_[index_of(apart_[i].roi)];
  return total_ > 0;
}

void SharedChances::add(double least, Predicted& predicted) const {
  const double from = least * total_;
  const auto first = std::lower_bound(sorted_.begin(), sorted_.end(), from);
  double number = static_cast<double>(sorted_.end() - first);
  double sum = sums_[static_cast<std::size_t>(first - sorted_.begin())];
  for (std::size_t i = first_; i < last_; ++i) {
    const double usual = weights_[index_of(apart_[i].roi)];
    if (usual > 0 && usual >= from) {
      number -= 1;
      sum -= usual;
    }
    if (apart_[i].weight > 0 && apart_[i].weight >= from) {
      number += 1;
      sum += apart_[i].weight;
    }
  }
  predicted.number += epochs_ * number;
  predicted.chance += epochs_ * sum / total_;
}

}  // namespace hearsay::decision
