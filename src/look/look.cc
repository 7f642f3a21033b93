// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/civil_time.h"
#include "base/errors.h"
#include "base/temporary_folder.h"
#include "ingest/converted_files.h"
#include "ingest/source_tables.h"
#include "ingest/time_survey.h"
#include "look/guess.h"
#include "look/period.h"
#include "look/survey.h"
#include "look/time_zones.h"
#include "storage/arrow_table.h"
#include "storage/sql_text.h"

namespace hearsay::look {
namespace {


// Whether times were read as ISO 8601 or Unix time; else by which patterns.
void read_patterns(storage::Database& database, std::vector<ingest::ReadTable>& tables, Sight& sight) {
  if (sight.source.time_format != ingest::TimeFormat::kAuto || sight.source.format == ingest::Format::kCabs) return;
  const std::vector<std::string> patterns = ingest::find_time_patterns(database, tables);
  if (patterns.empty()) return;
  sight.source.time_format = ingest::TimeFormat::kPatterns;
  sight.source.time_patterns = patterns;
  sight.reasons.push_back({"data.time_format", "it reads the times of the data"});
}

std::string guess_zone(const std::optional<std::pair<double, double>>& middle, Sight& sight) {
  if (sight.source.columns.contains("utc_offset")) return "UTC";  // the clock of each place, as written
  if (!middle) return "UTC";
  sight.source.timezone = nearest_time_zone(middle->first, middle->second);
  sight.reasons.push_back({"data.timezone", fmt::format("a guess: the zone of the town nearest to {:.2f}, {:.2f}",
                                                        middle->first, middle->second)});
  return sight.source.timezone;
}

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f}%", whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

void note_odd_people(const Survey& survey, Sight& sight) {
  if (survey.users == 1) sight.odd.emplace_back("everything is of one user");
  if (2 * survey.once > survey.users && survey.users > 1) {
    sight.odd.push_back(fmt::format("{} of the users have one event: is the column of users one of trips?",
                                    share_of(survey.once, survey.users)));
  }
  if (20 * survey.repeats > survey.events) {
    sight.odd.push_back(fmt::format("{} of the events are there more than once (same user, time and place)",
                                    share_of(survey.repeats, survey.events)));
  }
  if (!sight.coordinates && survey.places > 20'000) {
    sight.odd.push_back(fmt::format("{} places: most counts will be 0 or 1; larger ones tell more", survey.places));
  }
}

void note_odd_times(const Survey& survey, Sight& sight) {
  if (4 * survey.at_midnight > survey.events) {
    sight.odd.push_back(fmt::format("{} of the events are at midnight exactly: times may be dates only",
                                    share_of(survey.at_midnight, survey.events)));
  }
  const std::int64_t span = survey.late - survey.early + kDay;
  if (survey.early - survey.first > span || survey.last - survey.late > span) {
    sight.odd.push_back(fmt::format("a few events are far from all others in time: the first is of {}, the last of {}",
                                    format_civil(survey.first), format_civil(survey.last)));
  }
  std::int64_t longest = 0;
  std::int64_t since = 0;
  for (std::size_t i = 1; i < survey.days.size(); ++i) {
    const std::int64_t gap = survey.days[i].first - survey.days[i - 1].first - kDay;
    if (gap <= longest || survey.days[i - 1].first < survey.early - kDay || survey.days[i].first > survey.late)
      continue;
    longest = gap;
    since = survey.days[i - 1].first + kDay;
  }
  if (longest > 0) {
    sight.odd.push_back(
        fmt::format("{} days in a row have no event, from {}", longest / kDay, format_civil(since).substr(0, 10)));
  }
  if (sight.source.timezone.empty() && !sight.source.columns.contains("utc_offset") && survey.absolute) {
    sight.odd.emplace_back("times are absolute and nothing says where they are: set data.timezone, UTC is used");
  }
}

void note_odd_places(const Survey& survey, Sight& sight) {
  if (!sight.coordinates || survey.events == 0) return;
  const double high = survey.lat.p99 - survey.lat.p01;
  const double wide = survey.lng.p99 - survey.lng.p01;
  if (high > 10 || wide > 10) {
    sight.odd.push_back(
        fmt::format("events are spread over {:.0f} x {:.0f} degrees: choose a box of one city", high, wide));
  }
  if (high == 0 && wide == 0) sight.odd.emplace_back("all events are at one point");
}

void look_inside(storage::Database& database, std::vector<ingest::ReadTable> tables, Sight& sight) {
  read_patterns(database, tables, sight);
  sight.survey = survey(database, tables, [&](const auto& middle) { return guess_zone(middle, sight); });
  if (sight.survey->events == 0) {
    sight.problem = "no row can be read as an event";
    for (const auto& [reason, count] : sight.survey->bad_rows)
      sight.problem += fmt::format("; {}: {} rows", reason, count);
    return;
  }
  guess_period(sight);
  if (!sight.period)
    sight.problem = "all events are within an hour: there is nothing to observe before what is inferred";
  guess_places(sight);
  note_odd_people(*sight.survey, sight);
  note_odd_times(*sight.survey, sight);
  note_odd_places(*sight.survey, sight);
  std::uint64_t bad = 0;
  for (const auto& [reason, count] : sight.survey->bad_rows) bad += count;
  if (bad > 0) {
    sight.source.bad_rows = ingest::BadRows::kSkip;
    sight.reasons.push_back(
        {"data.bad_rows", fmt::format("{} of the rows cannot be read", share_of(bad, sight.survey->rows))});
  }
}

// Archives unpacked, tracks and paths as rows of points, in temporary folders.
class ReadableFiles {
 public:
  ReadableFiles(storage::Database& database, const std::string& temporary)
      : database_(database), temporary_(temporary) {}

  const std::vector<std::string>& of(const Sight& sight) {
    const bool needed = std::any_of(sight.files.begin(), sight.files.end(), [&](const std::string& file) {
      return ingest::needs_conversion(sight.source, file);
    });
    converted_ = {};
    converted_.files = sight.files;
    if (!needed) return converted_.files;
    made_.emplace_back(temporary_, "hearsay-");
    ingest::Source source = sight.source;
    source.bad_rows = ingest::BadRows::kSkip;
    converted_ = {};
    ingest::convert_files(database_, source, sight.files, made_.back().path(), converted_);
    return converted_.files;
  }
  const ingest::ConvertedFiles& converted() const { return converted_; }

 private:
  storage::Database& database_;
  std::string temporary_;
  std::deque<TemporaryFolder> made_;
  ingest::ConvertedFiles converted_;
};

// What cannot be studied is still shown with its columns.
void look_at_tables(storage::Database& database, ReadableFiles& readable, Sight& sight) {
  try {
    look_inside(database,
                ingest::read_tables(database, sight.source, placing_of(sight),
                                    sight.source.table != nullptr ? sight.files : readable.of(sight)),
                sight);
    if (!sight.survey) return;
    for (const auto& [reason, count] : readable.converted().bad_rows) {
      sight.survey->bad_rows[reason] += count;
      sight.source.bad_rows = ingest::BadRows::kSkip;
    }
  } catch (const InputError& error) {
    sight.problem = ingest::as_given(error, readable.converted().given).what();
  }
}

// A file whose names are plain may have rows that are not.
void look_again_as_latin(storage::Database& database, ReadableFiles& readable, Sight& sight) {
  if (!sight.survey || !sight.survey->bad_rows.contains("not UTF-8") || !sight.source.text.encoding.empty()) return;
  Sight latin;
  latin.files = sight.files;
  latin.source.paths = sight.source.paths;
  latin.source.text.encoding = "latin-1";
  latin.reasons.push_back({"data.encoding", "it is not UTF-8"});
  const std::string& file = readable.of(latin).front();
  guess_source(database, storage::read_layout(database, file, latin.source.text), file, latin);
  look_at_tables(database, readable, latin);
  sight = std::move(latin);
}

bool is_track(const std::string& file) {
  return file.ends_with(".gpx") || file.ends_with(".GPX");
}

storage::DatabaseOptions options_of(const ingest::Options& options) {
  return {options.threads, options.memory_bytes, options.temp_directory, options.stop};
}

Sight look_at_files(const std::vector<std::string>& paths, const ingest::Options& options) {
  storage::Database database(options_of(options));
  ReadableFiles readable(database, options.temp_directory);
  Sight sight;
  sight.source.paths = paths_for(paths, sight);
  if (sight.feed == "cabs") {
    sight.source.format = ingest::Format::kCabs;
    sight.coordinates = true;
    sight.reasons.push_back({"data.format", "files are called new_*.txt"});
    for (const auto& column : ingest::cab_layout().columns) sight.columns.push_back({column.name, column.type, {}});
  }
  sight.files = ingest::source_files(database, sight.source);
  if (sight.feed != "cabs" && is_track(sight.files.front())) {
    take_feed("gpx", sight);
    sight.reasons.push_back({"data.format", "by the ending of the name"});
  } else if (sight.feed != "cabs") {
    guess_source(database, readable.of(sight).front(), sight);
  }
  look_at_tables(database, readable, sight);
  if (sight.feed == "events" || sight.feed == "trips") look_again_as_latin(database, readable, sight);
  return sight;
}

Sight look_at_table(std::shared_ptr<const storage::ArrowTable> table, const ingest::Options& options) {
  Sight sight;
  sight.source.table = std::move(table);
  {
    storage::Database guessing(options_of(options));  // a table is attached to a database once
    sight.files = ingest::source_files(guessing, sight.source);
    sight.source.table->attach(guessing);
    guess_source(guessing, sight.source.table->layout(guessing), sight.files.front(), sight);
  }
  storage::Database database(options_of(options));
  ReadableFiles readable(database, options.temp_directory);
  look_at_tables(database, readable, sight);
  return sight;
}

// What DuckDB cannot read is a problem of the data.
template <typename Look>
Sight answered(const std::string& name, const Look& look) {
  try {
    return look();
  } catch (const storage::DatabaseError& error) {
    throw InputError({one_line(name), 0, ""}, "cannot be read: " + storage::first_line(error.what()));
  }
}

}  // namespace

Sight look_at(const std::vector<std::string>& paths, const ingest::Options& options) {
  return answered(paths.front(), [&] { return look_at_files(paths, options); });
}

Sight look_at(std::shared_ptr<const storage::ArrowTable> table, const ingest::Options& options) {
  const std::string name = table->name();
  return answered(name, [&] { return look_at_table(std::move(table), options); });
}

}  // namespace hearsay::look
