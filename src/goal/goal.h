// SPDX-License-Identifier: Apache-2.0
//
// What a study measures. One *_goal.cc file a goal. Errors of the adversary by person are one goal (inference); a game
// over groups of people is another.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/entry.h"
#include "goal/ground.h"
#include "goal/measurement.h"

namespace hearsay::goal {

class Goal {
 public:
  virtual ~Goal() = default;
  // What it is run in, one after another; a run that goes on where another stopped leaves out those that were finished.
  virtual std::vector<std::string> parts() const { return {"all"}; }
  // Hands over what it finds, always in the same order, whatever the number of threads. Throws Cancelled soon after a
  // request to stop.
  virtual void run(const std::string& part, const Emit& emit) = 0;
};

struct GoalEntry {
  EntryInfo info;
  // True: it is run where a study names an error (a metric with `make`), for all of those together. False: where a
  // study names it.
  bool of_errors = false;
  // Throws ConfigError for parameters out of range. The ground outlives the goal.
  std::function<std::unique_ptr<Goal>(const Ground& ground, const Parameters& parameters)> make;
  std::unique_ptr<Goal> create(const Ground& ground) const { return make(ground, info.values()); }
};

// Every goal. Generated from the files in this folder.
const std::vector<const GoalEntry*>& all_goals();

}  // namespace hearsay::goal
