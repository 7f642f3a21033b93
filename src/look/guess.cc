// SPDX-License-Identifier: Apache-2.0
#include "look/guess.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "base/errors.h"
#include "ingest/columns.h"
#include "ingest/feeds.h"
#include "ingest/row_checks.h"
#include "look/encoding.h"
#include "look/roles.h"
#include "storage/sql_text.h"

namespace hearsay::look {
namespace {

namespace fs = std::filesystem;
using storage::Layout;

constexpr std::size_t kSample = 500;  // rows that a guess looks at
const ingest::RoiRule kAnywhere = ingest::Grid{-90, 90, -180, 180, 1, 1};

// Some rows as text, column by column.
Sample sample_of(storage::Database& database, const Layout& layout, const std::string& file) {
  std::vector<std::size_t> all;
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    all.push_back(i);
    columns.push_back(fmt::format("CAST(c{} AS VARCHAR)", i));
  }
  Sample sample(all.size());
  storage::QueryRows rows = database.execute(
      fmt::format("SELECT {} FROM ({}) LIMIT {}", fmt::join(columns, ", "), storage::scan_sql(layout, all, 1), kSample),
      {storage::literal_paths({file})});
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      for (std::size_t i = 0; i < all.size(); ++i) sample[i].emplace_back(rows.text(i, row));
    }
  }
  return sample;
}

std::vector<Column> columns_of(const Layout& layout, const Sample& sample) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    Column column{layout.columns[i].name, layout.columns[i].type, {}};
    for (const std::string& value : sample[i]) {
      const std::string shown = one_line(value, 40);
      if (column.examples.size() == 3) break;
      if (shown.empty() || std::find(column.examples.begin(), column.examples.end(), shown) != column.examples.end()) {
        continue;
      }
      column.examples.push_back(shown);
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

bool starts_as_number(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" +-");
  return first != std::string::npos && text[first] >= '0' && text[first] <= '9';
}

// Names of columns are rarely numbers.
bool has_no_names(const Layout& layout) {
  if (layout.kind != storage::FileKind::kDelimited) return false;
  const auto numbers = std::count_if(layout.columns.begin(), layout.columns.end(),
                                     [](const auto& column) { return starts_as_number(column.name); });
  return 3 * numbers >= std::ssize(layout.columns);
}

bool has_column(const Layout& layout, const std::string& name) {
  const std::vector<std::string>& aliases = ingest::column_aliases(name);
  return std::any_of(layout.columns.begin(), layout.columns.end(), [&](const storage::TableColumn& column) {
    return std::find(aliases.begin(), aliases.end(), storage::normalized_name(column.name)) != aliases.end();
  });
}

void note_encoding(const Layout& layout, const Sample& sample, Sight& sight) {
  std::string bytes;
  for (const storage::TableColumn& column : layout.columns) bytes += bytes_of_latin(column.name) + '\n';
  for (const std::vector<std::string>& values : sample) {
    for (const std::string& value : values) bytes += bytes_of_latin(value) + '\n';
  }
  const std::string better = better_encoding(bytes, sight.source.paths.front());
  if (!better.empty()) sight.odd.push_back(better);
}

// A column called utc_time says what its clock is.
void note_utc(const Layout& layout, Sight& sight) {
  if (sight.given.has("data.utc") || sight.source.columns.contains("utc_offset")) return;
  for (const char* name : {"datetime", "start_time"}) {
    try {
      const auto column = ingest::find_column(layout, sight.files.front(), name, sight.source.columns);
      if (!column) continue;
      const std::string called = storage::normalized_name(layout.columns[*column].name);
      if (called.find("utc") == std::string::npos) continue;
      sight.source.utc = true;
      sight.reasons.push_back(
          {"data.utc", fmt::format("the column {} says so", quoted_value(layout.columns[*column].name))});
      return;
    } catch (const InputError&) {
      continue;  // two columns have such names, and the study names one
    }
  }
}

// Whether the first rows have the shape of a feed without names, which the sight then is of.
bool is_known_feed(storage::Database& database, const std::string& file, Sight& sight) {
  for (const ingest::Feed& feed : ingest::known_feeds()) {
    if (feed.source.text.header || readable_share(database, feed.source, kAnywhere, file) < 0.9) continue;
    take_feed(feed.name, sight);
    sight.reasons.push_back({"data.format", "the first rows have its shape"});
    const Layout layout = storage::read_layout(database, file, feed.source.text);
    sight.columns = columns_of(layout, sample_of(database, layout, file));
    return true;
  }
  return false;
}

// The layout of a file that cannot be read as UTF-8, where it is Latin-1.
Layout latin_layout(storage::Database& database, const std::string& file, const InputError& problem, Sight& sight) {
  const bool foreign = std::string(problem.what()).find("not UTF-8") != std::string::npos;
  if (!foreign || !sight.source.text.encoding.empty()) throw problem;
  storage::TextOptions latin = sight.source.text;
  latin.encoding = "latin-1";
  try {
    const Layout layout = storage::read_layout(database, file, latin);
    sight.source.text = latin;
    sight.reasons.push_back({"data.encoding", "it is not UTF-8"});
    return layout;
  } catch (const InputError&) {
    // It is not Latin-1 either.
  } catch (const storage::DatabaseError&) {
    // It is not Latin-1 either.
  }
  const std::string better = encoding_of_file(file);
  if (better.empty()) throw problem;
  throw InputError({one_line(file), 0, ""}, better);
}

std::string ending_of(const fs::path& file) {
  const std::string name = file.filename().string();
  const std::size_t point = name.find('.', 1);
  return point == std::string::npos ? "" : name.substr(point);
}

}  // namespace

std::vector<std::string> paths_for(const std::vector<std::string>& named_paths, Sight& sight) {
  if (named_paths.size() != 1 || !fs::is_directory(named_paths.front())) return named_paths;
  const std::string folder = fs::path(named_paths.front()).lexically_normal().string();
  const std::string inside = folder.ends_with('/') ? folder : folder + "/";
  std::map<std::string, std::size_t> endings;
  std::map<std::string, std::size_t> below;
  for (const auto& entry : fs::recursive_directory_iterator(named_paths.front())) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().filename().string();
    if (name.starts_with("new_") && name.ends_with(".txt") &&
        entry.path().parent_path() == fs::path(inside).parent_path()) {
      sight.feed = "cabs";
      return {named_paths.front()};
    }
    const std::string ending = ending_of(entry.path());
    ++(fs::equivalent(entry.path().parent_path(), folder) ? endings : below)[ending];
  }
  const auto most = [](const std::map<std::string, std::size_t>& counts) {
    return std::max_element(counts.begin(), counts.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; });
  };
  if (endings.empty() && below.empty()) throw InputError({one_line(folder), 0, ""}, "the folder is empty");
  if (!endings.empty()) return {inside + "*" + most(endings)->first};
  return {inside + "**/*" + most(below)->first};
}

void take_feed(const std::string& name, Sight& sight) {
  for (const ingest::Feed& feed : ingest::known_feeds()) {
    if (feed.name != name) continue;
    if (!sight.given.has("data.format")) {  // else what is given is over those of the feed already
      const ingest::Source given = sight.source;
      sight.source = feed.source;
      sight.source.paths = given.paths;
      sight.source.table = given.table;
      sight.source.timezone = given.timezone;
      sight.source.bad_rows = given.bad_rows;
      sight.source.utc = feed.source.utc || given.utc;
      for (const auto& [ours, theirs] : given.columns) sight.source.columns[ours] = theirs;
    }
    sight.feed = feed.name;
    sight.coordinates = !sight.given.rois || ingest::by_coordinates(*sight.given.rois);
  }
}

void guess_source(storage::Database& database, const std::string& file, Sight& sight) {
  const bool laid_out = sight.given.has("data.header") || sight.given.has("data.skip");
  std::optional<Layout> layout;
  std::optional<InputError> problem;
  try {
    layout = storage::read_layout(database, file, sight.source.text);
    if (laid_out || (layout->columns.size() > 1 && !has_no_names(*layout))) {
      guess_source(database, *layout, file, sight);
      return;
    }
  } catch (const InputError& error) {
    problem = error;
  }
  if (!sight.given.has("data.format") && is_known_feed(database, file, sight)) return;
  if (problem) {
    layout = latin_layout(database, file, *problem, sight);
  } else if (has_no_names(*layout)) {
    sight.source.text.header = false;
    sight.reasons.push_back({"data.header", "the first line looks like data"});
    layout = storage::read_layout(database, file, sight.source.text);
  }
  guess_source(database, *layout, file, sight);
}

void guess_source(storage::Database& database, const Layout& layout, const std::string& file, Sight& sight) {
  const Sample sample = sample_of(database, layout, file);
  sight.columns = columns_of(layout, sample);
  if (!sight.given.has("data.format") && has_column(layout, "polyline")) {
    take_feed("porto", sight);
    sight.reasons.push_back({"data.format", "a column has whole paths"});
    return;
  }
  const bool latin = sight.source.text.encoding == "latin-1" && !sight.given.has("data.encoding");
  if (latin) note_encoding(layout, sample, sight);
  sight.feed = "events";
  guess_roles(database, layout, file, sample, sight);
  note_utc(layout, sight);
  if (sight.unknowns.empty()) return;
  try {
    ingest::resolve_fields(sight.source, placing_of(sight), {layout, {file}});
  } catch (const InputError& error) {
    sight.problem = error.what();
  }
}

ingest::RoiRule placing_of(const Sight& sight) {
  if (sight.coordinates) return kAnywhere;
  const auto* ids = sight.given.rois ? std::get_if<ingest::RoiIds>(&*sight.given.rois) : nullptr;
  ingest::RoiIds placing;
  placing.pairs = ids != nullptr && ids->pairs;
  return placing;
}

ingest::Source reading_of(const Sight& sight) {
  ingest::Source source = sight.source;
  for (const auto& [name, column] : sight.stand_ins) {
    if (name == "uid" && source.table == nullptr) {
      source.user = {ingest::UserRule::From::kFile, 1};
    } else {
      source.columns[name] = column;
    }
  }
  return source;
}

double readable_share(storage::Database& database, const ingest::Source& source, const ingest::RoiRule& rois,
                      const std::string& file) {
  try {
    const storage::Table table{storage::read_layout(database, file, source.text), {file}};
    const ingest::Fields fields = ingest::resolve_fields(source, rois, table);
    storage::QueryRows rows = database.execute(
        fmt::format("SELECT CAST(count(*) FILTER (bad = 0) AS DOUBLE) / greatest(count(*), 1) FROM (SELECT bad FROM "
                    "({}) LIMIT {})",
                    ingest::checked_rows_sql(table.layout, fields, 1), kSample),
        {storage::literal_paths({file})});
    return rows.next() ? rows.number(0, 0) : 0;
  } catch (const InputError&) {
    return 0;
  } catch (const ConfigError&) {
    return 0;
  } catch (const storage::DatabaseError&) {
    return 0;
  }
}

}  // namespace hearsay::look
