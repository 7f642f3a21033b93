// SPDX-License-Identifier: Apache-2.0
//
// Lines of text that would take other rows along: a bad row must cost nobody else a row.
#pragma once

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "base/errors.h"
#include "ingest/visit_query.h"

namespace hearsay::ingest {

struct LineCheckOptions {
  BadRows bad_rows = BadRows::kStop;
  bool line_breaks = false;  // as Source::line_breaks()
  std::string folder;        // for copies of files; must exist
  std::size_t threads = 1;
  std::stop_token stop = {};
};

// Looks at all lines of some tables before DuckDB reads them with care.
class LineCheck {
 public:
  // Files with lines that take others along (a value in double quotes that does not end, a line of more than 2 MB) are
  // replaced by copies without those lines where bad rows are skipped; `given` then says what messages call each copy.
  // Throws InputError for the first such line where bad rows stop the reading, and for what is cut off or damaged.
  LineCheck(std::vector<ReadTable>& tables, std::map<std::string, std::string>& given, LineCheckOptions options);

  // The rows left out by the copies, and by a scan that is not strict and gave so many rows of text files, by reason.
  std::map<std::string, std::uint64_t> left_out(std::uint64_t scanned) const;

  // Rows that go on over several lines, in all files, and where the first one begins.
  std::uint64_t rows_with_line_breaks() const { return broken_; }
  const InputPlace& first_line_break() const { return first_broken_; }

 private:
  struct Checked;
  bool take(const Checked& checked);
  void copy(const Checked& checked, const std::map<std::string, std::string>& given_before,
            std::map<std::string, std::string>& given, std::vector<ReadTable>& tables);

  LineCheckOptions options_;
  std::vector<ReadTable> texts_;  // as they are read
  std::uint64_t rows_ = 0;
  std::map<std::string, std::uint64_t> not_copied_;
  std::uint64_t broken_ = 0;
  InputPlace first_broken_;
};

}  // namespace hearsay::ingest
