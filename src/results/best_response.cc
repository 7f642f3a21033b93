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

void keep_least(std::optional<Strategy>& best, double error, const goal::Combination& key, double half_width = 0,
                std::size_t people = 0) {
  if (best && best->error <= error) return;
  best = {error, key.attack, key.decision, half_width, people};
}

// The better of using a release and ignoring it.
Strategy better(const std::optional<Strategy>& using_it, const Strategy& ignoring) {
  return using_it && using_it->error < ignoring.error ? *using_it : ignoring;
}

}  // namespace

std::vector<BestResponse> best_responses(const std::vector<SummaryRow>& summary) {
  std::vector<Draw> draws;
  struct Best {
    std::optional<Strategy> with;
    std::optional<Strategy> without;
    std::optional<Strategy> paper;
  };
  std::map<Draw, Best> using_it;
  // By goal and prior: of all, and of the paper's.
  std::map<std::pair<std::string, std::string>, std::pair<std::optional<Strategy>, std::optional<Strategy>>> before;
  for (const SummaryRow& row : summary) {
    const goal::Combination& key = row.combination;
    const auto [best, added] = using_it.try_emplace(draw_of(key));
    if (added) draws.push_back(best->first);
    if (!key.uses_release) {
      auto& [all, papers] = before[{key.goal, key.prior}];
      keep_least(all, row.error.mean, key);
      if (key.paper) keep_least(papers, row.error.mean, key);
      continue;
    }
    keep_least(best->second.with, row.error.mean, key);
    if (key.paper) keep_least(best->second.paper, row.error.mean, key);
    if (row.control) {
      const std::size_t people = row.sampled() ? row.control->users : 0;
      keep_least(best->second.without, row.control->without.mean, key, row.control->half_width, people);
    }
  }
  std::vector<BestResponse> all;
  for (const Draw& draw : draws) {
    const auto& [goal, prior, release, parameter, repeat] = draw;
    const auto& [ignoring, paper_ignoring] = before[{goal, prior}];
    if (!ignoring) continue;
    const Best& best = using_it[draw];
    const std::optional<Strategy> without =
        best.without ? std::optional(better(best.without, *ignoring)) : std::nullopt;
    const std::optional<Strategy> paper =
        best.paper && paper_ignoring ? std::optional(better(best.paper, *paper_ignoring)) : std::nullopt;
    all.push_back({goal, prior, release, parameter, repeat, *ignoring, without, better(best.with, *ignoring), paper});
  }
  return all;
}

}  // namespace hearsay::results
