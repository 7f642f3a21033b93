// SPDX-License-Identifier: Apache-2.0
//
// The game of NDSS 2018 for one target: groups she practises on, groups she is asked about, and how well she tells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dataset/dataset.h"
#include "membership/distinguisher.h"

namespace hearsay::reproduction {

inline constexpr std::size_t kWeeks = 3;  // two that are past and the one asked about
inline constexpr std::size_t kHours = 168;

// Where everybody was, week by week: cells of a grid of places and the hours of a week, ascending.
struct Weeks {
  using Trace = std::vector<std::uint32_t>;

  // Of the first kWeeks weeks of a study in hours.
  explicit Weeks(const dataset::Dataset& dataset, std::size_t threads);
  std::size_t users() const { return places_visited.size(); }

  membership::Grid grid;
  std::vector<std::vector<Trace>> traces;      // by week and user
  std::vector<std::vector<double>> everybody;  // by week: counts of all
  std::vector<std::uint32_t> places_visited;   // by user: how many different ones
};

enum class Prior {
  kSubset,     // where a fifth of all people were in the week asked about, the target among them
  kSame,       // counts of the groups she is asked about, in the weeks before, and whether the target was in them
  kDifferent,  // the same of other groups
};
const std::string& prior_name(Prior prior);

struct Setting {
  Prior prior = Prior::kSubset;
  std::size_t group = 0;     // people in it
  std::size_t practice = 0;  // groups to learn from, half of them with the target
  std::size_t tests = 0;     // groups to tell, half of them with the target; kSame: the same groups
};

// Whether the data has people enough for groups of this size.
bool has_room(const Setting& setting, std::size_t users);

// Areas under the curve.
struct Areas {
  double learned = 0;
  double likelihood = 0;
};

// The same for the same seed, setting and target.
Areas play(const Weeks& weeks, const Setting& setting, std::uint32_t target, std::uint64_t seed);

// `each` people from each third by the number of places visited, drawn at random, in the order of their numbers.
std::vector<std::uint32_t> targets_by_mobility(const Weeks& weeks, std::size_t each, std::uint64_t seed);

}  // namespace hearsay::reproduction
