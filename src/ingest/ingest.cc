// SPDX-License-Identifier: Apache-2.0
#include "ingest/ingest.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <unordered_set>

#include "base/errors.h"
#include "ingest/arrow_table.h"
#include "ingest/civil_time.h"
#include "ingest/diagnosis.h"
#include "ingest/file_digest.h"
#include "ingest/roi_list.h"
#include "ingest/settings.h"
#include "ingest/table_file.h"
#include "ingest/text.h"
#include "ingest/visit_query.h"

namespace hearsay::ingest {
namespace {

std::vector<std::string> cab_files(const std::string& directory) {
  if (!std::filesystem::is_directory(directory)) throw InputError({one_line(directory), 0, ""}, "no such directory");
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("new_") && name.ends_with(".txt")) files.push_back(entry.path().string());
  }
  if (files.empty()) throw InputError({one_line(directory), 0, ""}, "no file matches new_*.txt");
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> source_files(Database& database, const Source& source) {
  if (source.format == Format::kCabs) return cab_files(source.paths.front());
  if (source.table != nullptr) return {source.table->name()};
  std::vector<std::string> files;
  std::unordered_set<std::string> seen;
  for (const std::string& path : source.paths) {
    for (const std::string& file : expand_path(database, path)) {
      if (seen.insert(file).second) files.push_back(file);
    }
  }
  return files;
}

std::vector<ReadTable> read_tables(Database& database, const Source& source, bool by_grid,
                                   const std::vector<std::string>& files) {
  std::vector<Table> tables;
  if (source.format == Format::kCabs) {
    tables.push_back({cab_layout(), files});
  } else if (source.table != nullptr) {
    source.table->attach(database);
    tables.push_back({source.table->layout(database), files});
  } else {
    tables = open_tables(database, files);
  }
  std::vector<ReadTable> reads;
  reads.reserve(tables.size());
  for (const Table& table : tables) reads.push_back({table, resolve_fields(source, by_grid, table)});
  if (source.table != nullptr) check_column_types(reads.front().table, reads.front().fields);
  return reads;
}

std::vector<Roi> grid_rois(const Grid& grid) {
  std::vector<Roi> rois;
  rois.reserve(std::size_t{grid.rows} * grid.cols);
  for (std::uint32_t row = 0; row < grid.rows; ++row) {
    for (std::uint32_t col = 0; col < grid.cols; ++col) {
      rois.push_back({std::to_string(std::uint64_t{row} * grid.cols + col), "",
                      grid.south + (grid.north - grid.south) * (row + 0.5) / grid.rows,
                      grid.west + (grid.east - grid.west) * (col + 0.5) / grid.cols});
    }
  }
  return rois;
}

// Reads the files into visits; made for one call of read_visits.
class Reader {
 public:
  Reader(const Source& source, const RoiRule& rule, const Period& period, const Options& options)
      : source_(source),
        rule_(rule),
        period_(period),
        options_(options),
        database_({options.threads, options.memory_bytes, options.temp_directory, options.stop}) {}

  Visits read();

 private:
  void prepare();
  std::vector<std::string> input_files() const;
  void scan();
  void tally();
  void check_rows() const;
  void index_rois();
  void tally_list();
  void check_not_empty();
  void index_users();
  void collect();
  void warn_of_short_data();

  const Source& source_;
  const RoiRule& rule_;
  const Period& period_;
  const Options& options_;
  Database database_;
  std::vector<std::string> files_;
  VisitQuery query_;
  std::int64_t last_civil_ = std::numeric_limits<std::int64_t>::min();
  Visits visits_;
};

Visits Reader::read() {
  prepare();
  FileDigests digests(input_files(), source_.format == Format::kCabs ? source_.paths.front() : "");
  scan();
  tally();
  index_rois();
  check_not_empty();
  index_users();
  collect();
  warn_of_short_data();
  visits_.inputs = digests.get();
  return std::move(visits_);
}

void Reader::prepare() {
  visits_.timezone = source_.timezone.empty() ? "UTC" : source_.timezone;
  if (source_.timezone.empty()) {
    visits_.warnings.emplace_back(
        "data.timezone is not set: UTC is used; set it to the IANA name of the data's time zone, such as "
        "\"Europe/London\"");
  }
  check_timezone(database_, visits_.timezone);
  query_.period = check_period(period_);
  query_.grid = std::get_if<Grid>(&rule_);
  if (query_.grid != nullptr) query_.box = check_grid(*query_.grid);
  query_.civil = civil_sql(database_, visits_.timezone, query_.period.begin, query_.period.end, "us");
  files_ = source_files(database_, source_);
  query_.tables = read_tables(database_, source_, query_.grid != nullptr, files_);
  if (query_.grid != nullptr) {
    visits_.rois = grid_rois(*query_.grid);
  } else if (const std::string& list = std::get<RoiIds>(rule_).list; !list.empty()) {
    visits_.rois = read_roi_list(database_, list);
  }
}

std::vector<std::string> Reader::input_files() const {
  std::vector<std::string> inputs = source_.table == nullptr ? files_ : std::vector<std::string>{};
  if (const auto* ids = std::get_if<RoiIds>(&rule_); ids != nullptr && !ids->list.empty()) inputs.push_back(ids->list);
  return inputs;
}

void Reader::scan() {
  QueryProgress progress;
  if (options_.progress) {
    progress = [this](double percent) {
      options_.progress("reading", static_cast<std::uint64_t>(std::clamp(percent, 0.0, 100.0)), 100);
    };
  }
  clear_rejects(database_);
  try {
    database_.execute(grouping_sql(query_), file_parameters(query_), progress);
  } catch (const DatabaseError& error) {
    // DuckDB's text names the file where there are several.
    throw InputError({one_line(files_.front()), 0, ""}, first_line(error.what()));
  }
  if (options_.progress) options_.progress("reading", 100, 100);
}

void Reader::tally() {
  Tally& tally = visits_.tally;
  const std::vector<Check> checks = row_checks(query_.tables.front().fields);
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  Result kinds = database_.execute(
      "SELECT kind::BIGINT, sum(n)::BIGINT, min(first_us), max(last_us) FROM grouped GROUP BY kind ORDER BY kind");
  std::vector<std::pair<std::int64_t, std::int64_t>> absolute;
  while (kinds.next()) {
    for (std::size_t row = 0; row < kinds.rows(); ++row) {
      const auto kind = static_cast<int>(kinds.integer(0, row));
      const auto count = static_cast<std::uint64_t>(kinds.integer(1, row));
      if (kind > kFirstBad) {
        tally.bad_rows[checks.at(static_cast<std::size_t>(kind - kFirstBad - 1)).reason] += count;
        continue;
      }
      tally.events += count;
      if (kind == kVisit) tally.used += count;
      if (kind == kOutsideBox) tally.outside_rois += count;
      if (kind == kOutsideCivil || kind == kOutsideAbsolute) tally.outside_period += count;
      if (kind == kOutsideAbsolute) {
        absolute.emplace_back(kinds.integer(2, row), kinds.integer(3, row));
      } else {
        first = std::min(first, kinds.integer(2, row));
        last_civil_ = std::max(last_civil_, kinds.integer(3, row));
      }
    }
  }
  for (const auto& [earliest, latest] : absolute) {
    first = std::min(first, to_civil(database_, visits_.timezone, earliest));
    last_civil_ = std::max(last_civil_, to_civil(database_, visits_.timezone, latest));
  }
  for (const auto& [reason, count] : count_rejects(database_)) tally.bad_rows[reason] += count;
  tally.rows = source_.format == Format::kTrips ? tally.events / 2 : tally.events;
  for (const auto& [reason, count] : tally.bad_rows) tally.rows += count;
  if (!tally.bad_rows.empty() && source_.bad_rows == BadRows::kStop) throw_first_bad_row(database_, query_, files_);
  check_rows();
  visits_.first_event = format_civil(first);
  visits_.last_event = format_civil(last_civil_);
}

void Reader::check_rows() const {
  const Tally& tally = visits_.tally;
  if (tally.rows == 0) throw InputError({one_line(files_.front()), 0, ""}, "no rows");
  if (tally.events > 0) return;
  std::string reasons;
  for (const auto& [reason, count] : tally.bad_rows) reasons += fmt::format("; {}: {}", reason, count);
  throw InputError({one_line(files_.front()), 0, ""}, fmt::format("all {} rows are bad{}", tally.rows, reasons));
}

void Reader::index_rois() {
  if (query_.grid != nullptr) return;
  if (visits_.rois.empty()) {
    Result ids = database_.execute("SELECT DISTINCT place FROM grouped WHERE kind = 0 ORDER BY place");
    while (ids.next()) {
      for (std::size_t row = 0; row < ids.rows(); ++row) {
        visits_.rois.push_back({std::string(ids.text(0, row)), "", std::nullopt, std::nullopt});
      }
    }
  }
  database_.execute("CREATE TEMP TABLE roi_index (place VARCHAR, roi UINTEGER)");
  Appender appender(database_, "roi_index");
  for (std::size_t i = 0; i < visits_.rois.size(); ++i) {
    appender.append(visits_.rois[i].id);
    appender.append(i);
    appender.end_row();
  }
  appender.finish();
  tally_list();
}

// Events at ids that are not in the list.
void Reader::tally_list() {
  Result outside = database_.execute(
      "SELECT coalesce(sum(n), 0)::BIGINT FROM grouped WHERE kind = 0 AND place NOT IN (SELECT place FROM roi_index)");
  outside.next();
  const auto count = static_cast<std::uint64_t>(outside.integer(0, 0));
  visits_.tally.used -= count;
  visits_.tally.outside_rois += count;
}

void Reader::check_not_empty() {
  const Tally& tally = visits_.tally;
  if (tally.used > 0) return;
  if (tally.outside_rois == 0) {
    throw ConfigError(
        "period.start", quoted_value(period_.start),
        fmt::format("no event in the study period, which ends {}; the data goes from {} to {} ({})",
                    format_civil(query_.period.end), visits_.first_event, visits_.last_event, visits_.timezone));
  }
  if (query_.grid == nullptr) {
    throw ConfigError("rois", quoted_value(std::get<RoiIds>(rule_).list),
                      fmt::format("none of the {} ids in the list is in the study period's {} events",
                                  visits_.rois.size(), tally.outside_rois));
  }
  Result extent = database_.execute(extent_sql(query_), file_parameters(query_));
  extent.next();
  const Grid& grid = *query_.grid;
  throw ConfigError("rois", fmt::format("{}..{} N, {}..{} E", grid.south, grid.north, grid.west, grid.east),
                    fmt::format("no event in the box; in the study period the data goes from {} to {} N, {} to {} E",
                                extent.number(0, 0), extent.number(1, 0), extent.number(2, 0), extent.number(3, 0)));
}

void Reader::index_users() {
  const char* in_list = query_.grid != nullptr ? "" : " AND place IN (SELECT place FROM roi_index)";
  database_.execute(
      fmt::format("CREATE TEMP TABLE user_index AS SELECT uid, CAST(row_number() OVER (ORDER BY uid) - 1 AS UINTEGER) "
                  "AS user_number "
                  "FROM (SELECT DISTINCT uid FROM grouped WHERE kind = 0{})",
                  in_list));
  Result users = database_.execute("SELECT uid FROM user_index ORDER BY user_number");
  while (users.next()) {
    for (std::size_t row = 0; row < users.rows(); ++row) visits_.users.emplace_back(users.text(0, row));
  }
}

void Reader::collect() {
  Result count = database_.execute("SELECT count(*) FROM grouped WHERE kind = 0");
  count.next();
  visits_.visits.reserve(static_cast<std::size_t>(count.integer(0, 0)));
  const char* roi = query_.grid != nullptr ? "place" : "roi";
  const char* join = query_.grid != nullptr ? "" : " JOIN roi_index USING (place)";
  Result rows = database_.stream(fmt::format(
      "SELECT epoch, user_number, {} FROM grouped JOIN user_index USING (uid){} WHERE kind = 0 ORDER BY 1, 2, 3", roi,
      join));
  while (rows.next()) {
    const auto* epochs = rows.values<std::uint32_t>(0);
    const auto* users = rows.values<std::uint32_t>(1);
    const auto* rois = rows.values<std::uint32_t>(2);
    for (std::size_t row = 0; row < rows.rows(); ++row) visits_.visits.push_back({epochs[row], users[row], rois[row]});
  }
}

void Reader::warn_of_short_data() {
  if (query_.period.end - last_civil_ <= 86400 * kSecond) return;  // nights are quiet
  visits_.warnings.push_back(
      fmt::format("the study period ends {}, but the last event is at {}: the epochs after it are empty",
                  format_civil(query_.period.end), visits_.last_event));
}

}  // namespace

Visits read_visits(const Source& source, const RoiRule& rois, const Period& period, const Options& options) {
  check_source(source, rois);
  try {
    return Reader(source, rois, period, options).read();
  } catch (...) {
    // What an interrupted query leaves behind may fail in any way.
    if (options.stop.stop_requested()) throw Cancelled();
    throw;
  }
}

}  // namespace hearsay::ingest
