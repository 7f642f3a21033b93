// SPDX-License-Identifier: Apache-2.0
#include "ingest/ingest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "ingest/converted_files.h"
#include "ingest/diagnosis.h"
#include "ingest/id_table.h"
#include "ingest/line_parser.h"
#include "ingest/places.h"
#include "ingest/roi_list.h"
#include "ingest/settings.h"
#include "ingest/source_tables.h"
#include "ingest/time_survey.h"
#include "ingest/time_zone.h"
#include "ingest/trip_places.h"
#include "ingest/visit_query.h"
#include "ingest/visit_sink.h"
#include "storage/file_digest.h"
#include "storage/sql_text.h"
#include "storage/table_file.h"

namespace hearsay::ingest {
namespace {

// Why the quick way through a table was given up.
class OddLine : public std::runtime_error {
 public:
  OddLine() : std::runtime_error("a line that is not an ordinary one") {}
};

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
  Visits read_files();
  void prepare();
  void convert();
  void prepare_rois();
  void scan();
  bool scan_all_lines();
  bool scan_all_rows(bool until_odd_time);
  bool scan_lines(std::size_t table);
  bool scan_rows(std::size_t table, bool until_odd_time);
  void name_time_format(const std::vector<std::string>& found);
  void query(const std::string& sql, std::size_t table);
  void tally();
  void check_swapped() const;
  void check_rows() const;
  void check_not_empty();
  void warn_of_short_data();

  const Source& source_;
  const RoiRule& rule_;
  const Period& period_;
  const Options& options_;
  storage::Database database_;
  std::vector<std::string> files_;
  std::optional<TemporaryFolder> made_;  // for what is made of files that need it
  ConvertedFiles readable_;
  std::vector<ReadTable> tables_;
  std::vector<Check> checks_;
  Placing placing_;
  IdTable listed_;
  std::optional<ZoneMap> zones_;
  std::optional<VisitSink> sink_;
  std::int64_t last_civil_ = 0;
  Visits visits_;
};

Visits Reader::read() {
  try {
    return read_files();
  } catch (const InputError& error) {
    throw as_given(error, readable_.given);
  }
}

Visits Reader::read_files() {
  prepare();
  if (options_.check_size && source_.table == nullptr)
    options_.check_size(storage::rows_by_size(database_, readable_.files));
  const auto* ids = std::get_if<RoiIds>(&rule_);
  const auto* zones = std::get_if<Zones>(&rule_);
  storage::FileDigests digests(source_.table == nullptr ? files_ : std::vector<std::string>{},
                               source_.format == Format::kCabs ? source_.paths.front() : "",
                               zones != nullptr ? zones->list
                               : ids == nullptr ? ""
                                                : ids->list);
  scan();
  tally();
  check_not_empty();
  sink_->finish(options_.threads, visits_);
  if (source_.format == Format::kTrips && !placing_.pairs && placing_.listed == nullptr) {
    name_trip_places(database_, tables_, source_, visits_.rois);
  }
  warn_of_short_data();
  visits_.inputs = digests.get();
  return std::move(visits_);
}

void Reader::prepare() {
  visits_.timezone = source_.timezone.empty() ? "UTC" : source_.timezone;
  if (source_.timezone.empty() && !source_.columns.contains("utc_offset")) {
    visits_.warnings.emplace_back(
        "data.timezone is not set: UTC is used; set it to the IANA name of the data's time zone, such as "
        "\"Europe/London\"");
  }
  check_timezone(database_, visits_.timezone);
  placing_.period = check_period(period_);
  placing_.grid = std::get_if<Grid>(&rule_);
  placing_.pairs = std::holds_alternative<RoiIds>(rule_) && std::get<RoiIds>(rule_).pairs;
  if (placing_.grid != nullptr) placing_.box = check_grid(*placing_.grid);
  placing_.shifts = clock_shifts(database_, visits_.timezone, placing_.period.begin, placing_.period.end);
  files_ = source_files(database_, source_);
  convert();
  tables_ = read_tables(database_, source_, rule_, readable_.files);
  checks_ = row_checks(tables_.front().fields);
  prepare_rois();
  sink_.emplace(placing_, checks_.size());
}

void Reader::convert() {
  const bool needed = std::any_of(files_.begin(), files_.end(),
                                  [&](const std::string& file) { return needs_conversion(source_, file); });
  if (needed) {
    made_.emplace(options_.temp_directory, "hearsay-");
    convert_files(database_, source_, files_, made_->path(), readable_);
  } else {
    readable_.files = files_;
  }
}

void Reader::prepare_rois() {
  if (placing_.grid != nullptr) {
    visits_.rois = grid_rois(*placing_.grid);
    visits_.columns = placing_.grid->cols;
  } else if (const auto* zones = std::get_if<Zones>(&rule_)) {
    placing_.zones = &zones_.emplace(*zones);
    visits_.rois = zones_->rois();
  } else if (const auto& ids = std::get<RoiIds>(rule_); !ids.list.empty()) {
    visits_.rois = read_roi_list(database_, ids);
    for (const Roi& roi : visits_.rois) listed_.add(roi.id, IdTable::hash(roi.id));
    placing_.listed = &listed_;
    if (ids.pairs) visits_.rois = pairs_of(visits_.rois, ids.list);
  }
}

void Reader::scan() {
  storage::clear_rejects(database_);
  std::vector<std::string> found;
  if (options_.careful || !scan_all_lines()) {
    const bool may_ask = source_.time_format == TimeFormat::kAuto && source_.format != Format::kCabs;
    if (!scan_all_rows(may_ask)) {
      found = find_time_patterns(database_, tables_);
      scan_all_rows(false);
    }
  }
  name_time_format(found);
  if (options_.progress) options_.progress("reading", 100, 100);
}

bool Reader::scan_all_lines() {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const storage::Layout& layout = tables_[i].table.layout;
    const bool may_be_ordinary =
        layout.kind == storage::FileKind::kDelimited && layout.line_header && tables_[i].fields.plain();
    if (!may_be_ordinary || !scan_lines(i)) return false;
  }
  return true;
}

bool Reader::scan_all_rows(bool until_odd_time) {
  sink_->clear();
  storage::clear_rejects(database_);
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (!scan_rows(i, until_odd_time)) return false;
  }
  return true;
}

void Reader::name_time_format(const std::vector<std::string>& found) {
  visits_.time_format = fmt::format("{}", fmt::join(found.empty() ? source_.time_patterns : found, ", "));
  if (found.empty()) return;
  visits_.warnings.push_back(
      fmt::format("times are read as {}, which fits the data; set data.time_format to say so", visits_.time_format));
}

bool Reader::scan_lines(std::size_t table) {
  const LineParser parser(tables_[table].table.layout, tables_[table].fields);
  const Fields& fields = tables_[table].fields;
  const bool by_path = !fields.columns.contains("uid");
  const std::string name = fmt::format("take_lines_{}", table);
  database_.add_consumer(name, {DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_VARCHAR}, [&, parser](const storage::Chunk& chunk) {
    LineParser lines_of_chunk = parser;
    Collector& collector = sink_->collector();
    const auto* lines = chunk.values<duckdb_string_t>(0);
    const auto* paths = chunk.values<duckdb_string_t>(1);
    const bool blanks = chunk.has_nulls(0);
    std::string_view path;
    std::string_view user;
    for (std::size_t row = 0; row < chunk.rows(); ++row) {
      if (blanks && chunk.is_null(0, row)) continue;
      const std::string_view line = storage::view_of(lines[row]);
      if (line.empty()) continue;
      // Rows of a file follow each other.
      if (const std::string_view next = storage::view_of(paths[row]); by_path && next.data() != path.data()) {
        path = next;
        user = user_of_path(path, fields);
      }
      if (lines_of_chunk.parse(line, user, collector)) continue;
      throw OddLine();
    }
    collector.flush();
  });
  try {
    query(fmt::format("SELECT max({}(line, path)) FROM ({})", name, storage::lines_sql(tables_[table].table.layout, 1)),
          table);
  } catch (const storage::DatabaseError&) {
    return false;  // if it is not an odd line, the careful way says what it is
  }
  return true;
}

// False where it was given up at a time that is none.
bool Reader::scan_rows(std::size_t table, bool until_odd_time) {
  const std::string name = fmt::format("take_rows_{}_{}", table, until_odd_time);
  const Fields& fields = tables_[table].fields;
  std::atomic<bool> odd = false;
  database_.add_consumer(name, consumer_columns(fields), [&](const storage::Chunk& chunk) {
    Collector& collector = sink_->collector();
    take_rows(chunk, fields, collector);
    for (std::size_t i = 0; until_odd_time && i < checks_.size(); ++i) {
      if (!checks_[i].odd_time || collector.bad(i) == 0) continue;
      odd = true;
      throw OddLine();
    }
  });
  try {
    query(take_rows_sql(tables_[table], name), table);
  } catch (const storage::DatabaseError& error) {
    if (odd) return false;
    // DuckDB's text names the file where there are several.
    throw InputError({one_line(files_.front()), 0, ""}, storage::first_line(error.what()));
  }
  return true;
}

void Reader::query(const std::string& sql, std::size_t table) {
  storage::QueryProgress progress;
  if (options_.progress) {
    progress = [&](double percent) {
      const double whole =
          (static_cast<double>(table) * 100 + std::clamp(percent, 0.0, 100.0)) / static_cast<double>(tables_.size());
      options_.progress("reading", static_cast<std::uint64_t>(whole), 100);
    };
  }
  database_.execute(sql, {storage::literal_paths(tables_[table].table.files)}, progress);
}

void Reader::tally() {
  Tally& tally = visits_.tally;
  const SinkCounts counts = sink_->counts();
  tally.events = counts.events;
  tally.used = counts.used;
  tally.outside_period = counts.outside_period;
  tally.outside_rois = counts.outside_rois;
  tally.at_midnight = counts.at_midnight;
  const std::vector<std::uint64_t> by_epoch = sink_->events_by_epoch();
  if (const auto busiest = std::max_element(by_epoch.begin(), by_epoch.end()); busiest != by_epoch.end()) {
    tally.in_busiest_epoch = *busiest;
    tally.busiest_epoch = static_cast<std::uint32_t>(busiest - by_epoch.begin());
  }
  for (std::size_t i = 0; i < checks_.size(); ++i) {
    if (counts.bad[i] > 0) tally.bad_rows[checks_[i].reason] += counts.bad[i];
  }
  for (const auto& [reason, count] : storage::count_rejects(database_)) tally.bad_rows[reason] += count;
  for (const auto& [reason, count] : readable_.bad_rows) tally.bad_rows[reason] += count;
  tally.rows = tables_.front().fields.ends() ? tally.events / 2 : tally.events;
  for (const auto& [reason, count] : tally.bad_rows) tally.rows += count;
  check_swapped();
  if (!tally.bad_rows.empty() && source_.bad_rows == BadRows::kStop)
    throw_first_bad_row(database_, tables_, readable_.files);
  check_rows();
  TimeSpan span = counts.civil;
  if (!counts.absolute.empty()) {
    span.add(to_civil(database_, visits_.timezone, counts.absolute.first));
    span.add(to_civil(database_, visits_.timezone, counts.absolute.last));
  }
  last_civil_ = span.last;
  visits_.first_event = format_civil(span.first);
  visits_.last_event = format_civil(span.last);
}

// Most of the world's cities are further east or west than any place is north or south.
void Reader::check_swapped() const {
  const Tally& tally = visits_.tally;
  const auto found = tally.bad_rows.find("lat out of range");
  if (found == tally.bad_rows.end() || found->second * 10 < tally.rows * 9) return;
  throw InputError(
      {one_line(files_.front()), 0, ""},
      fmt::format("{} of {} rows have a latitude beyond 90: latitude and longitude seem to be swapped; map "
                  "them the other way round with data.columns.lat and data.columns.lng",
                  found->second, tally.rows));
}

void Reader::check_rows() const {
  const Tally& tally = visits_.tally;
  if (tally.rows == 0) throw InputError({one_line(files_.front()), 0, ""}, "no rows");
  if (tally.events > 0) return;
  std::string reasons;
  for (const auto& [reason, count] : tally.bad_rows) reasons += fmt::format("; {}: {}", reason, count);
  throw InputError({one_line(files_.front()), 0, ""}, fmt::format("all {} rows are bad{}", tally.rows, reasons));
}

void Reader::check_not_empty() {
  const Tally& tally = visits_.tally;
  if (tally.used > 0) return;
  if (tally.outside_rois == 0) {
    throw ConfigError(
        "period.start", quoted_value(period_.start),
        fmt::format("no event in the study period, which ends {}; the data goes from {} to {} ({})",
                    format_civil(placing_.period.end), visits_.first_event, visits_.last_event, visits_.timezone));
  }
  if (const auto* ids = std::get_if<RoiIds>(&rule_)) {
    throw ConfigError("rois", quoted_value(ids->list),
                      fmt::format("none of the {} ids in the list is in the study period's {} events",
                                  visits_.rois.size(), tally.outside_rois));
  }
  storage::Values files;
  for (const ReadTable& read : tables_) files.emplace_back(storage::literal_paths(read.table.files));
  storage::QueryRows extent = database_.execute(extent_sql(tables_, placing_), files);
  extent.next();
  const std::string where =
      fmt::format("in the study period the data goes from {} to {} N, {} to {} E", extent.number(0, 0),
                  extent.number(1, 0), extent.number(2, 0), extent.number(3, 0));
  if (placing_.grid == nullptr) {
    throw ConfigError("rois", quoted_value(std::get<Zones>(rule_).list), "no event in any zone; " + where);
  }
  const Grid& grid = *placing_.grid;
  const bool swapped = extent.number(0, 0) < grid.east && extent.number(1, 0) >= grid.west &&
                       extent.number(2, 0) < grid.north && extent.number(3, 0) >= grid.south;
  throw ConfigError("rois", fmt::format("{}..{} N, {}..{} E", grid.south, grid.north, grid.west, grid.east),
                    fmt::format("no event in the box; {}{}", where,
                                swapped ? ": latitude and longitude seem to be swapped (data.columns.lat, "
                                          "data.columns.lng)"
                                        : ""));
}

void Reader::warn_of_short_data() {
  if (placing_.period.end - last_civil_ <= 86400 * kSecond) return;  // nights are quiet
  visits_.warnings.push_back(
      fmt::format("the study period ends {}, but the last event is at {}: the epochs after it are empty",
                  format_civil(placing_.period.end), visits_.last_event));
}

}  // namespace

Visits read_visits(const Source& source, const RoiRule& rois, const Period& period, const Options& options) {
  check_source(source, rois);
  try {
    return Reader(source, rois, period, options).read();
  } catch (const storage::DatabaseError& error) {
    if (options.stop.stop_requested()) throw Cancelled();
    // What no stage expected: a broken file that DuckDB takes for a bug of its own.
    const std::string what = source.paths.empty() ? "the table" : one_line(source.paths.front());
    throw InputError({what, 0, ""}, "cannot be read: " + storage::first_line(error.what()));
  } catch (...) {
    // What an interrupted query leaves behind may fail in any way.
    if (options.stop.stop_requested()) throw Cancelled();
    throw;
  }
}

}  // namespace hearsay::ingest
