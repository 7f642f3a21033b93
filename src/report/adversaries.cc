// SPDX-License-Identifier: Apache-2.0
#include "report/adversaries.h"

#include <algorithm>

namespace hearsay::report {
namespace {

std::vector<GroupMeans> with_trends(const results::MeansByGroup& groups, const Compared& compared) {
  std::vector<GroupMeans> all;
  for (const auto& means : groups) all.push_back(with_trend(means, compared));
  return all;
}

}  // namespace

void Adversaries::take(const results::PeopleFigures& people) {
  const goal::Combination& key = people.row.combination;
  const double error = people.row.error.mean;
  if (key.is_prior()) prior_means_[{key.goal, key.prior}][key.decision] = error;
  if (!people.loss) return;
  const double baseline = prior_means_.at({key.goal, key.prior}).at(results::prior_reading(key));
  auto found = std::find_if(all_.begin(), all_.end(), [&](const Adversary& one) {
    return one.combination.goal == key.goal && one.combination.prior == key.prior;
  });
  if (found == all_.end() || error < found->error) {
    if (found == all_.end()) found = all_.emplace(all_.end());
    *found = {};
    found->error = error;
    // Of some people only, a share, a percentile or a group of them says little of all.
    if (!people.row.sampled()) found->own = people.own;
    if (found->own) found->own_groups = with_trends(found->own->groups, kOwnPart);
  } else if (!same_adversary(found->combination, key) || baseline >= found->baseline_error) {
    return;
  }
  found->combination = key;
  found->baseline_error = baseline;
  found->loss = *people.loss;
  found->loss_groups = with_trends(people.loss->groups, kLoss);
}

}  // namespace hearsay::report
