// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "dataset/dataset.h"
#include "release/answers.h"
#include "release/count_matrix.h"
#include "release/geometry.h"
#include "release/guarantee.h"
#include "release/published.h"
#include "release/reach.h"

namespace hearsay::release {

// Something on its way to be published: people's visits and their counts, then counts alone, on places and epochs of
// its own. A value; copies share what does not change.
class Draft {
 public:
  // The visits of the inference period, as they are. `population`: people in all, seen or not, as stated by whoever
  // publishes; those not seen are in null. Unset: the people seen, which is itself read off the data. Throws
  // ConfigError where more people were seen than declared; the message does not say how many.
  Draft(const dataset::Truth& truth, std::optional<std::size_t> population, std::size_t threads);

  const Geometry& geometry() const { return *geometry_; }
  // How many counts a person's data can change.
  const Reach& reach() const { return reach_; }
  // Who was where, by the draft's places and epochs. What counts() were made of, until a step changes those.
  const dataset::Truth& visits() const { return visits_; }
  // By place, null last, and epoch. Those declared but not seen are in null.
  const CountMatrix& counts() const { return *counts_; }
  const std::vector<Missing>& missing() const { return missing_; }

  // What the next step asked of visits that are not at hand; none where they are.
  const Answers* answers() const { return answers_.get(); }

  std::optional<std::size_t> population() const { return population_; }
  std::size_t users() const { return visits_.crowd().users; }
  std::size_t people() const { return population_.value_or(users()) - left_out_; }

  // The same with other visits, counted again: by epoch ingest::VisitList::key(user, place), ascending, without
  // repeats.
  Draft with_visits(std::vector<std::vector<std::uint64_t>> visits) const;
  // The same with some of the visits of each person: at most so many a window.
  Draft bounded(std::vector<std::vector<std::uint64_t>> visits, Window window, std::uint64_t most) const;
  // The same with the visits of some people: those drawn, each with chance `rate`. The others are in null.
  Draft sampled(std::vector<std::vector<std::uint64_t>> visits, double rate) const;
  // The same on coarser places and epochs: `place_of` and `epoch_of` by those of this draft. A person is counted once
  // a place and epoch, however often it was there.
  Draft merged(const std::vector<std::uint32_t>& place_of, std::size_t places,
               const std::vector<std::uint32_t>& epoch_of, std::size_t epochs) const;
  // The same with other counts, of the same places and epochs, and counts that are not to be published besides those
  // that are not already; by epoch and place.
  Draft with_counts(CountMatrix counts, std::vector<Missing> missing = {}) const;

  // The same as if one of the people were not in the data: one fewer in each of the person's cells, null included.
  // Users keep their numbers. `visits`: whether visits() are to be without the person, too.
  Draft without(UserId user, bool visits) const;

  // Of everybody, where this is of a share of the people, with no population declared: the sums of the counts and
  // answers of all shares. No visits are at hand: visits() shows nobody anywhere.
  Draft of_everybody(CountMatrix counts, Answers answers, std::optional<std::size_t> population) const;

  // The same as if a person were not in the data who adds these counts and answers.
  Draft less(const CountMatrix& counts, const Answers& answers) const;

  // Who was counted at the study's own places and epochs: wherever the count is of that place and epoch, among others.
  std::shared_ptr<const dataset::VisitStore> fine_visits() const;

  Published publish(Guarantee guarantee, Rule rule = {}) const;

 private:
  void replace_visits(std::vector<std::vector<std::uint64_t>> visits);

  std::shared_ptr<const Geometry> geometry_;
  Reach reach_;
  std::shared_ptr<const dataset::VisitStore> own_visits_;  // none: those of the data set
  dataset::Truth visits_;
  std::shared_ptr<const CountMatrix> counts_;
  std::shared_ptr<const Answers> answers_;
  std::vector<Missing> missing_;
  std::optional<std::size_t> population_;
  std::size_t left_out_ = 0;  // people
  std::size_t threads_;
};

}  // namespace hearsay::release
