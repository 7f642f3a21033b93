// SPDX-License-Identifier: Apache-2.0
#include "look/study_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "ingest/feeds.h"

namespace hearsay::look {
namespace {

namespace fs = std::filesystem;

// Text as a basic string of TOML.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string quoted_list(const std::vector<std::string>& texts) {
  if (texts.size() == 1) return quoted(texts.front());
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(quoted(text));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

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
};

void add_layout(const ingest::Source& source, const ingest::Source& of_feed, Lines& lines) {
  if (source.text.header != of_feed.text.header) lines.add("data", "header", source.text.header ? "true" : "false");
  if (source.text.encoding != of_feed.text.encoding) lines.add("data", "encoding", quoted(source.text.encoding));
  if (source.user.from == ingest::UserRule::From::kFile && of_feed.user.from != source.user.from) {
    lines.add("data", "user", "\"file\"");
  }
  if (!source.time_patterns.empty() && of_feed.time_patterns.empty()) {
    lines.add("data", "time_format", quoted_list(source.time_patterns));
  }
}

void add_data(const Sight& sight, const std::string& folder, Lines& lines) {
  const ingest::Source& source = sight.source;
  std::vector<std::string> paths;
  for (const std::string& path : source.paths) paths.push_back(relative(path, folder));
  lines.add("data", "format", quoted(sight.feed));
  lines.add("data", "path", source.table != nullptr ? quoted(sight.files.front()) : quoted_list(paths));
  if (!source.timezone.empty()) lines.add("data", "timezone", quoted(source.timezone));
  const ingest::Source of_feed = source_of(sight.feed);
  add_layout(source, of_feed, lines);
  if (source.bad_rows == ingest::BadRows::kSkip) lines.add("data", "bad_rows", "\"skip\"");
  if (source.columns == of_feed.columns) return;
  for (const auto& [name, column] : source.columns) lines.add("data.columns", name, quoted(column));
}

void add_places(const Sight& sight, Lines& lines) {
  const auto* grid = std::get_if<ingest::Grid>(&sight.rois);
  lines.add("rois", "kind", grid == nullptr ? "\"ids\"" : "\"grid\"");
  if (grid == nullptr) return;
  const auto add = [&](const char* key, double degrees) { lines.add("rois", key, fmt::format("{:.3f}", degrees)); };
  add("south", grid->south);
  add("north", grid->north);
  add("west", grid->west);
  add("east", grid->east);
  lines.add("rois", "rows", std::to_string(grid->rows));
  lines.add("rois", "cols", std::to_string(grid->cols));
}

Lines lines_of(const Sight& sight, const std::string& folder) {
  Lines lines;
  add_data(sight, folder, lines);
  add_places(sight, lines);
  const ingest::Period& period = *sight.period;
  lines.add("period", "start", period.start.substr(0, 10));
  lines.add("period", "length", length_text(period.epochs, period.epoch_seconds));
  lines.add("period", "observe", length_text(sight.observe, period.epoch_seconds));
  return lines;
}

// With the reason of a guess behind it.
std::string line_text(const Line& line, const Sight& sight) {
  std::string text = fmt::format("{} = {}", line.key, line.value);
  for (const Reason& reason : sight.reasons) {
    if (reason.setting != line.table + "." + line.key) continue;
    text += fmt::format("{}# {}", std::string(text.size() < 34 ? 34 - text.size() : 2, ' '), one_line(reason.why));
  }
  return text + "\n";
}

// What nobody guessed, to be set by hand.
std::string open_questions(const std::string& table, const Sight& sight) {
  if (table == "data" && sight.source.timezone.empty() && !sight.source.columns.contains("utc_offset")) {
    return "# timezone = \"Europe/London\"      # set this: nothing in the data says it; UTC is used\n";
  }
  if (table == "rois" && !std::holds_alternative<ingest::Grid>(sight.rois)) {
    return "# list = \"places.csv\"            # their names and coordinates, and what a guarantee needs\n";
  }
  return "";
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

std::string study_text(const Sight& sight, const std::string& folder) {
  std::string text =
      "# A study of the data beside it, as it was guessed: look at what is marked, and change it.\n"
      "# docs/study.md has every setting; `hearsay study` runs it.\n"
      "schema = 1\n";
  std::string table;
  for (const Line& line : lines_of(sight, folder)) {
    if (line.table != table) {
      text += open_questions(table, sight);
      table = line.table;
      text += fmt::format("\n[{}]\n", table);
    }
    text += line_text(line, sight);
  }
  return text + kDefences;
}

std::string settings_json(const Sight& sight, const std::string& folder) {
  nlohmann::ordered_json json;
  for (const Line& line : lines_of(sight, folder)) {
    const auto value = nlohmann::ordered_json::parse(line.key == "start" ? quoted(line.value) : line.value);
    const std::size_t point = line.table.find('.');
    auto& table = json[line.table.substr(0, point)];
    (point == std::string::npos ? table : table[line.table.substr(point + 1)])[line.key] = value;
  }
  return json.dump();
}

}  // namespace hearsay::look
