// SPDX-License-Identifier: Apache-2.0
#include "ingest/ingest.h"

#include <algorithm>
#include <optional>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "ingest/conclusion.h"
#include "ingest/converted_files.h"
#include "ingest/diagnosis.h"
#include "ingest/placement.h"
#include "ingest/scanner.h"
#include "ingest/settings.h"
#include "ingest/source_tables.h"
#include "ingest/time_survey.h"
#include "ingest/trip_places.h"
#include "storage/file_digest.h"
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
  void conclude(Facts facts, const std::vector<std::string>& patterns_found);

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
  tables_ = read_tables(database_, source_, rule_, readable_.files);
  placement_.emplace(database_, rule_, period_, timezone_of(source_));
  visits_.rois = placement_->rois();
  visits_.columns = placement_->columns();
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

// The patterns of times, where they had to be found.
std::vector<std::string> Reader::scan(Scanner& scanner) {
  std::vector<std::string> found;
  if (options_.careful || !scanner.scan_all_lines()) {
    const bool may_ask = source_.time_format == TimeFormat::kAuto && source_.format != Format::kCabs;
    if (!scanner.scan_all_rows(may_ask)) {
      found = find_time_patterns(database_, tables_);
      scanner.scan_all_rows(false);
    }
  }
  if (options_.progress) options_.progress("reading", 100, 100);
  return found;
}

void Reader::conclude(Facts facts, const std::vector<std::string>& patterns_found) {
  for (const auto& [reason, count] : readable_.bad_rows) {
    facts.bad_rows[reason] += count;
    facts.rows += count;
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
