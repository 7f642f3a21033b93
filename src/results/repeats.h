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

// One mechanism and parameter over all its repeats.
struct ReleaseMeans {
  std::string release;
  std::string parameter;
  release::Guarantee guarantee;
  std::size_t repeats = 0;
  Interval mre;
  Interval mre_per_roi;
  Interval mae;
  Interval top10_overlap;
  Interval suppressed;
};

std::vector<ReleaseMeans> means_over_repeats(const std::vector<goal::ReleaseResult>& releases);

}  // namespace hearsay::results
