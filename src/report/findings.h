// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "goal/releases.h"
#include "results/repeats.h"
#include "results/summary.h"

namespace hearsay::report {

// A defence whose counts are off by more than this, as a mean relative error, is not worth calling useful.
inline constexpr double kUsefulMre = 1.0;

// A defence against the adversaries it was tried against. Intervals are over repeats.
struct TriedDefence {
  results::ReleaseMeans release;
  results::Interval gain;  // the paper's privacy gain: mean over users, readings and adversaries
  // Of the mean error that the raw counts took from those adversaries, the share that she lacks again: the sum over
  // adversaries of min(defended, prior) - raw by that of prior - raw, each with the reading of her beliefs that errs
  // least, where raw is below the prior's. At most 1: she can fall back on her prior. None where nothing was taken.
  std::optional<results::Interval> given_back;
};

std::vector<TriedDefence> tried_defences(const std::vector<results::SummaryRow>& summary,
                                         const std::vector<goal::ReleaseResult>& releases);

// The sentences a data owner needs: what the release gives away, to an adversary who knows what, and what a defence
// would change. Empty where the study does not answer them.
std::vector<std::string> findings(const std::vector<results::SummaryRow>& summary,
                                  const std::vector<goal::ReleaseResult>& releases, const metric::Options& options);

}  // namespace hearsay::report
