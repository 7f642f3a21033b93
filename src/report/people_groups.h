// SPDX-License-Identifier: Apache-2.0
//
// For whom: mean loss by groups of people who have something in common.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hearsay::report {

struct Group {
  std::optional<double> from;  // none in the first group and
  std::optional<double> to;    // none in the last, where it would be one person's own number
  std::size_t users = 0;
  double loss = 0;  // mean
};

// How the loss goes from the first group to the last.
enum class Trend { kRises, kFalls, kNone };

struct Grouping {
  std::string title;
  std::string unit;
  std::vector<Group> groups;
  Trend trend = Trend::kNone;
  bool every_step = false;  // the trend has no exception
};

// Users in order of `values`, cut at every tenth of them. Equal values are in one group, and a group has at least
// `least` people, so there may be fewer than ten; none where there are fewer people than that.
Grouping group_people(std::string title, std::string unit, const std::vector<double>& values,
                      const std::vector<double>& losses, std::size_t least);

// The grouping with the clearest difference, or that there is no pattern. Empty where there are no groups to compare.
std::string whom_sentence(const std::vector<Grouping>& groupings);

const char* trend_name(Trend trend);

}  // namespace hearsay::report
