// SPDX-License-Identifier: Apache-2.0
#include "cli/looked_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "base/regular_file.h"
#include "base/text.h"
#include "cli/terminal.h"
#include "look/study_text.h"

namespace hearsay::cli {

namespace fs = std::filesystem;

namespace {

// A study may be called anything. Data may be one line of any length: no more than its beginning is looked at.
bool has_settings(const std::string& path) {
  require_regular_file(path);
  std::string beginning(std::size_t{1} << 16, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(file.gcount()));
  return beginning.starts_with("[data]") || beginning.find("\n[data]") != std::string::npos;
}

}  // namespace

bool is_data(const std::string& path) {
  static constexpr std::array<const char*, 15> kEndings = {".csv",     ".tsv",  ".txt",   ".gz",     ".zst",
                                                           ".parquet", ".json", ".jsonl", ".ndjson", ".plt",
                                                           ".gpx",     ".zip",  ".xz",    ".arrow",  ".psv"};
  if (path.find_first_of("*?[") != std::string::npos && !fs::exists(path)) return true;
  if (fs::is_directory(path)) return true;
  if (has_settings(path)) return false;
  std::string name = fs::path(path).filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::any_of(kEndings.begin(), kEndings.end(), [&](const char* ending) { return name.ends_with(ending); });
}

look::Sight look(const std::vector<std::string>& paths, const RunFlags& flags) {
  ProgressDisplay display;
  const engine::LoadOptions load = load_options(flags, display);
  ingest::Options options;
  options.threads = load.threads;
  options.memory_bytes = load.buffers();
  options.stop = load.stop;
  return look::look_at(paths, options);
}

void require_study(const look::Sight& sight, const std::string& path) {
  if (sight.problem.empty()) return;
  fmt::print("{}", look::sight_text(sight, text_width()));
  std::fflush(stdout);
  const std::string place = one_line(path) + ": ";  // which the problem may begin with
  throw InputError({one_line(path), 0, ""},
                   sight.problem.starts_with(place) ? sight.problem.substr(place.size()) : sight.problem);
}

std::string beside(const std::string& path, const std::string& ending) {
  fs::path base = fs::path(path).lexically_normal();
  if (!base.has_filename()) base = base.parent_path();  // "folder/"
  while (base.string().find_first_of("*?[") != std::string::npos && base.has_parent_path()) base = base.parent_path();
  if (base.filename() == "." || base.filename() == "..") base = fs::absolute(base).lexically_normal();
  const std::string name = base.filename().string();
  const std::size_t point = fs::is_directory(base) ? std::string::npos : name.find('.', 1);
  return (base.parent_path() / (name.substr(0, point) + ending)).string();
}

experiment::Study guessed_study(const look::Sight& sight, const std::string& path,
                                const std::vector<std::string>& overrides) {
  const std::string folder = fs::path(beside(path, ".toml")).parent_path().string();
  return experiment::parse_study(look::study_text(sight, folder), "the guessed study", folder, overrides);
}

}  // namespace hearsay::cli
