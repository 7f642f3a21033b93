// SPDX-License-Identifier: Apache-2.0
//
// What could be published without counting anybody in the inference period. A release that is further off tells less.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dataset/observed_counts.h"
#include "release/count_matrix.h"

namespace hearsay::release {

struct Baseline {
  std::string name;
  std::string words;  // "publishing ..."
  // Counts for the inference period, from the observation period alone; none where that is too short.
  std::optional<CountMatrix> (*make)(const dataset::ObservedCounts& observed);
};

// ZEROS: every count is 0.
// LAST_WEEK_COUNTS: the count of the same time in the last week of the observation period; none if it has less than
// one. AVERAGE_WEEK: the mean of the counts of the same hour of the week in the observation period; of the same hour of
// the day, if that has less than a week; none if it has less than a day.
const std::vector<Baseline>& all_baselines();

}  // namespace hearsay::release
