// SPDX-License-Identifier: Apache-2.0
#include "trajectory/steps.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "base/errors.h"
#include "trajectory/transport.h"

namespace hearsay::trajectory {

std::int64_t fixed_cost(double cost) {
  return std::llround(cost * kCostUnit);
}

void check_ways(std::size_t ways) {
  if (ways <= kMostWays) return;
  throw ConfigError("study.goals", "trajectories",
                    fmt::format("people are spread over so many places that there are more than {} ways to go in an "
                                "epoch; use larger places, or fewer people (data.users)",
                                kMostWays));
}

std::uint32_t Scene::second_of_day(std::size_t epoch) const {
  constexpr std::uint64_t kDay = 86400;
  return static_cast<std::uint32_t>((first_second + std::uint64_t{epoch} * epoch_seconds) % kDay);
}

Groups::Groups(std::span<const std::uint64_t> keys) {
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> group(keys.size());
  begins_.push_back(0);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto [found, is_new] = numbers.try_emplace(keys[i], static_cast<std::uint32_t>(numbers.size()));
    if (is_new) begins_.push_back(0);
    group[i] = found->second;
    ++begins_[group[i] + 1];
  }
  for (std::size_t g = 0; g + 1 < begins_.size(); ++g) begins_[g + 1] += begins_[g];
  std::vector<std::uint32_t> next = begins_;
  members_.resize(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) members_[next[group[i]]++] = static_cast<std::uint32_t>(i);
}

void fill_first(std::span<const Crowd> crowds, std::span<std::uint32_t> places) {
  std::size_t person = 0;
  for (const Crowd& crowd : crowds) {
    for (std::uint32_t i = 0; i < crowd.people; ++i) places[person++] = crowd.place;
  }
}

void step(const Groups& groups, const std::vector<std::vector<Choice>>& choices,
          std::span<const std::int64_t> elsewhere, std::span<const Crowd> crowds, std::span<std::uint32_t> places) {
  // Whoever goes to none of its choices goes by way of a hub, from which every crowd is free: two ways in the place of
  // one for each group and crowd.
  const bool has_hub = !elsewhere.empty();
  const std::size_t hub = groups.size();
  const std::size_t first_crowd = hub + (has_hub ? 1 : 0);
  std::vector<std::int64_t> supply(first_crowd + crowds.size());
  std::vector<Way> ways;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    supply[g] = static_cast<std::int64_t>(groups.members(g).size());
    for (const Choice& choice : choices[g]) {
      ways.push_back(
          {static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(first_crowd + choice.crowd), choice.cost});
    }
    if (has_hub) ways.push_back({static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(hub), elsewhere[g]});
  }
  for (std::size_t c = 0; c < crowds.size(); ++c) {
    supply[first_crowd + c] = -static_cast<std::int64_t>(crowds[c].people);
    if (has_hub) ways.push_back({static_cast<std::uint32_t>(hub), static_cast<std::uint32_t>(first_crowd + c), 0});
  }
  const std::vector<std::int64_t> flow = cheapest_flow(supply, ways);

  // Those from the hub, crowd by crowd.
  std::size_t from_hub = 0;
  while (from_hub < ways.size() && ways[from_hub].from != hub) ++from_hub;
  std::int64_t left = has_hub && from_hub < ways.size() ? flow[from_hub] : 0;
  std::size_t way = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::size_t member = 0;
    for (; way < ways.size() && ways[way].from == g; ++way) {
      for (std::int64_t i = 0; i < flow[way]; ++i) {
        std::size_t crowd = ways[way].to - first_crowd;
        if (has_hub && ways[way].to == hub) {
          while (left == 0) left = flow[++from_hub];
          --left;
          crowd = ways[from_hub].to - first_crowd;
        }
        places[groups.members(g)[member++]] = crowds[crowd].place;
      }
    }
  }
}

}  // namespace hearsay::trajectory
