// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "engine/loading.h"
#include "experiment/study.h"
#include "goal/goal.h"
#include "goal/kept_errors.h"
#include "goal/releases.h"

namespace hearsay::engine {

// Where what a study finds goes.
struct Sink {
  std::function<void(const goal::ReleaseResult& release)> release;  // may be empty: not measured
  std::function<void(const goal::GoalEntry& goal, const goal::Measurement& measurement)> measurement;
  // Calls work(emit), or hands over what an earlier run of this part of a goal emitted. May be empty: every part is
  // run.
  std::function<void(const std::string& part, const std::function<void(const goal::Emit&)>& work,
                     const goal::Emit& emit)>
      part = {};
};

// Keeps the data of a study in memory and runs many studies on it, one at a time, each with all threads and memory that
// it is given. Calls from several threads wait for each other; threads are made where work is divided
// (docs/performance.md says why there is no pool).
class Engine {
 public:
  // `keeps_priors`: for the next study, in memory that the study at hand does not need.
  explicit Engine(Loaded loaded, bool keeps_priors = true) : loaded_(std::move(loaded)), keeps_priors_(keeps_priors) {}

  const Loaded& loaded() const { return loaded_; }

  // Pursues the goals of a study. Throws ConfigError where it is about other data, places or times than those loaded,
  // or would not fit.
  void run(const experiment::Study& study, const LoadOptions& options, const Sink& sink);

  // What is kept for the next study.
  std::uint64_t cached_bytes() const;

 private:
  struct Kept {
    const prior::PriorEntry* entry;
    std::shared_ptr<const belief::Series> series;
    std::uint64_t bytes;
  };
  std::shared_ptr<const belief::Series> find_prior(const prior::PriorEntry& entry, const prior::Knowledge& knowledge,
                                                   std::uint64_t room);

  Loaded loaded_;
  bool keeps_priors_;
  mutable std::mutex running_;
  std::list<Kept> priors_;  // last used first
  std::uint64_t cached_bytes_ = 0;
  goal::KeptErrors kept_errors_;
};

}  // namespace hearsay::engine
