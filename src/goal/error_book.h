// SPDX-License-Identifier: Apache-2.0
//
// What attacks come to: which readings of their output are scored, the errors that the scores stand for, and these
// handed over combination by combination.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "goal/inference.h"
#include "goal/ranges.h"

namespace hearsay::goal {

// Errors of every user, epoch and place.
struct Errors {
  std::vector<double> users;
  std::vector<double> active;
  metric::MeanErrors means;
  metric::Scores sums = {};  // what the means were made of; users left out

  ErrorsOf shown(std::span<const double> sorted) const {
    return {users, sorted, active, means.epochs, means.rois, &sums};
  }
};

// One attack with one reading of its output.
struct ReadErrors {
  std::string decision;
  Errors with;
  Errors without;  // empty: the same as with, or not measured
};

using GoalErrors = std::vector<std::vector<ReadErrors>>;        // by goal and decision
using AttackErrors = std::vector<std::shared_ptr<GoalErrors>>;  // by attack; none: not run

class ErrorBook {
 public:
  // The ground outlives it.
  explicit ErrorBook(const Ground& ground);

  // How the output of an attack is read for the goals wanted; puts a place for each into `errors`.
  std::vector<Reading> readings_of(const prior::PriorEntry& prior, const attack::AttackEntry& attack,
                                   const Defence* defence, GoalErrors& errors) const;
  // The errors that the scores of a contest stand for, in the order of its readings.
  void finish(Contest& contest, GoalErrors& errors) const;
  // Of attack number `a`. `raw`: the same attack on the raw release, where this is another one.
  void hand_over(Combination combination, std::size_t a, const std::shared_ptr<GoalErrors>& attacked,
                 const GoalErrors& priors, const GoalErrors* raw, const TakeResult& take) const;

  const metric::Setting& setting() const { return setting_; }
  // Whose errors are measured; none: everybody's.
  const std::vector<belief::UserRange>& measured() const { return measured_; }

 private:
  void hand_over(Combination combination, std::size_t a, const ReadErrors& score, const std::vector<ReadErrors>& priors,
                 const ReadErrors* raw, const TakeResult& take) const;

  // Leaves what is not a number in the place of those not measured.
  void keep_measured(std::vector<double>& by_user) const;

  const Ground& ground_;
  const AdversarySpec& adversary_;
  metric::Setting setting_;
  std::vector<belief::UserRange> measured_;
  std::vector<std::unique_ptr<decision::Decision>> decisions_;
  const metric::MetricEntry& loss_;
  const metric::MetricEntry& gain_;
};

}  // namespace hearsay::goal
