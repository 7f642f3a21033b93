// SPDX-License-Identifier: Apache-2.0
//
// Every chain that a study tried, with what it takes to compare all of them.
#pragma once

#include <vector>

#include "experiment/study.h"
#include "goal/releases.h"
#include "results/manifest.h"
#include "results/repeats.h"
#include "results/summary.h"

namespace hearsay::report {

// What a release promises, as the document has it.
results::Json guarantee_json(const release::Guarantee& guarantee);

// Its numbers, means over draws.
void append_utility(results::Json& json, const results::ReleaseMeans& release);

// What is published in the place of the raw counts: steps, guarantee, what a year of it comes to, and what it is good
// for. Null where nothing is.
results::Json published_json(const experiment::Study& study, const std::vector<goal::ReleaseResult>& releases);

// The steps of a chain: name and parameter of each.
results::Json steps_json(const release::Chain& chain);

// In the order of the study, whatever goal it was tried for: steps, preset, guarantee, MRE and MAE, and best responses.
results::Json chains_json(const experiment::Study& study, const std::vector<results::SummaryRow>& summary,
                          const std::vector<goal::ReleaseResult>& releases);

}  // namespace hearsay::report
