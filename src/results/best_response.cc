// SPDX-License-Identifier: Apache-2.0
#include "results/best_response.h"

#include <map>
#include <tuple>
#include <utility>

namespace hearsay::results {
namespace {

using Draw = std::tuple<std::string, std::string, std::string, std::string, std::size_t>;

Draw draw_of(const goal::Combination& key) {
  return {key.goal, key.prior, key.release, key.parameter, key.repeat};
}

void keep_least(std::optional<Strategy>& best, const SummaryRow& row) {
  if (best && best->error <= row.error.mean) return;
  best = {row.error.mean, row.combination.attack, row.combination.decision};
}

}  // namespace

std::vector<BestResponse> best_responses(const std::vector<SummaryRow>& summary) {
  std::vector<Draw> draws;
  std::map<Draw, std::optional<Strategy>> with;
  std::map<std::pair<std::string, std::string>, std::optional<Strategy>> before;  // by goal and prior
  for (const SummaryRow& row : summary) {
    const goal::Combination& key = row.combination;
    const auto [best, added] = with.try_emplace(draw_of(key));
    if (added) draws.push_back(best->first);
    keep_least(key.uses_release ? best->second : before[{key.goal, key.prior}], row);
  }
  std::vector<BestResponse> all;
  for (const Draw& draw : draws) {
    const auto& [goal, prior, release, parameter, repeat] = draw;
    const std::optional<Strategy>& ignoring = before[{goal, prior}];
    if (!ignoring) continue;
    const std::optional<Strategy>& using_it = with[draw];
    const bool helps = using_it && using_it->error < ignoring->error;
    all.push_back({goal, prior, release, parameter, repeat, *ignoring, helps ? *using_it : *ignoring});
  }
  return all;
}

}  // namespace hearsay::results
