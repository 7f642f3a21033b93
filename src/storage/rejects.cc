// SPDX-License-Identifier: Apache-2.0
//
// Rows of delimited text that DuckDB put aside.
#include "storage/sql_text.h"
#include "storage/table_file.h"

namespace hearsay::storage {
namespace {

constexpr const char* kNotUtf8 = "not UTF-8";
constexpr const char* kNotUtf8Problem =
    "if the file is Latin-1, as those of older programs are, set data.encoding = \"latin-1\"; else convert it (iconv "
    "-t "
    "UTF-8)";

std::string reject_reason(std::string_view type) {
  if (type == "MISSING COLUMNS") return "too few columns";
  if (type == "TOO MANY COLUMNS") return "too many columns";
  if (type == "UNQUOTED VALUE") return "bad quoting";
  if (type == "INVALID ENCODING") return kNotUtf8;
  if (type == "LINE SIZE OVER MAXIMUM") return "line too long";
  return "bad row";
}

bool has_reject_table(Database& database) {
  QueryRows found = database.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'reject_errors'");
  return found.next();
}

}  // namespace

void clear_rejects(Database& database) {
  database.execute("DROP TABLE IF EXISTS reject_errors");
  database.execute("DROP TABLE IF EXISTS reject_scans");
}

std::map<std::string, std::uint64_t> count_rejects(Database& database) {
  std::map<std::string, std::uint64_t> counts;
  if (!has_reject_table(database)) return counts;
  // A row can have several errors; the first says what is wrong with it.
  QueryRows rejects = database.execute(
      "SELECT type, count(*) FROM (SELECT arg_min(error_type::VARCHAR, byte_position) AS type FROM reject_errors "
      "GROUP BY scan_id, file_id, line) GROUP BY type");
  while (rejects.next()) {
    for (std::size_t row = 0; row < rejects.rows(); ++row) {
      counts[reject_reason(rejects.text(0, row))] += static_cast<std::uint64_t>(rejects.integer(1, row));
    }
  }
  return counts;
}

std::optional<Reject> first_reject(Database& database) {
  if (!has_reject_table(database)) return std::nullopt;
  QueryRows rejects = database.execute(
      "SELECT line::BIGINT, error_type::VARCHAR, error_message FROM reject_errors "
      "ORDER BY line, byte_position LIMIT 1");
  if (!rejects.next()) return std::nullopt;
  const std::string reason = reject_reason(rejects.text(1, 0));
  return Reject{static_cast<std::uint64_t>(rejects.integer(0, 0)), reason,
                reason == kNotUtf8 ? kNotUtf8Problem : first_line(rejects.text(2, 0))};
}

}  // namespace hearsay::storage
