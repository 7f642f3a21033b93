// SPDX-License-Identifier: Apache-2.0
#include "experiment/read_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/errors.h"
#include "base/text.h"
#include "ingest/feeds.h"
#include "ingest/settings.h"
#include "ingest/time_pattern.h"

namespace hearsay::experiment {
namespace {

constexpr std::size_t kMostPeople = 10'000'000'000;

std::string resolve(const std::string& path, const std::string& folder) {
  if (path.find("://") != std::string::npos) return path;  // of another file system, such as hdfs://
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

// A name, or patterns such as "%m/%d/%Y %H:%M".
void read_time_format(Settings& settings, Study& study) {
  const std::string key = "data.time_format";
  if (!settings.has(key)) return;
  study.data.source.time_patterns.clear();
  const std::vector<std::string> names = {"auto", "iso", "unix", "unix_ms", "unix_us", "unix_ns"};
  const std::vector<std::string> texts = settings.texts(key, {"auto"});
  if (std::none_of(texts.begin(), texts.end(), [](const auto& text) { return text.find('%') != std::string::npos; })) {
    if (texts.size() > 1) settings.fail(key, "must be one name, or a list of patterns such as \"%m/%d/%Y %H:%M\"");
    study.data.source.time_format = static_cast<ingest::TimeFormat>(settings.choice(key, names, "auto"));
    return;
  }
  study.data.source.time_format = ingest::TimeFormat::kPatterns;
  study.data.source.time_patterns = texts;
  for (const std::string& pattern : texts) {
    const std::string problem = ingest::pattern_problem(pattern);
    if (!problem.empty()) throw ConfigError(key, quoted_value(pattern), problem, settings.where(key));
  }
}

// How delimited text is laid out, as far as the study says it.
void read_text(Settings& settings, storage::TextOptions& text) {
  if (settings.has("data.header")) text.header = settings.yes("data.header", true);
  if (settings.has("data.skip")) {
    const std::uint64_t skip = settings.whole("data.skip");
    if (skip > 10'000) settings.fail("data.skip", "must be at most 10000 lines");
    text.skip = static_cast<std::uint32_t>(skip);
  }
  if (settings.has("data.separator")) {
    const std::string separator = settings.text("data.separator");
    if (separator.size() != 1) settings.fail("data.separator", "must be one character, such as \";\" or \"\\t\"");
    text.separator = separator.front();
  }
  text.encoding = settings.text("data.encoding", text.encoding);
  if (settings.has("data.line_breaks")) text.line_breaks = settings.yes("data.line_breaks", true);
}

void read_user(Settings& settings, ingest::UserRule& user) {
  if (!settings.has("data.user")) return;
  using From = ingest::UserRule::From;
  const std::vector<std::string> names = {"column", "file", "folder", "folder 2", "folder 3"};
  const std::size_t number = settings.choice("data.user", names, "column");
  if (number >= 2) {
    user = {From::kFolder, static_cast<std::uint32_t>(number - 1)};
  } else {
    user = {number == 1 ? From::kFile : From::kColumn, 1};
  }
}

// What a file of this format is, before the study says more.
ingest::Source source_of_format(Settings& settings) {
  std::vector<std::string> names = {"events", "trips", "cabs"};
  const std::size_t own = names.size();
  for (const ingest::Feed& feed : ingest::known_feeds()) names.push_back(feed.name);
  const std::size_t number = settings.choice("data.format", names, "events");
  if (number >= own) return ingest::known_feeds()[number - own].source;
  ingest::Source source;
  source.format = static_cast<ingest::Format>(number);
  return source;
}

std::uint32_t cells(Settings& settings, const std::string& key) {
  const std::uint64_t count = settings.whole(key);
  if (count == 0 || count > 100000) settings.fail(key, "must be between 1 and 100000");
  return static_cast<std::uint32_t>(count);
}

void check_list_columns(Settings& settings, const std::map<std::string, std::string>& columns,
                        const std::vector<std::string>& known) {
  for (const auto& [name, theirs] : columns) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      settings.fail("rois.columns." + name, "is not a column of a list of places" + suggestion(name, known));
    }
  }
}

ingest::RoiRule read_ids(Settings& settings, const std::string& folder, bool pairs) {
  const std::string list = settings.text("rois.list", "");
  const std::string zone = settings.text("rois.zone", "");
  if (list.empty() && !zone.empty()) settings.fail("rois.zone", "names a column of rois.list, which is not set");
  if (pairs && !zone.empty()) settings.fail("rois.zone", "is for places; flows are pairs of them");
  ingest::RoiIds ids{list.empty() ? list : resolve(list, folder), zone, settings.text_table("rois.columns"), pairs};
  if (list.empty() && !ids.columns.empty()) {
    settings.fail("rois.columns", "names columns of rois.list, which is not set");
  }
  check_list_columns(settings, ids.columns, {"roi", "name", "lat", "lng"});
  return ids;
}

ingest::RoiRule read_zones(Settings& settings, const std::string& folder) {
  ingest::Zones zones{resolve(settings.text("rois.list"), folder), settings.text_table("rois.columns")};
  check_list_columns(settings, zones.columns, {"roi", "name"});
  return zones;
}

}  // namespace

void read_data(Settings& settings, const std::string& folder, Study& study) {
  study.data.name = settings.text("data.name", "data");
  study.data.account = settings.text("data.account", "");
  study.data.source = source_of_format(settings);
  if (!settings.has("data.path")) settings.fail_missing("data.path");
  for (const std::string& path : settings.texts("data.path", {}))
    study.data.source.paths.push_back(resolve(path, folder));
  for (auto& [ours, theirs] : settings.text_table("data.columns")) study.data.source.columns[ours] = theirs;
  read_text(settings, study.data.source.text);
  read_user(settings, study.data.source.user);
  study.data.source.utc = settings.yes("data.utc", study.data.source.utc);
  study.data.source.timezone = settings.text("data.timezone", "");
  read_time_format(settings, study);
  study.data.source.bad_rows = static_cast<ingest::BadRows>(settings.choice("data.bad_rows", {"stop", "skip"}, "stop"));
  if (settings.has("data.users")) {
    study.data.user_limit = settings.whole("data.users");
    if (study.data.user_limit == 0) settings.fail("data.users", "must be at least 1; leave it out to keep everybody");
  }
  if (settings.has("data.population")) {
    study.data.population = settings.whole("data.population");
    if (study.data.population == 0)
      settings.fail("data.population", "must be at least 1: how many people there are in all");
    if (study.data.population > kMostPeople) {
      settings.fail("data.population", fmt::format("must be at most {}", kMostPeople));
    }
  }
}

void read_rois(Settings& settings, const std::string& folder, Study& study) {
  enum Kind : std::size_t { kIds, kGrid, kZones, kFlows };
  const bool events = study.data.source.format == ingest::Format::kEvents;
  const std::string otherwise = study.data.source.format == ingest::Format::kCabs ? "grid" : "ids";
  const std::size_t kind = settings.choice("rois.kind", {"ids", "grid", "zones", "flows"},
                                           events && settings.has("rois.rows") ? "grid" : otherwise);
  if (kind == kZones) {
    study.data.rois = read_zones(settings, folder);
    return;
  }
  if (kind != kGrid) {
    study.data.rois = read_ids(settings, folder, kind == kFlows);
    return;
  }
  settings.expect("rois", {"south", "north", "west", "east", "rows", "cols"});
  ingest::Grid box;
  box.south = settings.number("rois.south");
  box.north = settings.number("rois.north");
  box.west = settings.number("rois.west");
  box.east = settings.number("rois.east");
  box.rows = cells(settings, "rois.rows");
  box.cols = cells(settings, "rois.cols");
  if (box.south < -90 || box.north > 90 || box.south >= box.north) {
    settings.fail("rois.south", fmt::format("south must be below north ({}), both in -90..90", box.north));
  }
  if (box.west < -180 || box.east > 180 || box.west >= box.east) {
    settings.fail("rois.west", fmt::format("west must be below east ({}), both in -180..180", box.east));
  }
  if (std::uint64_t{box.rows} * box.cols > ingest::kMostCells) {
    settings.fail("rois.rows", fmt::format("with {} columns that is more than {} cells; use larger ones", box.cols,
                                           ingest::kMostCells));
  }
  study.data.rois = box;
}

}  // namespace hearsay::experiment
