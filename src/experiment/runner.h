// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/block_sizes.h"
#include "base/progress.h"
#include "dataset/dataset.h"
#include "experiment/combination.h"
#include "experiment/study.h"
#include "release/utility.h"

namespace hearsay::experiment {

// Spans are by user, or empty where the comparison is not this one.
struct Result {
  Combination combination;
  std::span<const double> errors;
  std::span<const double> sorted_errors;  // the same, ascending
  std::span<const double> epoch_errors;   // mean over users, by epoch of the inference period
  std::span<const double> roi_errors;     // profiling: mean over visits, by ROI but null; not a number where nobody was
  std::span<const double> losses;         // against the prior
  std::span<const double> plain_losses;   // the signed form
  std::span<const double> gains;          // against the raw release
  std::span<const double> plain_gains;    // the signed form
};

// One release of one mechanism: what it costs and what it promises.
struct ReleaseResult {
  std::string release;
  std::string parameter;
  std::size_t repeat = 0;
  release::Utility utility;
  release::Guarantee guarantee;
};

struct Sink {
  std::function<void(const Result&)> result;
  std::function<void(const ReleaseResult&)> release;  // may be empty
};

struct RunOptions {
  std::size_t threads = 1;
  Progress progress = {};     // may be empty
  std::stop_token stop = {};  // a request makes run throw Cancelled soon
  BlockSizes blocks = {};
};

// Attacks the raw aggregates and every defence of a study with every prior, attack and goal, and hands over the
// results, one combination at a time, in a fixed order. Spans are valid during the call. A prior and what an attack
// derives from it are made once and serve all releases. Memory: the prior, and a few numbers a user and combination of
// one prior and release. The results depend neither on the number of threads nor on the sizes of blocks.
void run(const dataset::Dataset& dataset, const Study& study, const RunOptions& options, const Sink& sink);

}  // namespace hearsay::experiment
