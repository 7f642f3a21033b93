// SPDX-License-Identifier: Apache-2.0
//
// What goals other than inference found, in a file each.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "goal/goal.h"
#include "results/result_folder.h"
#include "results/summary.h"
#include "storage/database.h"

namespace hearsay::results {

// A measurement without the people, epochs, places or groups behind it. What is not a number does not count.
struct MeasuredRow {
  goal::Key key;
  goal::Unit unit;
  std::size_t count = 0;
  std::vector<Distribution> numbers;
};

// The rows of one goal. All have the fields and the names of numbers of the first.
struct MeasuredGoal {
  std::string name;
  std::string summary;             // a sentence: what it measures
  std::vector<std::string> names;  // of the numbers
  std::vector<MeasuredRow> rows;

  std::string file() const { return name + ".csv"; }
};

// Adds a measurement to those of its goal. Throws std::logic_error where its fields or names are others.
void take_measured(std::vector<MeasuredGoal>& goals, const goal::GoalEntry& entry,
                   const goal::Measurement& measurement);

ResultFile write_measured(const MeasuredGoal& goal, const std::string& dataset, storage::Database& database,
                          const ResultFolder& folder);

}  // namespace hearsay::results
