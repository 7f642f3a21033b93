// SPDX-License-Identifier: Apache-2.0
#include "look/study_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "ingest/feeds.h"
#include "look/toml_text.h"

namespace hearsay::look {
namespace {

namespace fs = std::filesystem;

std::string relative(const std::string& path, const std::string& folder) {
  const fs::path from = fs::absolute(folder.empty() ? "." : folder).lexically_normal();
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path below = whole.lexically_relative(from);
  return below.empty() || below.string().starts_with("..") ? whole.string() : below.string();
}

// What a feed says without being told.
ingest::Source source_of(const std::string& name) {
  for (const ingest::Feed& feed : ingest::known_feeds()) {
    if (feed.name == name) return feed.source;
  }
  return {};
}

std::string length_text(std::uint64_t epochs, std::uint32_t epoch_seconds) {
  if (epochs * epoch_seconds % 3600 != 0) return fmt::format("\"{} min\"", epochs * epoch_seconds / 60);
  const std::uint64_t hours = epochs * epoch_seconds / 3600;
  if (hours % 168 == 0) return fmt::format("\"{} week{}\"", hours / 168, hours == 168 ? "" : "s");
  if (hours % 24 == 0) return fmt::format("\"{} day{}\"", hours / 24, hours == 24 ? "" : "s");
  return fmt::format("\"{}h\"", hours);
}

// A setting of the study, and under which name its reason is kept.
struct Line {
  std::string table;
  std::string key;
  std::string value;  // as TOML has it
};

class Lines : public std::vector<Line> {
 public:
  void add(const std::string& table, const std::string& key, const std::string& value) {
    push_back({table, key, value});
  }
  // Replaces the guess of a setting, or adds the setting to its table.
  void replace(const std::string& setting, const std::string& value) {
    const std::size_t point = setting.rfind('.');
    const std::string table = point == std::string::npos ? "" : setting.substr(0, point);
    const std::string key = setting.substr(point + 1);
    for (Line& line : *this) {
      if (line.table == table && line.key == key) {
        line.value = value;
        return;
      }
    }
    add(table, key, value);
  }
};

bool is_unknown(const std::string& setting, const Sight& sight) {
  return std::any_of(sight.unknowns.begin(), sight.unknowns.end(),
                     [&](const Unknown& unknown) { return unknown.setting == setting; });
}

void add_layout(const Sight& sight, const ingest::Source& of_feed, Lines& lines) {
  const ingest::Source& source = sight.source;
  if (source.text.header != of_feed.text.header) lines.add("data", "header", source.text.header ? "true" : "false");
  if (source.text.encoding != of_feed.text.encoding) lines.add("data", "encoding", toml_text(source.text.encoding));
  if (source.user.from == ingest::UserRule::From::kFile && of_feed.user.from != source.user.from) {
    lines.add("data", "user", "\"file\"");
  }
  if (source.utc != of_feed.utc) lines.add("data", "utc", source.utc ? "true" : "false");
  if (!source.time_patterns.empty() && of_feed.time_patterns.empty() && !is_unknown("data.time_format", sight)) {
    lines.add("data", "time_format", toml_texts(source.time_patterns));
  }
}

void add_data(const Sight& sight, const std::string& folder, Lines& lines) {
  const ingest::Source& source = sight.source;
  std::vector<std::string> paths;
  for (const std::string& path : source.paths) paths.push_back(relative(path, folder));
  lines.add("data", "format", toml_text(sight.feed));
  lines.add("data", "path", source.table != nullptr ? toml_text(sight.files.front()) : toml_texts(paths));
  if (!source.timezone.empty()) lines.add("data", "timezone", toml_text(source.timezone));
  const ingest::Source of_feed = source_of(sight.feed);
  add_layout(sight, of_feed, lines);
  if (source.bad_rows == ingest::BadRows::kSkip) lines.add("data", "bad_rows", "\"skip\"");
  if (source.columns == of_feed.columns) return;
  for (const auto& [name, column] : source.columns) lines.add("data.columns", name, toml_text(column));
}

void add_places(const Sight& sight, Lines& lines) {
  const auto* grid = std::get_if<ingest::Grid>(&sight.rois);
  if (sight.given.rois) return;
  lines.add("rois", "kind", grid == nullptr ? "\"ids\"" : "\"grid\"");
  if (grid == nullptr || grid->rows == 0) return;
  const auto add = [&](const char* key, double degrees) { lines.add("rois", key, fmt::format("{:.3f}", degrees)); };
  add("south", grid->south);
  add("north", grid->north);
  add("west", grid->west);
  add("east", grid->east);
  lines.add("rois", "rows", std::to_string(grid->rows));
  lines.add("rois", "cols", std::to_string(grid->cols));
}

void add_period(const Sight& sight, Lines& lines) {
  if (!sight.period || is_unknown("period.start", sight)) return;
  for (const auto& [setting, value] : period_settings(sight)) lines.replace(setting, value);
}

Lines lines_of(const Sight& sight, const std::string& folder) {
  Lines lines;
  add_data(sight, folder, lines);
  add_places(sight, lines);
  add_period(sight, lines);
  if (!sight.priors.empty()) {
    std::vector<std::string> names;
    for (const std::string& name : sight.priors) names.push_back(toml_text(name));
    lines.add("study", "priors", fmt::format("[{}]", fmt::join(names, ", ")));
  }
  for (const auto& [setting, value] : sight.given.settings) lines.replace(setting, value);
  return lines;
}

std::string with_comment(const std::string& line, const std::string& comment) {
  return fmt::format("{}{}# {}\n", line, std::string(line.size() < 34 ? 34 - line.size() : 2, ' '), one_line(comment));
}

// With the reason of a guess behind it.
std::string line_text(const Line& line, const Sight& sight) {
  const std::string text = fmt::format("{} = {}", line.key, line.value);
  const std::string setting = line.table + "." + line.key;
  if (sight.given.has(setting)) return text + "\n";
  for (const Reason& reason : sight.reasons) {
    if (reason.setting == setting) return with_comment(text, reason.why);
  }
  if (setting == "study.priors") {
    return "# The observed days are too short for the kinds of prior knowledge that are not listed.\n" + text + "\n";
  }
  return text + "\n";
}

// Settings that have a good default, and why another may be right.
std::string open_questions(const std::string& table, const Sight& sight) {
  std::string text;
  if (table == "data" && sight.source.timezone.empty() && !sight.source.columns.contains("utc_offset")) {
    text += "# timezone = \"Europe/London\"      # set this: nothing in the data says it; UTC is used\n";
  }
  for (const Reason& reason : sight.reasons) {
    if (table == "data" && reason.setting == "data.utc" && !sight.source.utc) {
      text += with_comment("# utc = true", reason.why);
    }
  }
  if (table == "rois" && !std::holds_alternative<ingest::Grid>(sight.rois) && !sight.given.rois) {
    text += "# list = \"places.csv\"            # their names and coordinates, and what a guarantee needs\n";
  }
  return text;
}

std::string table_of(const std::string& setting) {
  return setting.substr(0, setting.rfind('.'));
}

// The choices as lines that are marked, the number of each on its first line.
std::string unknowns_text(const std::string& table, const Sight& sight) {
  std::string text;
  for (std::size_t i = 0; i < sight.unknowns.size(); ++i) {
    const Unknown& unknown = sight.unknowns[i];
    if (table_of(unknown.setting) != table) continue;
    text += fmt::format("# UNKNOWN {} of {}: {}\n", i + 1, sight.unknowns.size(), one_line(unknown.question));
    for (std::size_t choice = 0; choice < unknown.choices.size(); ++choice) {
      const auto& settings = unknown.choices[choice].settings;
      for (std::size_t line = 0; line < settings.size(); ++line) {
        const std::string marked =
            fmt::format("# {} = {}", settings[line].first.substr(table.size() + 1), settings[line].second);
        text += line > 0 ? marked + "\n"
                         : with_comment(marked, fmt::format("{}: {}", choice + 1, unknown.choices[choice].evidence));
      }
    }
  }
  return text;
}

// Returns the tables in the order in which they are written: first the tables of every study, then the others.
std::vector<std::string> tables_of(const Lines& lines, const Sight& sight) {
  std::vector<std::string> used;
  for (const Line& line : lines) used.push_back(line.table);
  for (const Unknown& unknown : sight.unknowns) used.push_back(table_of(unknown.setting));
  std::vector<std::string> tables;
  const auto add = [&](const std::string& table) {
    const bool is_used = std::find(used.begin(), used.end(), table) != used.end();
    if (is_used && std::find(tables.begin(), tables.end(), table) == tables.end()) tables.push_back(table);
  };
  for (const char* table : {"", "data", "data.columns", "rois", "rois.columns", "period", "study"}) add(table);
  for (const std::string& table : used) add(table);
  return tables;
}

std::string opening(const Sight& sight) {
  const std::string guessed =
      "# A study of the data beside it, as it was guessed: look at what is marked, and change it.\n"
      "# docs/study.md has every setting; `hearsay study` runs it.\n";
  if (sight.unknowns.empty()) return guessed;
  return guessed +
         "#\n"
         "# It does not run yet: nothing in the data answers the questions that begin with UNKNOWN. Take the mark (#)\n"
         "# off the lines of one choice for each, or give `hearsay init` the answer by --set.\n";
}

constexpr const char* kDefences =
    "\n"
    "# Defences to try: take the marks off, or see `hearsay list`. What has a guarantee needs places that are not\n"
    "# read off the data: a grid, or rois.list.\n"
    "# [[release]]\n"
    "# preset = \"ine-spain\"\n"
    "#\n"
    "# [[release]]\n"
    "# steps = [\"BOUND(at_most=20|100)\", \"GAUSSIAN(epsilon=1)\"]\n";

}  // namespace

std::vector<std::pair<std::string, std::string>> period_settings(const Sight& sight) {
  const ingest::Period& period = *sight.period;
  const bool midnight = period.start.ends_with("00:00:00");
  std::vector<std::pair<std::string, std::string>> settings = {
      {"period.start", midnight ? period.start.substr(0, 10) : period.start}};
  if (period.epoch_seconds != 3600) settings.emplace_back("period.epoch", length_text(1, period.epoch_seconds));
  settings.emplace_back("period.length", length_text(period.epochs, period.epoch_seconds));
  settings.emplace_back("period.observe", length_text(sight.observe, period.epoch_seconds));
  return settings;
}

std::string study_text(const Sight& sight, const std::string& folder) {
  const Lines lines = lines_of(sight, folder);
  std::string text = opening(sight) + "schema = 1\n";
  for (const std::string& table : tables_of(lines, sight)) {
    if (!table.empty()) text += fmt::format("\n[{}]\n", table);
    text += unknowns_text(table, sight);
    for (const Line& line : lines) {
      if (line.table == table && (table + line.key) != "schema") text += line_text(line, sight);
    }
    text += open_questions(table, sight);
  }
  return sight.given.has("release") ? text : text + kDefences;
}

std::string settings_json(const Sight& sight, const std::string& folder) {
  nlohmann::ordered_json json;
  for (const Line& line : lines_of(sight, folder)) {
    const auto value = nlohmann::ordered_json::parse(line.key == "start" ? toml_text(line.value) : line.value);
    const std::size_t point = line.table.find('.');
    auto& table = json[line.table.substr(0, point)];
    (point == std::string::npos ? table : table[line.table.substr(point + 1)])[line.key] = value;
  }
  return json.dump();
}

}  // namespace hearsay::look
