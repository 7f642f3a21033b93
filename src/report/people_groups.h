// SPDX-License-Identifier: Apache-2.0
//
// For whom: means by groups of people who have something in common.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/people_groups.h"

namespace hearsay::report {

// How means go from the first group to the last.
enum class Trend { kRises, kFalls, kNone };

struct GroupMeans {
  std::vector<std::optional<double>> means;  // by group
  Trend trend = Trend::kNone;
  bool every_step = false;  // the trend has no exception
};

// What is compared between groups: own parts, or losses of privacy.
struct Compared {
  const char* words;  // what a sentence calls it
  double alike;       // means that differ by less are alike
  bool percent;
};
inline constexpr Compared kOwnPart = {"what being counted costs", 0.0005, false};
inline constexpr Compared kLoss = {"the paper's mean loss", 0.02, true};

// The trend that there is in the means of groups.
GroupMeans with_trend(std::vector<std::optional<double>> means, const Compared& compared);

// By group; `values` are what users are grouped by, `numbers` theirs.
std::vector<double> group_medians(const results::PeopleGroups& groups, std::span<const double> values,
                                  std::span<const double> numbers);

// The grouping with the clearest difference, or that there is no pattern; `means` of each. Empty where there are no
// groups to compare.
std::string whom_sentence(const std::vector<results::PeopleGroups>& groupings, const std::vector<GroupMeans>& means,
                          const Compared& compared);

const char* trend_name(Trend trend);

}  // namespace hearsay::report
