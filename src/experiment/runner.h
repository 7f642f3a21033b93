// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "dataset/dataset.h"
#include "experiment/study.h"

namespace hearsay::experiment {

// What one row of summary.csv is about.
struct Combination {
  std::string goal;
  std::string prior;
  std::string attack;
  std::string decision;  // empty for profiling; ALL, POP or ASSIGNED for localization
  std::string release;   // RAW, or a mechanism
  std::string parameter;
  std::size_t repeat = 0;
  std::string baseline;  // what loss is measured against; empty for PRIOR itself
};

struct Result {
  Combination combination;
  std::span<const double> errors;        // by user
  std::span<const double> losses;        // by user; empty where there is no baseline
  std::span<const double> plain_losses;  // the signed form
  std::span<const double> epoch_errors;  // mean over users, by epoch of the inference period
};

// Runs every prior, attack and goal of a study on its raw aggregates and hands over the results, one combination at a
// time, in a fixed order. The spans are valid during the call. Memory: a few numbers a user and combination of one
// prior; the results do not depend on `threads`.
void run(const dataset::Dataset& dataset, const Study& study, std::size_t threads, const Progress& progress,
         const std::function<void(const Result&)>& take);

}  // namespace hearsay::experiment
