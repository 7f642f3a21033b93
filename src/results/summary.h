// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "goal/combination.h"

namespace hearsay::results {

// A sample of numbers. None of it depends on their order.
struct Distribution {
  double mean = 0;
  double deviation = 0;  // standard deviation of the population (divided by n)
  double p05 = 0;        // percentiles, linear between neighbours as NumPy has them
  double p25 = 0;
  double p50 = 0;
  double p75 = 0;
  double p95 = 0;
};

// Does not depend on the order.
double mean_of(std::span<const double> values);
Distribution distribution_of(std::span<const double> values);
Distribution distribution_of_sorted(std::span<const double> sorted);

// The value below which a share of `sorted` lies, linear between neighbours.
double percentile(std::span<const double> sorted, double share);

// One row of summary.csv.
struct SummaryRow {
  std::string dataset;
  goal::Combination combination;
  std::size_t users = 0;
  Distribution error;
  std::optional<double> loss_mean;  // both: against a prior only
  std::optional<double> loss_signed_mean;
  std::optional<double> gain_mean;  // against the raw release only
  std::optional<double> improved;   // share of users whose error is lower than the baseline's; none without one
};

// The reading of the prior that a row is compared with: POP for the baseline PRIOR/POP, empty for profiling.
std::string prior_reading(const goal::Combination& key);

// `users`: the measurement by user of an inference.
SummaryRow summarize(const std::string& dataset, const goal::Combination& combination, const goal::Measurement& users);

}  // namespace hearsay::results
