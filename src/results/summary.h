// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "goal/combination.h"
#include "results/ordered.h"

namespace hearsay::results {

// Errors that differ by less are equal but for rounding: two attacks may infer the same by different sums.
inline constexpr double kRounding = 1e-12;

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
// `deviation`: as it is to be told, for it takes a second look at the numbers.
Distribution distribution_of(const Ordered& numbers, double mean, double deviation);
Distribution distribution_of(std::span<const double> values);

// max(0, own / without): the share of her error on the counts of the others that being counted takes away.
double own_loss(double own, double without);

// What the same adversary gets wrong about people on counts that leave out each in turn.
struct Control {
  std::size_t users = 0;               // those measured so: everybody, or a sample
  Distribution without;                // error on the counts of the others; of a sample, the mean is error + own
  Distribution own;                    // without - with, signed: what being counted costs
  double own_clipped = 0;              // mean of max(0, own)
  double own_loss = 0;                 // mean of max(0, own / without)
  double counted = 0;                  // share of the people whose error is lower because they are counted
  double half_width = 0;               // of the means, 95%; 0 where everybody was measured
  std::optional<double> loss_without;  // mean privacy loss on the counts of the others; against a prior only
};

// Errors over the epochs in which a person was somewhere, of the people who were in any.
struct ActiveErrors {
  std::size_t users = 0;
  double mean = 0;
  std::optional<double> without;  // the same on the counts of the others
};

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
  std::optional<Control> control;   // none where the study has none
  std::optional<ActiveErrors> active;

  // People were taken out of the data one by one, and not all of them.
  bool sampled() const { return control && control->users < users; }
};

// The reading of the prior that a row is compared with: POP for the baseline PRIOR/POP, empty for profiling.
std::string prior_reading(const goal::Combination& key);

}  // namespace hearsay::results
