// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/civil_time.h"
#include "base/errors.h"
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

constexpr std::int64_t kDay = 86400 * kSecond;

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

// What cannot be studied is still shown with its columns.
void look_at_tables(storage::Database& database, Sight& sight) {
  try {
    look_inside(database, ingest::read_tables(database, sight.source, placing_of(sight), sight.files), sight);
  } catch (const InputError& error) {
    sight.problem = error.what();
  }
}

}  // namespace

Sight look_at(const std::vector<std::string>& paths, const ingest::Options& options) {
  storage::Database database({options.threads, options.memory_bytes, options.temp_directory, options.stop});
  Sight sight;
  sight.source.paths = paths_for(paths, sight);
  if (sight.feed == "cabs") {
    sight.source.format = ingest::Format::kCabs;
    sight.coordinates = true;
    sight.reasons.push_back({"data.format", "files are called new_*.txt"});
    sight.files = ingest::source_files(database, sight.source);
    for (const auto& column : ingest::cab_layout().columns) sight.columns.push_back({column.name, column.type, {}});
  } else {
    sight.files = ingest::source_files(database, sight.source);
    const std::string& file = sight.files.front();
    guess_source(database, storage::read_layout(database, file), file, sight);
  }
  look_at_tables(database, sight);
  return sight;
}

Sight look_at(std::shared_ptr<const storage::ArrowTable> table, const ingest::Options& options) {
  storage::Database database({options.threads, options.memory_bytes, options.temp_directory, options.stop});
  Sight sight;
  sight.source.table = std::move(table);
  sight.files = ingest::source_files(database, sight.source);
  sight.source.table->attach(database);
  guess_source(database, sight.source.table->layout(database), sight.files.front(), sight);
  look_at_tables(database, sight);
  return sight;
}

}  // namespace hearsay::look
