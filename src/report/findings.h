// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/runner.h"
#include "report/repeats.h"
#include "report/summary.h"

namespace hearsay::report {

// A defence whose counts are off by more than this, as a mean relative error, is not worth calling useful.
inline constexpr double kUsefulMre = 1.0;

// A defence, and the mean of its privacy gain over the adversaries it was tried against.
struct TriedDefence {
  ReleaseMeans release;
  Interval gain;  // over repeats
};

std::vector<TriedDefence> tried_defences(const std::vector<SummaryRow>& summary,
                                         const std::vector<experiment::ReleaseResult>& releases);

// The sentences a data owner needs: what the release gives away, to an adversary who knows what, and what a defence
// would change. Empty where the study does not answer them.
std::vector<std::string> findings(const std::vector<SummaryRow>& summary,
                                  const std::vector<experiment::ReleaseResult>& releases);

}  // namespace hearsay::report
