// SPDX-License-Identifier: Apache-2.0
//
// The quick way through delimited text: lines as they mostly are. A line that is anything else (a value missing, a time
// in another form, quotes inside a value) is not judged here; the careful way through DuckDB's own reader is.
#pragma once

#include <string_view>
#include <vector>

#include "ingest/row_checks.h"
#include "ingest/visit_sink.h"

namespace hearsay::ingest {

// `YYYY-MM-DD hh:mm:ss`, T for the blank and decimals of the second allowed, alone or with Z, +hh or +hh:mm after it;
// or a number as `format` says. False where it is none of these.
bool parse_time(std::string_view text, TimeFormat format, std::int64_t& us, bool& civil);

class LineParser {
 public:
  LineParser(const storage::Layout& layout, const Fields& fields);

  // Adds what the line holds, an event or two, to `collector`. `uid` is used where the table has no such column. False,
  // and nothing added, where the line is not an ordinary one.
  bool parse(std::string_view line, std::string_view uid, Collector& collector);

 private:
  bool split(std::string_view line);
  bool read_time(std::size_t column, Event& event) const;
  bool read_place(std::size_t column, Event& event) const;
  static bool read_degrees(std::string_view text, double limit, double& value);

  static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);
  std::size_t column(const char* name) const;

  char delimiter_;
  bool quotes_;
  Fields fields_;
  std::vector<std::string_view> values_;
  std::size_t uid_, lat_, lng_, time_, roi_, end_time_, end_roi_;
};

}  // namespace hearsay::ingest
