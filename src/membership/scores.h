// SPDX-License-Identifier: Apache-2.0
//
// How well scores tell groups with a target from groups without, and how sure that is.
#pragma once

#include <span>
#include <vector>

namespace hearsay::membership {

// A number and its 95% interval.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

// Whether the groups of one number, with and without the target, have the same others: those are not compared.
enum class Groups { kApart, kPaired };

// The chance that a group with the target scores higher than one without, ties half. Scores may be infinite.
// The interval: DeLong's variance on the logit, which for groups in pairs is rather too wide; where no group is on the
// wrong side, the exact one of that many pairs of groups.
Estimate area_under_curve(std::span<const double> with, std::span<const double> without,
                          Groups groups = Groups::kApart);

// The share of groups with the target that score above all but a share `false_positives` of those without, with the
// interval of Clopper and Pearson. Not a number where there are too few groups without to tell.
Estimate true_positive_rate(std::span<const double> with, std::span<const double> without, double false_positives);

// Limits of a proportion, `successes` of `trials`, each of which is wrong with probability `risk` at most (Clopper,
// Pearson 1934).
double least_proportion(std::size_t successes, std::size_t trials, double risk);
double most_proportion(std::size_t successes, std::size_t trials, double risk);

}  // namespace hearsay::membership
