// SPDX-License-Identifier: Apache-2.0
#include "prior/beliefs.h"

#include <numeric>

namespace hearsay::prior {

double row_total(std::span<const RoiId> rois, std::span<const double> weights) {
  if (weights.empty()) return static_cast<double>(rois.size());
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

void BeliefTable::clear() {
  users.clear();
  begins.clear();
  rois.clear();
  weights.clear();
}

void BeliefTable::add(UserId user, RoiId roi, double weight) {
  if (users.empty() || users.back() != user) {
    users.push_back(user);
    begins.push_back(static_cast<std::uint32_t>(rois.size()));
  }
  rois.push_back(roi);
  weights.push_back(weight);
}

void BeliefTable::close() {
  begins.push_back(static_cast<std::uint32_t>(rois.size()));
}

Beliefs BeliefTable::rows() const {
  Beliefs beliefs;
  beliefs.users = users;
  beliefs.begins = begins;
  beliefs.rois = rois;
  beliefs.weights = weights;
  return beliefs;
}

Beliefs BeliefTable::shared(const Background& background) const {
  Beliefs beliefs;
  beliefs.users = users;
  beliefs.background = &background;
  return beliefs;
}

}  // namespace hearsay::prior
