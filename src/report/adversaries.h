// SPDX-License-Identifier: Apache-2.0
//
// Whom the report is about: for each goal and prior, the attack that errs least with the raw counts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dataset/dataset.h"
#include "goal/combination.h"
#include "report/people_groups.h"

namespace hearsay::report {

// People who lose at least half of what she does not know about them.
struct Exposed {
  std::size_t users = 0;
  std::vector<std::string> ids;  // of those who lose most, where users are named
};

struct Adversary {
  goal::Combination combination;  // baseline: the reading of the prior that errs least of those she is compared with
  double error = 0;               // mean
  double baseline_error = 0;
  // Of people in order, the mean of a step of them at a time; empty without a control.
  std::vector<double> own_steps;
  std::optional<double> own_p95;        // none without a control
  std::optional<double> own_hundredth;  // share of people of whose error being counted takes a hundredth or more
  std::optional<double> loss_p95;       // without one only
  std::vector<GroupMeans> own;          // by grouping; empty without a control
  std::vector<GroupMeans> loss;
  Exposed exposed_by_own;  // own part at least half of the error without the person
  Exposed exposed_by_loss;
};

// Means of `sorted` numbers, of about equally many at a time, at least `least` and in at most 401 steps; none where
// there are fewer numbers than that.
std::vector<double> step_means(std::span<const double> sorted, std::size_t least);
// The share of users below the middle of each step.
std::vector<double> step_shares(std::size_t users, std::size_t least);

// Takes results as they come and keeps no number by user.
class Adversaries {
 public:
  // One pass over the visits, for the groups.
  Adversaries(const dataset::Dataset& dataset, std::size_t least_people, bool show_users);

  // Errors by user on the raw release.
  void take(const goal::Combination& key, const goal::Measurement& users);

  // In the order in which their priors came.
  const std::vector<Adversary>& all() const { return all_; }
  const std::vector<PeopleGroups>& groupings() const { return groupings_; }

 private:
  void take_own(Adversary& adversary, const goal::Measurement& users) const;
  void take_losses(Adversary& adversary, std::span<const double> losses, bool has_own) const;
  std::vector<GroupMeans> means(std::span<const double> numbers, const Compared& compared) const;
  // `value`: the share that a user loses.
  template <typename Value>
  Exposed exposed(std::size_t users, const Value& value) const;

  const dataset::Dataset& dataset_;
  std::size_t least_;
  bool show_users_;
  std::vector<PeopleGroups> groupings_;
  std::vector<Adversary> all_;
  // Mean errors of the priors by goal and prior, then by reading.
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>> prior_means_;
};

}  // namespace hearsay::report
