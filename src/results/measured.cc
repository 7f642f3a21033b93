// SPDX-License-Identifier: Apache-2.0
#include "results/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "results/key_columns.h"

namespace hearsay::results {
namespace {

Distribution distribution_of_numbers(std::span<const double> values) {
  std::vector<double> numbers;
  std::copy_if(values.begin(), values.end(), std::back_inserter(numbers), [](double x) { return std::isfinite(x); });
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (numbers.empty()) return {kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  return distribution_of(numbers);
}

bool same_fields(const goal::Key& a, const goal::Key& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const goal::Field& one, const goal::Field& other) {
    return one.name == other.name && one.number == other.number;
  });
}

}  // namespace

void take_measured(std::vector<MeasuredGoal>& goals, const goal::GoalEntry& entry,
                   const goal::Measurement& measurement) {
  std::vector<std::string> names;
  for (const goal::Numbers& numbers : measurement.numbers) {
    if (numbers.name != goal::kUserNumber) names.push_back(numbers.name);
  }
  goal::Key key = measurement.key;
  key.insert(key.begin(), {"goal", entry.info.name});
  // With other parameters it is the same goal.
  const std::string name = entry.info.name.substr(0, entry.info.name.find('('));
  if (goals.empty() || goals.back().name != name) goals.push_back({name, entry.info.summary, names, {}});
  MeasuredGoal& goal = goals.back();
  const bool fits = goal.rows.empty() || same_fields(goal.rows.front().key, key);
  if (!fits || names != goal.names) throw std::logic_error(entry.info.name + " measures other things than before");
  MeasuredRow& row = goal.rows.emplace_back();
  row.key = std::move(key);
  row.unit = measurement.unit;
  for (const goal::Numbers& numbers : measurement.numbers) {
    if (numbers.name == goal::kUserNumber) {
      for (const double user : numbers.values) row.users.push_back(static_cast<std::uint32_t>(user));
      continue;
    }
    row.count = numbers.values.size();
    row.numbers.push_back(distribution_of_numbers(numbers.values));
    if (row.unit == goal::Unit::kTarget) row.values.emplace_back(numbers.values.begin(), numbers.values.end());
  }
}

ResultFile write_measured(const MeasuredGoal& goal, const std::string& dataset, storage::Database& database,
                          const ResultFolder& folder) {
  std::string columns = key_columns(goal.rows.front().key) + ", unit VARCHAR, count UBIGINT";
  for (const std::string& name : goal.names) {
    for (const char* what : {"mean", "sd", "p05", "p25", "p50", "p75", "p95"}) {
      columns += fmt::format(", \"{}_{}\" DOUBLE", name, what);
    }
  }
  const std::string table = "measured_" + goal.name;
  database.execute(fmt::format("CREATE TABLE \"{}\" ({})", table, columns));
  storage::Appender rows(database, table);
  for (const MeasuredRow& row : goal.rows) {
    append_key(rows, dataset, row.key);
    rows.append(goal::name_of(row.unit));
    rows.append(row.count);
    for (const Distribution& numbers : row.numbers) {
      for (const double value :
           {numbers.mean, numbers.deviation, numbers.p05, numbers.p25, numbers.p50, numbers.p75, numbers.p95}) {
        rows.append(std::isnan(value) ? std::nullopt : std::optional(value));
      }
    }
    rows.end_row();
  }
  rows.finish();
  database.copy_to(fmt::format("FROM \"{}\"", table), folder.path_of(goal.file()), storage::FileFormat::kCsv);
  return folder.describe(goal.file(), goal.rows.size());
}

ResultFile write_targets(const MeasuredGoal& goal, const std::string& dataset, storage::Database& database,
                         const ResultFolder& folder, const std::function<std::string(std::uint32_t user)>& name_of) {
  std::string columns = key_columns(goal.rows.front().key) + ", uid VARCHAR";
  for (const std::string& name : goal.names) columns += fmt::format(", \"{}\" DOUBLE", name);
  const std::string table = "targets_" + goal.name;
  database.execute(fmt::format("CREATE TABLE \"{}\" ({})", table, columns));
  storage::Appender rows(database, table);
  std::uint64_t count = 0;
  for (const MeasuredRow& row : goal.rows) {
    for (std::size_t target = 0; target < row.users.size(); ++target, ++count) {
      append_key(rows, dataset, row.key);
      rows.append(name_of(row.users[target]));
      for (const std::vector<double>& values : row.values) {
        rows.append(std::isnan(values[target]) ? std::nullopt : std::optional(values[target]));
      }
      rows.end_row();
    }
  }
  rows.finish();
  database.copy_to(fmt::format("FROM \"{}\"", table), folder.path_of(goal.targets_file()),
                   storage::FileFormat::kParquet);
  return folder.describe(goal.targets_file(), count);
}

}  // namespace hearsay::results
