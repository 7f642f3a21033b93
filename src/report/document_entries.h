// SPDX-License-Identifier: Apache-2.0
//
// The parts of the document about entries: what the page says of them, and what it must know to show their numbers.
#pragma once

#include "base/entry.h"
#include "experiment/study.h"
#include "results/manifest.h"

namespace hearsay::report {

// What lists and explanations say of an entry.
results::Json info_json(const EntryInfo& info);

// What the study measures, in its order.
results::Json goals_json(const experiment::Study& study);

// Every entry that the study could name, and after each the forms of it that were given parameters.
results::Json entries_json(const experiment::Study& study);

}  // namespace hearsay::report
