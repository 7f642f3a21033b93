// SPDX-License-Identifier: Apache-2.0
//
// From one epoch to the next: people who cannot be told apart are one group, so that a step is a transport problem
// between groups and places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trajectory/method.h"

namespace hearsay::trajectory {

// Costs are in fixed point, so that they add up exactly.
inline constexpr double kCostUnit = 1e6;
std::int64_t fixed_cost(double cost);

// Ways from groups to crowds that one step may have: some 150 bytes each.
inline constexpr std::size_t kMostWays = 10'000'000;
// Throws ConfigError where there are more.
void check_ways(std::size_t ways);

// Going to a place costs a group so much.
struct Choice {
  std::uint32_t crowd = 0;  // by its number in the epoch stepped into
  std::int64_t cost = 0;
};

// Groups of people, by person; numbers without gaps. The members of a group are in order of their numbers.
class Groups {
 public:
  // By equal keys, in order of first appearance.
  explicit Groups(std::span<const std::uint64_t> keys);
  std::size_t size() const { return begins_.size() - 1; }
  std::span<const std::uint32_t> members(std::size_t group) const {
    return std::span(members_).subspan(begins_[group], begins_[group + 1] - begins_[group]);
  }

 private:
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> members_;
};

// Sends groups to crowds at the least cost in all, and each member to one, the first members to the first crowds.
// choices[g]: what group g may choose, at most one for each crowd; every other crowd costs it elsewhere[g], which is no
// less than any of its choices. Empty elsewhere: every choice is there. `places`: by person.
void step(const Groups& groups, const std::vector<std::vector<Choice>>& choices,
          std::span<const std::int64_t> elsewhere, std::span<const Crowd> crowds, std::span<std::uint32_t> places);

// People in order of places.
void fill_first(std::span<const Crowd> crowds, std::span<std::uint32_t> places);

}  // namespace hearsay::trajectory
