// SPDX-License-Identifier: Apache-2.0
//
// The paper's question: what an adversary gets wrong about each person, before she sees a release and after.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "goal/combination.h"
#include "goal/ground.h"

namespace hearsay::goal {

// The errors of one combination. Spans are by user, or empty where the comparison is not this one.
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

using TakeResult = std::function<void(const Result& result)>;

// Attacks the raw aggregates and every defence of a ground with every prior and attack, and hands over the errors, one
// combination at a time, in a fixed order. Spans are valid during the call. A prior and what an attack derives from it
// serve all releases. Memory: the prior, and a few numbers a user and combination of one prior and release. The results
// depend neither on the number of threads nor on the sizes of blocks.
class Inference {
 public:
  // The ground outlives it.
  explicit Inference(const Ground& ground);
  ~Inference();
  // One of the priors of the ground; each once, in its order, though some may be left out.
  void run(const prior::PriorEntry& prior, const TakeResult& take);

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

// All priors.
void infer(const Ground& ground, const TakeResult& take);

}  // namespace hearsay::goal
