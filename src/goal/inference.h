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

// Errors by user, epoch and place.
struct ErrorsOf {
  std::span<const double> users;
  std::span<const double> sorted;  // the same that are numbers, ascending
  std::span<const double> active;  // over the epochs in which a user was somewhere; not a number where there are none
  std::span<const double> epochs;  // mean over users, by epoch of the inference period
  std::span<const double> rois;    // profiling: mean over visits, by ROI but null; not a number where nobody was
  const metric::Scores* sums = nullptr;  // what those by epoch and place were made of; users left out
};

// The errors of one combination. Spans are by user, or empty where the comparison is not this one.
struct Result {
  Combination combination;
  ErrorsOf with;
  // On counts that leave out the user whose error it is. Empty without a control. Where it was measured on a sample of
  // users, the others have what is not a number, and nothing is by epoch or place.
  ErrorsOf without;
  std::span<const double> own;             // without - with: what being counted costs
  std::span<const double> sorted_own;      // the same that are numbers, ascending
  std::span<const double> losses_without;  // against the prior, of without
  std::span<const double> losses;          // against the prior
  std::span<const double> plain_losses;    // the signed form
  std::span<const double> gains;           // against the raw release
  std::span<const double> plain_gains;     // the signed form
};

using TakeResult = std::function<void(const Result& result)>;
// What told most of a prior that was fitted.
using TakeLessons = std::function<void(std::span<const belief::Lesson> lessons)>;

// A release, as an attack reads it, for which plans are needed.
using TakeRequest = std::function<void(const PlanId& id, const release::Published& release)>;

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
  void run(const prior::PriorEntry& prior, const TakeResult& take, const TakeLessons& lessons = {});
  // Hands over every release that run() would ask plans for, those without a person left out, and attacks nothing.
  void ask(const prior::PriorEntry& prior, const TakeRequest& take);

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

// A result as what goals emit: by epoch, by place (no numbers where there is nothing of the kind), by user.
Measurement epochs_of(const Result& result);
Measurement places_of(const Result& result);
Measurement users_of(const Result& result);

// What is emitted of one prior: what it learned; of each adversary the errors by epoch and place, before the first of
// its results by user, which are for whoever takes them.
void emit_lessons(const std::string& prior, std::span<const belief::Lesson> lessons, const Emit& emit);
class AdversaryEmitter {
 public:
  void emit(const Result& result, const Emit& emit);

 private:
  Key last_;
};

// All priors.
void infer(const Ground& ground, const TakeResult& take);

}  // namespace hearsay::goal
