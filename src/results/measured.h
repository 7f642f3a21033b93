// SPDX-License-Identifier: Apache-2.0
//
// What goals other than inference found, in a file each.
#pragma once

#include <cstdint>
#include <functional>
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
  // Of targets, which are few: which users they are, and the numbers of each by name.
  std::vector<std::uint32_t> users = {};
  std::vector<std::vector<double>> values = {};
};

// The rows of one goal. All have the fields and the names of numbers of the first.
struct MeasuredGoal {
  std::string name;
  std::string summary;             // a sentence: what it measures
  std::vector<std::string> names;  // of the numbers, which user a target is not among them
  std::vector<MeasuredRow> rows;

  std::string file() const { return name + ".csv"; }
  std::string targets_file() const { return name + "_targets.parquet"; }
  bool has_targets() const { return !rows.empty() && rows.front().unit == goal::Unit::kTarget; }
};

// Adds a measurement to those of its goal. Throws std::logic_error where its fields or names are others.
void take_measured(std::vector<MeasuredGoal>& goals, const goal::GoalEntry& entry,
                   const goal::Measurement& measurement);

ResultFile write_measured(const MeasuredGoal& goal, const std::string& dataset, storage::Database& database,
                          const ResultFolder& folder);

// Of a goal with targets, the numbers of each, called by `name_of` its user number.
ResultFile write_targets(const MeasuredGoal& goal, const std::string& dataset, storage::Database& database,
                         const ResultFolder& folder, const std::function<std::string(std::uint32_t user)>& name_of);

}  // namespace hearsay::results
