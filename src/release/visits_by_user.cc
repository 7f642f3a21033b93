// SPDX-License-Identifier: Apache-2.0
#include "release/visits_by_user.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace hearsay::release {
namespace {

template <typename Take>
void for_all(const dataset::Truth& truth, const Take& take) {
  for (std::uint32_t e = 0; e < truth.epochs(); ++e) {
    const dataset::EpochVisits epoch = truth.at(static_cast<EpochId>(e));
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      for (const RoiId roi : epoch.rois_of(row)) take(index_of(epoch.users[row]), VisitsByUser::Visit{e, roi});
    }
  }
}

}  // namespace

VisitsByUser::VisitsByUser(const Draft& draft) : begins_(draft.users() + 1) {
  const dataset::Truth& truth = draft.visits();
  for_all(truth, [&](std::size_t user, Visit) { ++begins_[user + 1]; });
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  visits_.resize(begins_.back());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  for_all(truth, [&](std::size_t user, Visit visit) { visits_[next[user]++] = visit; });
}

std::uint64_t largest_number_of_visits(const Draft& draft) {
  return draft.answers() != nullptr ? draft.answers()->most_visits : most_visits(draft).most_visits;
}

Answers most_visits(const Draft& draft) {
  std::vector<std::uint64_t> visits(draft.users() + 2);
  for (std::size_t e = 0; e < draft.visits().epochs(); ++e) {
    const dataset::EpochVisits epoch = draft.visits().at(static_cast<EpochId>(e));
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      visits[index_of(epoch.users[row])] += epoch.rois_of(row).size();
    }
  }
  std::partial_sort(visits.begin(), visits.begin() + 2, visits.end(), std::greater<>());
  return {std::nullopt, visits[0], visits[1]};
}

}  // namespace hearsay::release
