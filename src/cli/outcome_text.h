// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "job/run_study.h"

namespace hearsay::cli {

// The raw release at a glance: for each goal a row a prior, a column an attack.
std::string summary_text(const std::vector<results::SummaryRow>& summary, const metric::Options& options);

// What each defence costs and gives back: means over repeats with their 95% intervals. Empty where there is none.
std::string defences_text(const job::Outcome& outcome);

// What it all means, in a few sentences.
std::string findings_text(const job::Outcome& outcome);

// All of it, on the standard output.
void print_outcome(const job::Outcome& outcome);

// What was read, what was skipped and where the results are.
std::string outcome_text(const job::Outcome& outcome);

}  // namespace hearsay::cli
