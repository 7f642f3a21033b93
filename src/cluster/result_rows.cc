// SPDX-License-Identifier: Apache-2.0
#include "cluster/result_rows.h"

#include "dataset/people.h"

namespace hearsay::cluster {
namespace {

void write_scores(const metric::Scores& scores, BytesWriter& bytes) {
  bytes.put(scores.epochs);
  bytes.put(scores.places);
}

void read_scores(metric::Scores& scores, BytesReader& bytes) {
  bytes.get(scores.epochs);
  bytes.get(scores.places);
}

}  // namespace

void ErrorSums::add(const ErrorSums& other) {
  if (!other.with.epochs.empty()) with.add(other.with.epochs, other.with.places);
  if (!other.without.epochs.empty()) without.add(other.without.epochs, other.without.places);
}

void ErrorSums::write(BytesWriter& bytes) const {
  write_scores(with, bytes);
  write_scores(without, bytes);
}

ErrorSums ErrorSums::read(BytesReader& bytes) {
  ErrorSums sums;
  read_scores(sums.with, bytes);
  read_scores(sums.without, bytes);
  return sums;
}

results::DataFacts facts_of(const Told& told, const experiment::Study& study) {
  results::DataFacts facts;
  facts.users = told.people;
  facts.rois = told.rois.size();
  facts.calendar = study.calendar();
  facts.name = study.data.name;
  facts.least_people = study.results.least_people;
  facts.places = told.rois;
  facts.groupings = results::groupings_of(told.kinds, facts.least_people);
  facts.chosen = results::choose_users(told.people, study.results.user_rows);
  return facts;
}

ResultRows::ResultRows(const Told& told, const experiment::Study& study, const dataset::Dataset& people,
                       std::vector<Row>& found, results::Part part)
    : facts_(facts_of(told, study)),
      at_hand_(results::users_at_hand(people, dataset::describe_people(people), facts_)),
      found_(found),
      part_(part) {}

void ResultRows::open(std::uint32_t prior) {
  prior_ = prior;
  number_ = 0;
}

void ResultRows::add(const goal::Result& result) {
  const std::array<std::uint32_t, 5> of = {prior_, number_++};
  BytesWriter people;
  results::PeopleTally(result.combination, goal::users_of(result), facts_, at_hand_, part_).write(people);
  found_.push_back({Key{Merge::kTally, Subject::kPeople, of}.bytes(), people.take()});
  if (part_ == results::Part::kControl) return;
  ErrorSums sums;
  if (result.with.sums != nullptr) sums.with = {{}, {}, result.with.sums->epochs, result.with.sums->places};
  if (result.without.sums != nullptr) sums.without = {{}, {}, result.without.sums->epochs, result.without.sums->places};
  BytesWriter errors;
  sums.write(errors);
  found_.push_back({Key{Merge::kScores, Subject::kErrors, of}.bytes(), errors.take()});
}

}  // namespace hearsay::cluster
