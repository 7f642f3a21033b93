// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/study.h"
#include "results/collected.h"
#include "results/repeats.h"
#include "results/result_folder.h"
#include "storage/database.h"

namespace hearsay::results {

// The errors of one adversary by ROI.
struct PlaceErrors {
  goal::Combination combination;
  std::vector<double> errors;
  std::vector<double> without = {};  // on counts that leave each user out; empty without a control
};

// Takes results as they come and writes summary.csv, epochs.csv and users.parquet; docs/results.md describes them.
// Memory beyond the database's limit goes to its temporary folder. The bytes written do not depend on
// `options.threads`.
class ResultTables : public Collected {
 public:
  ResultTables(const experiment::Study& study, const DataFacts& facts, storage::DatabaseOptions options);

  // Of inference, but by user: rows of epochs.csv and learned.csv. Of another goal: of its own file.
  void take(const goal::GoalEntry& goal, const goal::Measurement& measurement);
  // Rows of summary.csv and users.parquet.
  void take(const PeopleFigures& people);
  using Collected::take;
  // Once, at the end.
  std::vector<ResultFile> write(const ResultFolder& folder);

  // rois.csv: where profiling succeeds, place by place.
  ResultFile write_rois(const ResultFolder& folder, const std::vector<PlaceErrors>& adversaries);

 private:
  void take_epochs(const goal::Measurement& epochs);
  ResultFile write_summary(const ResultFolder& folder);
  ResultFile write_epochs(const ResultFolder& folder);
  ResultFile write_users(const ResultFolder& folder);
  ResultFile write_utility(const ResultFolder& folder);
  ResultFile write_means(const ResultFolder& folder);
  ResultFile write_best(const ResultFolder& folder);
  ResultFile write_learned(const ResultFolder& folder);

  const experiment::Study& study_;
  const DataFacts& facts_;
  storage::Database database_;
  std::optional<storage::Appender> epoch_rows_;
  std::optional<storage::Appender> user_rows_;
  std::vector<std::string> epoch_starts_;
  std::uint64_t epoch_row_count_ = 0;
};

}  // namespace hearsay::results
