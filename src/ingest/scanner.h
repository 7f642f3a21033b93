// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  // Every row, checked; false, with nothing kept, where it was to end at a time that is none and there was one.
  bool scan_all_rows(bool until_odd_time);

  // What became of the rows.
  Facts facts() const;
  // Fills users and visits, and rois where they are those seen.
  void finish(Visits& visits) { sink_.finish(options_.threads, visits); }

 private:
  bool scan_lines(std::size_t table);
  bool scan_rows(std::size_t table, bool until_odd_time);
  void query(const std::string& sql, std::size_t table);

  storage::Database& database_;
  const std::vector<ReadTable>& tables_;
  const Options& options_;
  const std::string& name_;
  std::vector<Check> checks_;
  VisitSink sink_;
};

}  // namespace hearsay::ingest
