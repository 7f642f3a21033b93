// SPDX-License-Identifier: Apache-2.0
//
// Noise is drawn several times; these are the means over the draws and how sure they are.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "goal/releases.h"
#include "results/summary.h"

namespace hearsay::results {

// A mean and its 95% confidence interval by Student's t; no width for a single draw.
struct Interval {
  double mean = 0;
  std::optional<double> half_width;
  std::optional<double> low() const { return half_width ? std::optional(mean - *half_width) : std::nullopt; }
  std::optional<double> high() const { return half_width ? std::optional(mean + *half_width) : std::nullopt; }
};

Interval interval_of(std::span<const double> draws);

// One combination over all its repeats.
struct MeanRow {
  goal::Combination combination;  // repeat does not count
  std::size_t repeats = 0;
  std::optional<Interval> error;
  std::optional<Interval> loss;
  std::optional<Interval> gain;
  std::optional<Interval> own;  // what being counted costs
};

// In the order the combinations first appear.
std::vector<MeanRow> means_over_repeats(const std::vector<SummaryRow>& summary);

// One of the measures of utility over all repeats; none where a repeat has none.
struct MeanNumber {
  std::string name;
  std::optional<Interval> value;
};

// One mechanism and parameter over all its repeats, or a baseline.
struct ReleaseMeans {
  std::string release;
  std::string parameter;
  release::Guarantee guarantee;
  std::size_t repeats = 0;
  Interval mre;
  Interval mae;
  Interval top10_overlap;
  std::vector<MeanNumber> numbers;  // these and all others, as release::numbers_of has them
  std::string baseline;             // of a baseline: what it is in words
  // Of the mean MRE, and of the mean MAE, as nearer_baseline says.
  std::string worse_than;
  std::string worse_than_mae;
};

// The baseline among `releases` that has the least of a number, MRE or MAE, where that is less than `value`: a release
// with that value is further off. Empty where there is none.
std::string nearer_baseline(const std::vector<goal::ReleaseResult>& releases, double release::Utility::*number,
                            double value);

// In the order of `releases`.
std::vector<ReleaseMeans> means_over_repeats(const std::vector<goal::ReleaseResult>& releases);

}  // namespace hearsay::results
