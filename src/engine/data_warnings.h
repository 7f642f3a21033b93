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

// What such signs are seen in.
struct DataSigns {
  std::uint64_t users = 0;
  std::uint64_t seen_once = 0;  // users with no more visits than one event or trip makes
  bool observed = true;         // somebody was somewhere in the observation period
  bool inferred = true;         // and in the inference period
};
// The most visits that one event or trip makes.
std::uint32_t visits_at_once(const experiment::Study& study);
// One pass over the visits.
DataSigns signs_of(const experiment::Study& study, const dataset::Dataset& dataset);

// One sentence each: what is odd, what follows, what to do. docs/input.md lists them.
std::vector<std::string> data_warnings(const experiment::Study& study, const Provenance& provenance,
                                       const DataSigns& signs);

}  // namespace hearsay::engine
