// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "attack/attack.h"
#include "base/block_sizes.h"
#include "base/progress.h"
#include "dataset/dataset.h"
#include "decision/decision.h"
#include "goal/membership_spec.h"
#include "goal/trajectory_spec.h"
#include "goal/whole.h"
#include "metric/metric.h"
#include "prior/prior.h"
#include "release/chain.h"
#include "release/post_process.h"

namespace hearsay::goal {

// The least probability that POP predicts, unless a study says otherwise.
inline constexpr double kDelta = 0.5;

// People left out one by one where it cannot be done for everybody, unless a study says otherwise.
inline constexpr std::size_t kControlSample = 10;

// One chain of steps, drawn `repeats` times.
struct Defence {
  release::Chain chain;
  std::string parameter;  // as results print it
  std::size_t repeats = 1;
  release::PostProcess post_process = release::kDefaultPostProcess;
  // Names of the adversaries and errors it is tried against; empty: all of the study.
  std::vector<std::string> priors;
  std::vector<std::string> attacks;
  std::vector<std::string> goals;

  // Returns the noise of one draw: what a publication draws, from seeded bits. Where counts are post-processed as in
  // the paper, which no publication may do, it is the noise of the paper.
  std::unique_ptr<release::NoiseSource> noise(std::uint64_t seed, std::size_t repeat) const;

  static bool covers(const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  }
};

// What she knows, what she does, and what of it is measured.
struct AdversarySpec {
  std::vector<const prior::PriorEntry*> priors;
  std::vector<const attack::AttackEntry*> attacks;  // the prior itself always the first of them
  std::vector<const metric::MetricEntry*> goals;
  std::vector<const decision::DecisionEntry*> decisions = decision::all_decisions();
  // Whether everybody's errors on counts that leave that person out are measured too; and, where that cannot be done
  // for everybody at little cost, on how many people.
  bool control = true;
  std::size_t control_sample = kControlSample;
  // Whose errors inference measures: about so many people, in stretches of neighbours by id that are evenly spaced; 0:
  // everybody. The others have what is not a number, and nothing by epoch or place means anything.
  std::size_t people = 0;
  double delta = kDelta;  // of the decisions that have it, unless given with one of them; set by Study::use_delta
  metric::Options metric;
  MembershipSpec membership;
  TrajectorySpec trajectories;
};

struct RunOptions {
  std::size_t threads = 1;
  Progress progress = {};     // may be empty
  std::stop_token stop = {};  // a request makes the work throw Cancelled soon
  BlockSizes blocks = {};
};

class KeptErrors;
class Releases;

// Where a prior comes from: made now, or by an earlier study on the same data.
using FindPrior = std::function<std::shared_ptr<const belief::Series>(const prior::PriorEntry& entry,
                                                                      const prior::Knowledge& knowledge)>;

// What a goal is pursued on. The goal, not its adversaries, sees the truth.
struct Ground {
  const dataset::Dataset& dataset;
  const AdversarySpec& adversary;
  const std::vector<Defence>& defences;   // attacked besides the raw release
  std::optional<std::size_t> population;  // people in all, seen or not, as declared
  std::uint64_t seed = 1;                 // of evaluation noise
  RunOptions options = {};
  FindPrior find_prior = {};       // empty: made anew
  std::uint32_t first_second = 0;  // of the day, at which the study period starts
  const Whole* whole = nullptr;    // where the data set is of some people only: what holds of everybody
  // What is published in the place of the raw counts, and named RAW in what goals emit. None: the raw counts.
  const Defence* published = nullptr;
  KeptErrors* kept = nullptr;          // errors that no release changes, of earlier studies; none: measured anew
  const Releases* releases = nullptr;  // draws that others made of this ground; none: made anew

  std::shared_ptr<const belief::Series> prior(const prior::PriorEntry& entry) const;
  void check_stop() const;
};

}  // namespace hearsay::goal
