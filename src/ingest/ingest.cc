// SPDX-License-Identifier: Apache-2.0
#include "ingest/ingest.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "base/text_table.h"
#include "ingest/conclusion.h"
#include "ingest/converted_files.h"
#include "ingest/diagnosis.h"
#include "ingest/line_check.h"
#include "ingest/placement.h"
#include "ingest/scanner.h"
#include "ingest/settings.h"
#include "ingest/source_tables.h"
#include "ingest/time_survey.h"
#include "ingest/trip_places.h"
#include "storage/file_digest.h"
#include "storage/plain_bytes.h"
#include "storage/sql_text.h"
#include "storage/table_file.h"

namespace hearsay::ingest {
namespace {

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
  std::vector<std::string> scan(Scanner& scanner);
  std::vector<std::string> scan_with_care(Scanner& scanner);
  void conclude(Facts facts, const std::vector<std::string>& patterns_found);
  void find_settings();
  const std::string& folder();

  const Source& source_;
  const RoiRule& rule_;
  const Period& period_;
  const Options& options_;
  storage::Database database_;
  std::vector<std::string> files_;
  std::optional<TemporaryFolder> made_;  // for what is made of files that need it
  ConvertedFiles readable_;
  std::vector<ReadTable> tables_;
  std::optional<Placement> placement_;
  std::optional<LineCheck> lines_;  // where rows were read with care
  std::map<std::string, std::uint64_t> left_out_;
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
  const auto* ids = std::get_if<RoiIds>(&rule_);
  const auto* zones = std::get_if<Zones>(&rule_);
  storage::FileDigests digests(source_.table == nullptr ? files_ : std::vector<std::string>{},
                               source_.format == Format::kCabs ? source_.paths.front() : "",
                               zones != nullptr ? zones->list
                               : ids == nullptr ? ""
                                                : ids->list);
  Scanner scanner(database_, tables_, placement_->placing(), options_, files_.front());
  const std::vector<std::string> patterns_found = scan(scanner);
  conclude(scanner.facts(), patterns_found);
  scanner.finish(visits_);
  if (source_.format == Format::kTrips && !placement_->placing().pairs && placement_->places_seen()) {
    name_trip_places(database_, tables_, source_, visits_.rois);
  }
  visits_.inputs = digests.get();
  return std::move(visits_);
}

void Reader::prepare() {
  // Settings that make no sense are told of before files that are not there, and those before lists of places.
  check_timezone(database_, timezone_of(source_));
  check_period(period_);
  if (const auto* grid = std::get_if<Grid>(&rule_)) check_grid(*grid);
  files_ = source_files(database_, source_);
  convert();
  // Before places take memory: a grid may have a million.
  if (options_.check_size && source_.table == nullptr)
    options_.check_size(storage::rows_by_size(database_, readable_.files));
  tables_ = read_tables(database_, source_, rule_, readable_.files);
  placement_.emplace(database_, rule_, period_, timezone_of(source_));
  visits_.rois = placement_->rois();
  visits_.columns = placement_->columns();
}

void Reader::convert() {
  const bool needed = std::any_of(files_.begin(), files_.end(),
                                  [&](const std::string& file) { return needs_conversion(source_, file); });
  if (needed) {
    convert_files(database_, source_, files_, folder(), readable_);
  } else {
    readable_.files = files_;
  }
}

const std::string& Reader::folder() {
  if (!made_) made_.emplace(options_.temp_directory, "hearsay-");
  return made_->path();
}

// The patterns of times, where they had to be found.
std::vector<std::string> Reader::scan(Scanner& scanner) {
  std::vector<std::string> found;
  bool ordinary = false;
  {
    // DuckDB takes the beginning of a file that is cut off for the whole file, and its errors about damage are unclear.
    storage::CompressedFiles whole(source_.table == nullptr ? readable_.files : std::vector<std::string>{},
                                   options_.threads);
    try {
      ordinary = !options_.careful && scanner.scan_all_lines();
    } catch (const InputError&) {
      whole.check();
      throw;
    }
    whole.check();
  }
  if (!ordinary) found = scan_with_care(scanner);
  if (options_.progress) options_.progress("reading", 100, 100);
  return found;
}

std::vector<std::string> Reader::scan_with_care(Scanner& scanner) {
  using End = Scanner::End;
  lines_.emplace(tables_, readable_.given,
                 LineCheckOptions{source_.bad_rows, source_.line_breaks(), folder(), options_.threads, options_.stop});
  const bool may_ask = source_.time_format == TimeFormat::kAuto && source_.format != Format::kCabs;
  const bool strict = source_.bad_rows == BadRows::kStop;
  std::vector<std::string> found;
  End end = scanner.scan_all_rows(may_ask, strict);
  bool malformed = end == End::kMalformedRow;
  // The error about a bad row must not depend on which row the threads came to first.
  if (malformed && may_ask) end = scanner.scan_all_rows(true, false);
  if (end == End::kOddTime) {
    found = find_time_patterns(database_, tables_);
    malformed = malformed || scanner.scan_all_rows(false, strict) == End::kMalformedRow;
  }
  if (strict) {
    if (malformed) left_out_["bad row"] = 1;  // the first is looked for, and said
  } else {
    left_out_ = lines_->left_out(scanner.rows_of_text());
  }
  return found;
}

void Reader::conclude(Facts facts, const std::vector<std::string>& patterns_found) {
  for (const auto* left_out : {&readable_.bad_rows, &left_out_}) {
    for (const auto& [reason, count] : *left_out) {
      facts.bad_rows[reason] += count;
      facts.rows += count;
    }
  }
  const Asked asked{source_, rule_, period_, files_.front(), visits_.rois.size()};
  Conclusion said = ingest::conclude(database_, facts, asked, patterns_found,
                                     [&] { throw_first_bad_row(database_, tables_, readable_.files); });
  visits_.tally = std::move(said.tally);
  visits_.timezone = std::move(said.timezone);
  visits_.time_format = std::move(said.time_format);
  visits_.first_event = std::move(said.first_event);
  visits_.last_event = std::move(said.last_event);
  visits_.warnings = std::move(said.warnings);
  visits_.found = std::move(said.found);
  find_settings();
}

// Adds the settings that only the layouts of the tables and the lines of the files say.
void Reader::find_settings() {
  const auto found = [&](const std::string& key, const std::string& value) {
    const bool known = std::any_of(visits_.found.begin(), visits_.found.end(), [&](const FoundSetting& setting) {
      return setting.key == key && setting.value == value;
    });
    if (!known) visits_.found.push_back({key, value});
  };
  for (const ReadTable& read : tables_) {
    const storage::Layout& layout = read.table.layout;
    // A header is nobody's row.
    const bool rows_only = !source_.text.header && source_.format != Format::kCabs;
    if (layout.kind != storage::FileKind::kDelimited || !rows_only) continue;
    if (source_.text.separator == '\0') {
      found("data.separator", layout.delimiter == '\t' ? "\"\\t\"" : fmt::format("\"{}\"", layout.delimiter));
    }
    if (source_.text.encoding.empty() && !layout.encoding.empty()) {
      found("data.encoding", '"' + layout.encoding + '"');
    }
  }
  if (!lines_ || lines_->rows_with_line_breaks() == 0) return;
  found("data.line_breaks", "false");
  const InputPlace& first = lines_->first_line_break();
  visits_.warnings.push_back(
      fmt::format("{} rows go on over several lines between double quotes, the first from {}:{} on; where values have "
                  "no line breaks, a double quote that is not closed takes other rows along: set data.line_breaks = "
                  "false",
                  with_commas(lines_->rows_with_line_breaks()), first.file, first.line));
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
