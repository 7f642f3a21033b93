// SPDX-License-Identifier: Apache-2.0
#include "look/guess.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "base/errors.h"
#include "ingest/columns.h"
#include "ingest/feeds.h"
#include "ingest/row_checks.h"
#include "storage/sql_text.h"

namespace hearsay::look {
namespace {

namespace fs = std::filesystem;
using storage::Layout;

constexpr std::size_t kSample = 500;  // rows that a guess looks at
const ingest::RoiRule kAnywhere = ingest::Grid{-90, 90, -180, 180, 1, 1};

// Some rows as text, column by column.
std::vector<std::vector<std::string>> sample_of(storage::Database& database, const Layout& layout,
                                                const std::string& file) {
  std::vector<std::size_t> all;
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    all.push_back(i);
    columns.push_back(fmt::format("CAST(c{} AS VARCHAR)", i));
  }
  std::vector<std::vector<std::string>> sample(all.size());
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

std::vector<Column> columns_of(const Layout& layout, const std::vector<std::vector<std::string>>& sample) {
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

// Share of the first rows that can be read so.
double readable(storage::Database& database, const ingest::Source& source, const ingest::RoiRule& rois,
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

// What the values of a column without a name can be.
struct Content {
  bool time = false;
  bool degrees = false;  // numbers with a fraction, such as coordinates have
  double largest = 0;    // of the absolute values
  std::size_t different = 0;
};

bool is_like_time(const std::string& text) {
  const auto digits = std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const auto marks = std::count_if(text.begin(), text.end(), [](char c) { return c == ':' || c == '-' || c == '/'; });
  if (digits >= 6 && marks >= 2) return true;
  return digits == std::ssize(text) && (digits == 10 || digits == 13) && text[0] == '1';  // Unix time since 2001
}

Content content_of(const std::vector<std::string>& values) {
  Content content{true, true};
  std::set<std::string> different;
  for (const std::string& value : values) {
    different.insert(value);
    content.time = content.time && is_like_time(value);
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    const bool whole = value.find('.') == std::string::npos;
    if (value.empty() || *end != '\0' || !std::isfinite(number) || (whole && number != 0)) content.degrees = false;
    content.largest = std::max(content.largest, std::abs(number));
  }
  content.different = different.size();
  return content;
}

// Without names: a time, two columns of degrees and, of the rest, the first that repeats itself.
void guess_by_content(const std::vector<std::vector<std::string>>& sample, Sight& sight) {
  std::vector<std::size_t> degrees;
  std::optional<std::size_t> time;
  std::optional<std::size_t> user;
  std::vector<Content> contents;
  for (const std::vector<std::string>& values : sample) contents.push_back(content_of(values));
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (contents[i].time) {
      if (!time) time = i;
    } else if (contents[i].degrees && contents[i].largest <= 180) {
      degrees.push_back(i);
    } else if (!user && 2 * contents[i].different <= sample[i].size()) {
      user = i;
    }
  }
  const auto number = [](std::size_t i) { return std::to_string(i + 1); };
  const auto map = [&](const std::string& name, std::size_t i, const std::string& why) {
    sight.source.columns[name] = number(i);
    sight.reasons.push_back({"data.columns." + name, why});
  };
  if (time) map("datetime", *time, "the first column that looks like a time");
  if (user) map("uid", *user, "the first other column whose values repeat");
  if (degrees.size() < 2) return;
  const bool swapped = contents[degrees[0]].largest > 90;
  map("lat", degrees[swapped ? 1 : 0], "degrees");
  map("lng", degrees[swapped ? 0 : 1], "degrees");
}

// The column that stands for one of our names: the first alias found; others are told.
std::optional<std::string> named(const Layout& layout, const std::string& name, Sight& sight) {
  std::vector<std::string> found;
  for (const std::string& alias : ingest::column_aliases(name)) {
    for (const storage::TableColumn& column : layout.columns) {
      if (storage::normalized_name(column.name) == storage::normalized_name(alias)) found.push_back(column.name);
    }
  }
  if (found.empty()) return std::nullopt;
  if (found.size() > 1) {
    sight.source.columns[name] = found.front();
    found.erase(found.begin());
    sight.reasons.push_back({"data.columns." + name, fmt::format("{} would do, too", listed(found))});
    return sight.source.columns[name];
  }
  return found.front();
}

bool has_column(const Layout& layout, const std::string& name) {
  const std::vector<std::string>& aliases = ingest::column_aliases(name);
  return std::any_of(layout.columns.begin(), layout.columns.end(), [&](const storage::TableColumn& column) {
    return std::find(aliases.begin(), aliases.end(), storage::normalized_name(column.name)) != aliases.end();
  });
}

void guess_by_names(const Layout& layout, Sight& sight) {
  const auto all = [&](std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) { return has_column(layout, name); });
  };
  if (all({"start_time", "start_roi", "end_time", "end_roi"})) {
    sight.feed = "trips";
    sight.source.format = ingest::Format::kTrips;
    for (const char* name : {"start_time", "start_roi", "end_time", "end_roi"}) named(layout, name, sight);
  } else {
    sight.coordinates = all({"lat", "lng"});
    const std::vector<const char*> names =
        sight.coordinates ? std::vector<const char*>{"lat", "lng"} : std::vector<const char*>{"roi"};
    for (const char* name : names) named(layout, name, sight);
    if (!ingest::has_date_and_time(layout, {})) named(layout, "datetime", sight);
  }
  if (named(layout, "uid", sight)) return;
  if (const std::string vehicle = ingest::vehicle_column(layout); !vehicle.empty()) {
    sight.source.columns["uid"] = vehicle;
    sight.reasons.push_back({"data.columns.uid", "there is no column of people: this follows vehicles"});
  } else if (sight.files.size() > 1) {
    sight.source.user = {ingest::UserRule::From::kFile, 1};
    sight.reasons.push_back({"data.user", "there is no column of people, and several files: a file each"});
  }
}

// Whether the first rows have the shape of a feed without names, which the sight then is of.
bool is_known_feed(storage::Database& database, const std::string& file, Sight& sight) {
  for (const ingest::Feed& feed : ingest::known_feeds()) {
    if (feed.source.text.header || readable(database, feed.source, kAnywhere, file) < 0.9) continue;
    take_feed(feed.name, sight);
    sight.reasons.push_back({"data.format", "the first rows have its shape"});
    const Layout layout = storage::read_layout(database, file, feed.source.text);
    sight.columns = columns_of(layout, sample_of(database, layout, file));
    return true;
  }
  return false;
}

// Of a file that cannot be read as UTF-8, if that is all.
Layout latin_layout(storage::Database& database, const std::string& file, const InputError& problem, Sight& sight) {
  storage::TextOptions latin;
  latin.encoding = "latin-1";
  try {
    const Layout layout = storage::read_layout(database, file, latin);
    if (std::string(problem.what()).find("not UTF-8") == std::string::npos) throw problem;
    sight.source.text = latin;
    sight.reasons.push_back({"data.encoding", "it is not UTF-8"});
    return layout;
  } catch (const InputError&) {
    throw problem;
  }
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
    const std::vector<std::string> paths = sight.source.paths;
    sight.source = feed.source;
    sight.source.paths = paths;
    sight.feed = feed.name;
    sight.coordinates = true;
  }
}

void guess_source(storage::Database& database, const std::string& file, Sight& sight) {
  std::optional<Layout> layout;
  std::optional<InputError> problem;
  try {
    layout = storage::read_layout(database, file);
    if (layout->columns.size() > 1 && !has_no_names(*layout)) {
      guess_source(database, *layout, file, sight);
      return;
    }
  } catch (const InputError& error) {
    problem = error;
  }
  if (is_known_feed(database, file, sight)) return;
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
  const auto sample = sample_of(database, layout, file);
  sight.columns = columns_of(layout, sample);
  if (has_column(layout, "polyline")) {
    take_feed("porto", sight);
    sight.reasons.push_back({"data.format", "a column has whole paths"});
    return;
  }
  sight.feed = "events";
  if (sight.source.text.header) {
    guess_by_names(layout, sight);
  } else {
    guess_by_content(sample, sight);
    sight.coordinates = sight.source.columns.contains("lat");
  }
}

ingest::RoiRule placing_of(const Sight& sight) {
  if (sight.coordinates) return kAnywhere;
  return ingest::RoiIds{};
}

}  // namespace hearsay::look
