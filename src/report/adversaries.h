// SPDX-License-Identifier: Apache-2.0
//
// Whom the report is about: for each goal and prior, the attack that errs least with the raw counts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/people_groups.h"
#include "results/people_figures.h"

namespace hearsay::report {

struct Adversary {
  goal::Combination combination;  // baseline: the reading of the prior that errs least of those she is compared with
  double error = 0;               // mean
  double baseline_error = 0;
  std::optional<results::OwnFigures> own;  // none without a control of everybody
  results::LossFigures loss;
  std::vector<GroupMeans> own_groups;  // by grouping; empty where there is no own
  std::vector<GroupMeans> loss_groups;
};

// Takes results as they come.
class Adversaries {
 public:
  // Of the raw release.
  void take(const results::PeopleFigures& people);

  // In the order in which their priors came.
  const std::vector<Adversary>& all() const { return all_; }

 private:
  std::vector<Adversary> all_;
  // Mean errors of the priors by goal and prior, then by reading.
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>> prior_means_;
};

}  // namespace hearsay::report
