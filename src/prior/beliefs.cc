// SPDX-License-Identifier: Apache-2.0
#include "prior/beliefs.h"

#include <numeric>

#include "base/table_position.h"

namespace hearsay::prior {

double row_total(std::span<const RoiId> rois, std::span<const double> weights) {
  if (weights.empty()) return static_cast<double>(rois.size());
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

Beliefs Beliefs::rows(std::size_t first, std::size_t count) const {
  Beliefs part = *this;
  part.users = users.subspan(first, count);
  if (!begins.empty()) part.begins = begins.subspan(first, count + 1);
  if (!totals.empty()) part.totals = totals.subspan(first, count);
  return part;
}

void BeliefTable::clear() {
  users.clear();
  begins.clear();
  rois.clear();
  weights.clear();
  totals.clear();
}

void BeliefTable::add(UserId user, RoiId roi, double weight) {
  if (users.empty() || users.back() != user) {
    users.push_back(user);
    begins.push_back(table_position(rois.size()));
  }
  rois.push_back(roi);
  weights.push_back(weight);
}

void BeliefTable::append(const BeliefTable& next) {
  users.insert(users.end(), next.users.begin(), next.users.end());
  table_position(rois.size() + next.rois.size());  // or none of the sums below holds
  const std::uint32_t offset = table_position(rois.size());
  for (const std::uint32_t begin : next.begins) begins.push_back(offset + begin);
  rois.insert(rois.end(), next.rois.begin(), next.rois.end());
  weights.insert(weights.end(), next.weights.begin(), next.weights.end());
}

void BeliefTable::close() {
  begins.push_back(table_position(rois.size()));
}

Beliefs BeliefTable::rows() const {
  Beliefs beliefs;
  beliefs.users = users;
  beliefs.begins = begins;
  beliefs.rois = rois;
  beliefs.weights = weights;
  beliefs.totals = totals;
  return beliefs;
}

Beliefs BeliefTable::shared(const Background& background) const {
  Beliefs beliefs;
  beliefs.users = users;
  beliefs.background = &background;
  return beliefs;
}

}  // namespace hearsay::prior
