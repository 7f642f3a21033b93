// SPDX-License-Identifier: Apache-2.0
//
// Signs that a study does not measure what its owner thinks: a wrong column, a wrong period, a wrong box.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dataset/dataset.h"
#include "engine/loading.h"
#include "experiment/study.h"

namespace hearsay::engine {

// A share from which on something is true of nearly all events or users.
inline constexpr double kNearlyAll = 0.9;
// A share of the events outside the places, or outside the study period, above which it should be meant.
inline constexpr double kMostOutside = 0.5;
// Fewer users than this are no crowd.
inline constexpr std::size_t kFewUsers = 10;

// One sentence each: what is odd, what follows, what to do. One pass over the visits. docs/input.md lists them.
std::vector<std::string> data_warnings(const experiment::Study& study, const Provenance& provenance,
                                       const dataset::Dataset& dataset);

}  // namespace hearsay::engine
