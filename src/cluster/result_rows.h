// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cluster/row.h"
#include "cluster/told.h"
#include "goal/inference.h"
#include "results/people_tally.h"

namespace hearsay::cluster {

// Sums of errors by epoch and place, with the counts and on those that leave each person out. They add up.
struct ErrorSums {
  metric::Scores with;
  metric::Scores without;

  void add(const ErrorSums& other);
  void write(BytesWriter& bytes) const;
  static ErrorSums read(BytesReader& bytes);
};

// What the people at hand come to in each result, as rows.
class ResultRows {
 public:
  // `part`: all, or the control alone, of people taken out one by one.
  ResultRows(const Told& told, const experiment::Study& study, const dataset::Dataset& people, std::vector<Row>& found,
             results::Part part = results::Part::kAll);

  // The results that follow are of this prior of the study, numbered from 0.
  void open(std::uint32_t prior);
  void add(const goal::Result& result);

 private:
  const results::DataFacts facts_;
  results::UsersAtHand at_hand_;
  std::vector<Row>& found_;
  results::Part part_;
  std::uint32_t prior_ = 0;
  std::uint32_t number_ = 0;
};

// What is known of everybody, as far as results ask for it.
results::DataFacts facts_of(const Told& told, const experiment::Study& study);

}  // namespace hearsay::cluster
