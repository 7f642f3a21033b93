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
#include "experiment/read_data.h"
#include "experiment/release_command.h"
#include "experiment/settings.h"
#include "experiment/short_period.h"
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

// A prior that any observation period is long enough for.
constexpr const char* kAnyPeriod = "FREQ_ROI";

// What the settings say of data that are looked at.
look::Given given_of(const std::vector<std::string>& overrides, const std::string& folder) {
  look::Given given;
  given.settings = experiment::Settings("", "", overrides).values();
  if (given.has("data.path")) throw ConfigError("--set", "data.path", "the files are named already: leave it out");
  experiment::Settings settings("[data]\npath = \"data\"\n", "", overrides);
  experiment::Study study;
  experiment::read_data(settings, folder, study);
  given.source = study.data.source;
  const bool grid = settings.shown("rois.kind") == "\"grid\"";
  if (!grid && (given.has("rois.kind") || given.has("rois.list"))) {
    experiment::read_rois(settings, folder, study);
    given.rois = study.data.rois;
  }
  return given;
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

LookedData look(const std::vector<std::string>& paths, const std::vector<std::string>& overrides,
                const std::string& folder, const RunFlags& flags) {
  const look::Given given = given_of(overrides, folder);
  ProgressDisplay display;
  const engine::LoadOptions load = load_options(flags, display);
  ingest::Options options;
  options.threads = load.threads;
  options.memory_bytes = load.buffers();
  options.stop = load.stop;
  LookedData looked{look::look_at(paths, options, given), overrides, folder};
  if (!looked.sight.period || given.has("study.priors")) return looked;
  looked.sight.priors = {kAnyPeriod};
  const experiment::Study study = guessed_study(looked);
  looked.sight.priors = experiment::priors_for_short(study.calendar());
  return looked;
}

std::string init_command(const std::string& path, const std::vector<std::string>& overrides) {
  std::string line = "hearsay init " + experiment::shell_word(one_line(path));
  for (const std::string& setting : overrides) line += " --set " + experiment::shell_word(one_line(setting));
  return line;
}

void require_study(const LookedData& looked, const std::string& path) {
  const look::Sight& sight = looked.sight;
  if (sight.problem.empty() && sight.unknowns.empty()) return;
  print_text(look::sight_text(sight, text_width()));
  std::fflush(stdout);
  const std::string place = one_line(path) + ": ";  // which the problem may begin with
  const std::string problem = sight.problem.starts_with(place) ? sight.problem.substr(place.size()) : sight.problem;
  throw InputError({one_line(path), 0, ""}, fmt::format("{}. `{}` writes a study with the choices", problem,
                                                        init_command(path, looked.overrides)));
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

experiment::Study guessed_study(const LookedData& looked) {
  look::Sight guessed = looked.sight;
  guessed.given.settings.clear();  // they are given as such, so that an error names them
  guessed.unknowns.clear();        // what stands in for them is read
  return experiment::parse_study(look::study_text(guessed, looked.folder), "the guessed study", looked.folder,
                                 looked.overrides);
}

experiment::Study study_of(const std::string& file, const std::vector<std::string>& overrides, const RunFlags& flags,
                           bool quiet) {
  if (!is_data(file)) return open_study(file, overrides);
  const std::string folder = fs::path(study_file(file)).parent_path().string();
  const LookedData looked = look({file}, overrides, folder, flags);
  require_study(looked, file);
  if (!flags.quiet && !quiet) {
    print_text(look::sight_text(looked.sight, text_width()) + "\n" + look::study_text(looked.sight, folder) + "\n");
    fmt::print("That is a guess; `{}` writes it down, to be changed.\n\n", init_command(file, overrides));
    std::fflush(stdout);
  }
  return guessed_study(looked);
}

std::string study_file(const std::string& file) {
  return is_data(file) ? beside(file, ".toml") : file;
}

}  // namespace hearsay::cli
