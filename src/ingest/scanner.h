// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "ingest/visit_query.h"

namespace hearsay::ingest {

// Goes through all rows of some tables and puts their events into a sink. What it is given outlives it.
class Scanner {
 public:
  // `name` is the first file's, for messages.
  Scanner(storage::Database& database, const std::vector<ReadTable>& tables, const Placing& placing,
          const Options& options, const std::string& name);

  // Every line as an ordinary one; false, with nothing kept, where one is not.
  bool scan_all_lines();
  // Every row, checked. `strict`: it ends at a row that does not have the shape of the table; else such rows are left
  // out. Where it does not get to the end, nothing is kept. Which of two ends comes first depends on the threads.
  enum class End { kAll, kOddTime, kMalformedRow };
  End scan_all_rows(bool until_odd_time, bool strict);

  // What became of the rows that were not left out.
  Facts facts() const;
  // The rows of text files that scan_all_rows was given.
  std::uint64_t rows_of_text() const { return rows_of_text_; }
  // Fills users and visits, and rois where they are those seen.
  void finish(Visits& visits) { sink_.finish(options_.threads, visits); }

 private:
  bool scan_lines(std::size_t table);
  End scan_rows(std::size_t table, bool until_odd_time, bool strict);
  void query(const std::string& sql, std::size_t table);

  storage::Database& database_;
  const std::vector<ReadTable>& tables_;
  const Options& options_;
  const std::string& name_;
  std::vector<Check> checks_;
  VisitSink sink_;
  std::atomic<std::uint64_t> rows_of_text_ = 0;
};

}  // namespace hearsay::ingest
