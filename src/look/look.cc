// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "ingest/columns.h"
#include "ingest/converted_files.h"
#include "ingest/line_check.h"
#include "ingest/source_tables.h"
#include "ingest/time_pattern.h"
#include "ingest/time_survey.h"
#include "ingest/time_zone.h"
#include "look/encoding.h"
#include "look/guess.h"
#include "look/middle.h"
#include "look/notes.h"
#include "look/period.h"
#include "look/study_text.h"
#include "look/survey.h"
#include "look/time_zones.h"
#include "look/toml_text.h"
#include "storage/arrow_table.h"
#include "storage/sql_text.h"

namespace hearsay::look {
namespace {

// Reads times as ISO 8601 or Unix time; else finds the patterns they are written in.
void read_patterns(storage::Database& database, std::vector<ingest::ReadTable>& tables, Sight& sight) {
  if (sight.source.time_format != ingest::TimeFormat::kAuto || sight.source.format == ingest::Format::kCabs) return;
  const std::vector<std::string> patterns = ingest::find_time_patterns(database, tables);
  if (patterns.empty()) return;
  sight.source.time_format = ingest::TimeFormat::kPatterns;
  sight.source.time_patterns = patterns;
  sight.reasons.push_back({"data.time_format", "it reads the times of the data"});
}

// Where each time can have the month or the day first: the month is taken, and both are choices.
bool is_either_order(storage::Database& database, const std::string& problem, const std::string& file, Sight& sight) {
  for (const ingest::CommonPattern& pattern : ingest::common_patterns()) {
    if (pattern.day_first.empty()) continue;
    Unknown unknown{"data.time_format", "does the month or the day come first?", {}};
    bool all = true;
    for (const auto& [order, says] :
         {std::pair{pattern.pattern, "the month first"}, std::pair{pattern.day_first, "the day first"}}) {
      ingest::Source read = reading_of(sight);
      read.time_format = ingest::TimeFormat::kPatterns;
      read.time_patterns = {order};
      all = all && readable_share(database, read, placing_of(sight), file) > 0.5;
      unknown.choices.push_back({{{"data.time_format", toml_text(order)}}, says});
    }
    if (!all) continue;
    sight.source.time_format = ingest::TimeFormat::kPatterns;
    sight.source.time_patterns = {pattern.pattern};
    sight.unknowns.push_back(std::move(unknown));
    if (sight.problem.empty()) sight.problem = problem;
    return true;
  }
  return false;
}

// Reads the coordinates the right way round, or says which two settings do.
void mend_swapped(storage::Database& database, std::vector<ingest::ReadTable>& tables, Sight& sight) {
  if (sight.feed != "events" && sight.feed != "trips") return;
  const storage::Table& table = tables.front().table;
  for (const char* end : {"", "start_", "end_"}) {
    const std::string lat = fmt::format("{}lat", end);
    const std::string lng = fmt::format("{}lng", end);
    const bool given = sight.given.has("data.columns." + lat) || sight.given.has("data.columns." + lng);
    const std::optional<Point> middle = given ? std::nullopt : middle_of(database, table, sight.source, lat, lng);
    const Swapped swapped = middle ? looks_swapped(*middle) : Swapped::kNo;
    if (swapped == Swapped::kNo) continue;
    const auto label = [&](const std::string& name) {
      const std::size_t column = *ingest::find_column(table.layout, table.files.front(), name, sight.source.columns);
      return sight.source.text.header ? table.layout.columns[column].name : std::to_string(column + 1);
    };
    const std::string lats = label(lat);
    const std::string lngs = label(lng);
    const std::string lines =
        fmt::format("data.columns.{} = {} and data.columns.{} = {}", lat, quoted_value(lngs), lng, quoted_value(lats));
    if (swapped == Swapped::kPerhaps) {
      sight.odd.push_back(
          fmt::format("latitude and longitude may be swapped, since {:.2f}, {:.2f} is far from any town: {} swap them",
                      middle->lat, middle->lng, lines));
      continue;
    }
    sight.source.columns[lat] = lngs;
    sight.source.columns[lng] = lats;
    const std::string why = fmt::format("latitude and longitude are swapped: {:.2f}, {:.2f} would be far from any town",
                                        middle->lat, middle->lng);
    sight.odd.push_back(fmt::format("{}; they are read the other way round, by {}", why, lines));
    for (const std::string& name : {lat, lng}) sight.reasons.push_back({"data.columns." + name, why});
    for (ingest::ReadTable& read : tables) {
      auto& columns = read.fields.columns;
      if (columns.contains(lat)) std::swap(columns.at(lat), columns.at(lng));
    }
  }
}

// Where the data are: the city, the places of a list, or the columns of coordinates that the rows have besides.
std::optional<Point> middle_of_data(storage::Database& database, const storage::Table& table,
                                    const std::optional<City>& city, const Sight& sight) {
  if (city) return Point{city->lat, city->lng};
  if (sight.given.rois) {
    if (const auto middle = middle_of(database, *sight.given.rois)) return middle;
  }
  for (const char* end : {"", "start_", "end_"}) {
    const auto middle = middle_of(database, table, sight.source, fmt::format("{}lat", end), fmt::format("{}lng", end));
    if (middle && std::abs(middle->lat) <= 90 && std::abs(middle->lng) <= 180) return middle;
  }
  return std::nullopt;
}

std::string guess_zone(storage::Database& database, const std::optional<Point>& middle, Sight& sight) {
  if (!sight.source.timezone.empty()) {
    ingest::check_timezone(database, sight.source.timezone);
    return sight.source.timezone;
  }
  if (sight.source.columns.contains("utc_offset") || !middle) return "UTC";
  sight.source.timezone = nearest_town(middle->lat, middle->lng).time_zone;
  sight.reasons.push_back({"data.timezone", fmt::format("a guess: the zone of the town nearest to {:.2f}, {:.2f}",
                                                        middle->lat, middle->lng)});
  return sight.source.timezone;
}

void look_inside(storage::Database& database, std::vector<ingest::ReadTable> tables, Sight& sight) {
  std::map<std::string, std::string> copies;  // there are none where rows may have line breaks
  const ingest::LineCheck lines(tables, copies, {ingest::BadRows::kSkip, true, "", 1, {}});
  mend_swapped(database, tables, sight);
  sight.survey = survey(database, tables, [&](const auto& city) {
    return guess_zone(database, middle_of_data(database, tables.front().table, city, sight), sight);
  });
  count_left_out(database, tables, lines, sight);
  if (sight.survey->events == 0) {
    sight.problem = "no row can be read as an event";
    for (const auto& [reason, count] : sight.survey->bad_rows)
      sight.problem += fmt::format("; {}: {} rows", reason, count);
    return;
  }
  if (sight.stand_ins.contains("uid")) {
    Survey& seen = *sight.survey;
    seen.users = seen.most_of_a_user = seen.user_days = seen.once = seen.repeats = 0;
    seen.of_a_user = {};
  }
  guess_period(sight);
  guess_places(sight);
  note_what_is_odd(sight);
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

// Where each time can have the month or the day first, the month is taken, and the order is unknown.
std::vector<ingest::ReadTable> tables_with_times(storage::Database& database, const std::vector<std::string>& files,
                                                 Sight& sight) {
  const auto read = [&] { return ingest::read_tables(database, reading_of(sight), placing_of(sight), files); };
  std::vector<ingest::ReadTable> tables = read();
  try {
    read_patterns(database, tables, sight);
    return tables;
  } catch (const InputError& error) {
    const bool attached = sight.source.table != nullptr;  // which is done once
    if (attached || !is_either_order(database, error.what(), files.front(), sight)) throw;
  }
  return read();
}

// What cannot be studied is still shown with its columns.
void look_at_tables(storage::Database& database, ReadableFiles& readable, Sight& sight) {
  for (const char* time : {"datetime", "start_time", "end_time"}) {
    if (sight.stand_ins.contains(time)) return;
  }
  try {
    const std::vector<std::string> files = sight.source.table != nullptr ? sight.files : readable.of(sight);
    look_inside(database, tables_with_times(database, files, sight), sight);
    if (!sight.survey) return;
    for (const auto& [reason, count] : readable.converted().bad_rows) {
      sight.survey->bad_rows[reason] += count;
      sight.source.bad_rows = ingest::BadRows::kSkip;
    }
  } catch (const InputError& error) {
    sight.problem = ingest::as_given(error, readable.converted().given).what();
  }
}

// Settings that follow from events are unknown where no event could be read.
void ask_for_the_rest(Sight& sight) {
  using Examples = std::vector<std::pair<const char*, const char*>>;
  const auto settings = [&](const std::string& table, const Examples& examples) {
    Choice choice{{}, "an example"};
    for (const auto& [key, value] : examples) {
      if (!sight.given.has(table + "." + key)) choice.settings.emplace_back(table + "." + key, value);
    }
    return choice;
  };
  const auto ask = [&](const char* question, const Choice& example) {
    if (!example.settings.empty()) sight.unknowns.push_back({example.settings.front().first, question, {example}});
  };
  if (sight.period) return;
  if (sight.given.rois) {
    sight.rois = *sight.given.rois;
  } else if (sight.coordinates) {
    ask("which box holds the places? No event could be read that says it", settings("rois", {{"south", "40.700"},
                                                                                             {"north", "40.800"},
                                                                                             {"west", "-74.050"},
                                                                                             {"east", "-73.900"},
                                                                                             {"rows", "10"},
                                                                                             {"cols", "10"}}));
  } else {
    sight.rois = ingest::RoiIds{};
  }
  ask("which days does the study cover? No event could be read that says it",
      settings("period", {{"start", "2024-01-01"}, {"length", "\"2 weeks\""}, {"observe", "\"1 week\""}}));
}

// A file whose names are plain may have rows that are not. Where rows may go on over several lines, a row that is not
// UTF-8 is only known to be bad.
void look_again_as_latin(storage::Database& database, ReadableFiles& readable, Sight& sight) {
  if (!sight.survey || !sight.source.text.encoding.empty()) return;
  if (!sight.survey->bad_rows.contains("not UTF-8") && !sight.survey->bad_rows.contains("bad row")) return;
  Sight latin;
  latin.given = sight.given;
  latin.files = sight.files;
  latin.source = sight.given.source;
  latin.source.paths = sight.source.paths;
  latin.source.text.encoding = "latin-1";
  latin.reasons.push_back({"data.encoding", "it is not UTF-8"});
  const std::string file = readable.of(latin).front();
  try {
    guess_source(database, storage::read_layout(database, file, latin.source.text), file, latin);
    look_at_tables(database, readable, latin);
  } catch (const storage::DatabaseError&) {
    latin.survey.reset();
  } catch (const InputError&) {
    latin.survey.reset();
  }
  if (latin.survey && latin.survey->events > sight.survey->events) {
    sight = std::move(latin);
  } else if (const std::string better = encoding_of_file(file); !better.empty()) {
    sight.odd.push_back(better);
  }
}

bool is_track(const std::string& file) {
  return file.ends_with(".gpx") || file.ends_with(".GPX");
}

storage::DatabaseOptions options_of(const ingest::Options& options) {
  return {options.threads, options.memory_bytes, options.temp_directory, options.stop};
}

std::string without_quotes(const std::string& toml) {
  return toml.size() < 2 ? "" : toml.substr(1, toml.size() - 2);
}

// The name that data.format has in a study.
std::string given_format(const Given& given) {
  for (const auto& [key, value] : given.settings) {
    if (key == "data.format") return without_quotes(value);
  }
  return "";
}

void guess_cabs(const std::string& why, Sight& sight) {
  sight.feed = "cabs";
  sight.source.format = ingest::Format::kCabs;
  sight.coordinates = true;
  if (!sight.given.has("data.format")) sight.reasons.push_back({"data.format", why});
  for (const auto& column : ingest::cab_layout().columns) sight.columns.push_back({column.name, column.type, {}});
}

Sight look_at_files(const std::vector<std::string>& paths, const ingest::Options& options, const Given& given);

// Each order of month and day has days of its own. The sight keeps the shorter period: what suits it suits the other.
void offer_periods(const std::vector<std::string>& paths, const ingest::Options& options, Sight& sight) {
  const auto order = std::find_if(sight.unknowns.begin(), sight.unknowns.end(),
                                  [](const Unknown& unknown) { return unknown.setting == "data.time_format"; });
  if (order == sight.unknowns.end()) return;
  Unknown days{"period.start", "which days does the study cover? They follow from the order of month and day", {}};
  for (const Choice& choice : order->choices) {
    Given given = sight.given;
    given.settings.push_back(choice.settings.front());
    given.source.time_format = ingest::TimeFormat::kPatterns;
    given.source.time_patterns = {without_quotes(choice.settings.front().second)};
    const Sight one = look_at_files(paths, options, given);
    if (!one.period) continue;
    days.choices.push_back({period_settings(one), choice.evidence});
    if (sight.period && sight.observe <= one.observe) continue;
    sight.period = one.period;
    sight.observe = one.observe;
  }
  sight.unknowns.push_back(std::move(days));
}

Sight look_at_files(const std::vector<std::string>& paths, const ingest::Options& options, const Given& given) {
  storage::Database database(options_of(options));
  ReadableFiles readable(database, options.temp_directory);
  Sight sight;
  sight.given = given;
  sight.source = given.source;
  const std::string format = given_format(given);
  const bool events = format.empty() || format == "events" || format == "trips";
  sight.source.paths = events ? paths_for(paths, sight) : paths;
  const bool cabs = events ? sight.feed == "cabs" : format == "cabs";
  if (cabs) guess_cabs("files are called new_*.txt", sight);
  sight.files = ingest::source_files(database, sight.source);
  if (cabs) {
    look_at_tables(database, readable, sight);
  } else if (!events) {
    take_feed(format, sight);
    look_at_tables(database, readable, sight);
  } else if (format.empty() && is_track(sight.files.front())) {
    take_feed("gpx", sight);
    sight.reasons.push_back({"data.format", "by the ending of the name"});
    look_at_tables(database, readable, sight);
  } else {
    guess_source(database, readable.of(sight).front(), sight);
    look_at_tables(database, readable, sight);
    if (sight.feed == "events" || sight.feed == "trips") look_again_as_latin(database, readable, sight);
  }
  ask_for_the_rest(sight);
  offer_periods(paths, options, sight);
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
  ask_for_the_rest(sight);
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

bool Given::has(const std::string& key) const {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const auto& setting) { return setting.first == key || setting.first.starts_with(key + "."); });
}

Sight look_at(const std::vector<std::string>& paths, const ingest::Options& options, const Given& given) {
  return answered(paths.front(), [&] { return look_at_files(paths, options, given); });
}

Sight look_at(std::shared_ptr<const storage::ArrowTable> table, const ingest::Options& options) {
  const std::string name = table->name();
  return answered(name, [&] { return look_at_table(std::move(table), options); });
}

}  // namespace hearsay::look
