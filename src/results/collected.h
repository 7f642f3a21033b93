// SPDX-License-Identifier: Apache-2.0
//
// What a study found, in memory: small, and all that the report needs besides curves.
#pragma once

#include <string>
#include <vector>

#include "goal/goal.h"
#include "goal/releases.h"
#include "results/measured.h"
#include "results/people_figures.h"
#include "results/summary.h"

namespace hearsay::results {

// A feature of a prior that was fitted, and what the model errs more without it.
struct Learned {
  std::string prior;
  std::string feature;
  double importance = 0;
};

// Takes results as they come.
class Collected {
 public:
  // What a goal found, but inference by user.
  void take(const goal::GoalEntry& goal, const goal::Measurement& measurement);
  // What inference found by user.
  void take(const PeopleFigures& people) { summary_.push_back(people.row); }
  void take(const goal::ReleaseResult& release) { releases_.push_back(release); }

  const std::vector<SummaryRow>& summary() const { return summary_; }
  const std::vector<goal::ReleaseResult>& releases() const { return releases_; }
  const std::vector<MeasuredGoal>& measured() const { return measured_; }
  const std::vector<Learned>& learned() const { return learned_; }

 private:
  std::vector<SummaryRow> summary_;
  std::vector<goal::ReleaseResult> releases_;
  std::vector<MeasuredGoal> measured_;
  std::vector<Learned> learned_;
};

}  // namespace hearsay::results
