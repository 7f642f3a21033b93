// SPDX-License-Identifier: Apache-2.0
#include "trajectory/whole_people.h"

#include <algorithm>
#include <cmath>

namespace hearsay::trajectory {

std::vector<Crowd> whole_people(const release::EpochCounts& counts, std::size_t people, std::size_t unseen) {
  const auto null = static_cast<std::uint32_t>(counts.dense.size() - 1);
  double total = 0;
  for (const RoiId roi : counts.rois) {
    if (index_of(roi) != null) total += counts.dense[index_of(roi)];
  }
  const double all = static_cast<double>(people);
  const double in_null = counts.dense[null] - static_cast<double>(unseen);
  const auto nowhere = total > 0 ? static_cast<std::size_t>(std::clamp(std::round(in_null), 0.0, all)) : people;

  struct Remainder {
    double part;
    std::size_t row;
  };
  std::vector<Crowd> crowds;
  std::vector<Remainder> remainders;
  std::size_t left = people - nowhere;
  for (const RoiId roi : counts.rois) {
    if (index_of(roi) == null || left == 0) continue;
    const double share = counts.dense[index_of(roi)] / total * static_cast<double>(people - nowhere);
    const double whole = std::floor(share);
    remainders.push_back({share - whole, crowds.size()});
    crowds.push_back({static_cast<std::uint32_t>(index_of(roi)), static_cast<std::uint32_t>(whole)});
  }
  for (const Crowd& crowd : crowds) left -= std::min<std::size_t>(left, crowd.people);
  std::stable_sort(remainders.begin(), remainders.end(),
                   [](const Remainder& a, const Remainder& b) { return a.part > b.part; });
  // Never more than one each, but for what rounding of the shares leaves.
  for (std::size_t i = 0; left > 0; ++i, --left) ++crowds[remainders[i % remainders.size()].row].people;
  std::erase_if(crowds, [](const Crowd& crowd) { return crowd.people == 0; });
  if (nowhere > 0) crowds.push_back({null, static_cast<std::uint32_t>(nowhere)});
  return crowds;
}

}  // namespace hearsay::trajectory
