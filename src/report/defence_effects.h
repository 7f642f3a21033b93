// SPDX-License-Identifier: Apache-2.0
//
// What a defence does to the adversaries it was tried against.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "goal/releases.h"
#include "metric/metric.h"
#include "results/repeats.h"
#include "results/summary.h"

namespace hearsay::report {

// What being counted costs, as best responses have it: mean over goals and priors.
struct OwnUnderDefence {
  // Over draws of the noise and, where people were sampled, over those: the two half widths as if independent.
  results::Interval left;
  double raw = 0;  // on the raw counts, by the same attacks
};

// One goal and prior against a defence: best responses by the attacks that it was tried against, means over repeats.
struct DefendedResponse {
  std::string goal;
  std::string prior;
  double before = 0;              // error without the release
  std::optional<double> without;  // on counts that leave each person out; none without a control
  double with = 0;
  std::optional<results::Interval> own;  // without - with, as in OwnUnderDefence
  std::optional<double> own_raw;         // on the raw counts, by the same attacks
  std::optional<double> own_bound;       // what the guarantee allows; none where it hides less than a user
  std::vector<std::pair<std::string, std::string>> strategies;  // attack and decision, each that is best in a repeat
  // Whether, of its goal, no other prior tried errs less under the defence, and on the raw counts; one of each goal.
  bool strongest = false;
  bool strongest_raw = false;
};

// In the order of the summary; empty where nobody was tried against it.
std::vector<DefendedResponse> defended_responses(const results::ReleaseMeans& release,
                                                 const std::vector<results::SummaryRow>& summary,
                                                 const metric::Options& options);

// A defence against the adversaries it was tried against. Intervals are over repeats.
struct TriedDefence {
  results::ReleaseMeans release;
  results::Interval gain;  // the paper's privacy gain: mean over users, readings and adversaries
  // Of the mean error that the raw counts took from those adversaries, the share that she lacks again: the sum over
  // adversaries of min(defended, prior) - raw by that of prior - raw, each with the reading of her beliefs that errs
  // least, where raw is below the prior's. At most 1: she can fall back on her prior. None where nothing was taken.
  std::optional<results::Interval> given_back;
  std::optional<OwnUnderDefence> own;  // none without a control
  // What the guarantee says of the same, mean over goals; none where it hides less than a user.
  std::optional<double> own_bound;
};

// The most that a person's visits can change any error between 0 and `largest`, averaged over the noise, in counts that
// are epsilon-private for a user. For errors w without and e with them, privacy says e >= exp(-epsilon) w, and of what
// is not erred, largest - e <= exp(epsilon) (largest - w). So w - e is at most the smaller of (1 - exp(-epsilon)) w and
// (exp(epsilon) - 1)(largest - w), which is largest where the two are equal: largest * tanh(epsilon / 2).
double own_part_bound(double epsilon, double largest, double delta = 0);

// The largest error there is for a goal.
double largest_error(const std::string& goal, const metric::Options& options);

std::vector<TriedDefence> tried_defences(const std::vector<results::SummaryRow>& summary,
                                         const std::vector<goal::ReleaseResult>& releases,
                                         const metric::Options& options);

}  // namespace hearsay::report
