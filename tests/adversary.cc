// SPDX-License-Identifier: Apache-2.0
#include "adversary.h"

#include <algorithm>

namespace hearsay {
namespace {

void expand_row(const belief::Rows& rows, std::size_t row, std::vector<double>& own) {
  const auto rois = rows.rois_of(row);
  const auto weights = rows.weights_of(row);
  for (std::size_t i = 0; i < rois.size(); ++i) {
    own[index_of(rois[i])] = (weights.empty() ? 1 : weights[i]) / rows.total_of(row);
  }
}

void expand_row(const belief::Shared& shared, std::size_t, std::vector<double>& own) {
  for (std::size_t s = 0; s < own.size(); ++s) own[s] = shared.background.weights[s] / shared.background.total;
}

void expand_row(const belief::Assignment& assignment, std::size_t row, std::vector<double>& own) {
  for (const RoiId roi : assignment.rois_of(row)) own[index_of(roi)] = 1;
}

void expand_row(const belief::Rates& rates, std::size_t row, std::vector<double>& own) {
  std::copy(rates.elsewhere.begin(), rates.elsewhere.end(), own.begin());
  for (std::size_t i = rates.begins[row]; i < rates.begins[row + 1]; ++i) {
    own[index_of(rates.rois[i])] = rates.chances[i];
  }
}

}  // namespace

void expand(const belief::Beliefs& beliefs, belief::UserRange range, const dataset::Crowd& crowd, DenseBeliefs& rows) {
  const auto users = belief::users_of(beliefs);
  for (std::size_t user = index_of(range.begin); user < index_of(range.end); ++user) {
    std::vector<double> own(crowd.rois);
    const auto id = static_cast<UserId>(user);
    const auto found = std::lower_bound(users.begin(), users.end(), id);
    if (found != users.end() && *found == id) {
      std::visit([&](const auto& kind) { expand_row(kind, static_cast<std::size_t>(found - users.begin()), own); },
                 beliefs);
    } else if (const auto* shared = std::get_if<belief::Shared>(&beliefs); shared != nullptr && shared->everyone) {
      expand_row(*shared, 0, own);
    } else if (const auto* rates = std::get_if<belief::Rates>(&beliefs)) {
      std::copy(rates->elsewhere.begin(), rates->elsewhere.end(), own.begin());
    }
    if (const auto* assignment = std::get_if<belief::Assignment>(&beliefs)) {
      for (std::size_t s = 0; s < assignment->limits.size(); ++s) {
        if (assignment->place_of(id) < assignment->limits[s]) own[s] = 1;
      }
    }
    if (std::all_of(own.begin(), own.end(), [](double p) { return p == 0; })) own.back() = 1;
    rows[user] = std::move(own);
  }
}

DenseBeliefs expanded(const belief::Beliefs& beliefs, const dataset::Crowd& crowd) {
  DenseBeliefs rows(crowd.users);
  expand(beliefs, {UserId{0}, static_cast<UserId>(crowd.users)}, crowd, rows);
  return rows;
}

Adversary::Adversary(const attack::AttackEntry& entry, const belief::Series& prior, const release::Release& release,
                     const dataset::Crowd& crowd, const BlockSizes& blocks)
    : prior_(prior), release_(release), crowd_(crowd), blocks_(blocks), attack_(entry.create()) {
  const goal::Summaries summaries = goal::summarise(*attack_, prior, crowd, 1, blocks);
  plans_ = goal::make_plans(*attack_, summaries, prior, release::Published(release), crowd, 1);
}

DenseBeliefs Adversary::at(EpochId epoch) {
  DenseBeliefs rows(crowd_.users);
  at(epoch, [&](belief::UserRange range, const belief::Beliefs& beliefs) { expand(beliefs, range, crowd_, rows); });
  return rows;
}

}  // namespace hearsay
