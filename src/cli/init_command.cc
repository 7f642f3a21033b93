// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "base/errors.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/looked_data.h"
#include "cli/terminal.h"
#include "look/study_text.h"

namespace hearsay::cli {
namespace {

struct InitFlags : RunFlags {
  std::vector<std::string> files;
  std::vector<std::string> overrides;
  std::string timezone;
  std::string out;
  bool yes = false;
  bool force = false;
};

// Asks for what nothing in the data says, where somebody is there to ask. Returns a setting; empty where none is made.
std::string asked(const look::Sight& sight) {
  const bool somebody = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
  if (!somebody || !sight.source.timezone.empty() || sight.source.columns.contains("utc_offset")) return "";
  fmt::print("time zone of the data, such as Europe/London (empty: UTC): ");
  std::fflush(stdout);
  std::string answer;
  std::getline(std::cin, answer);
  return answer.empty() ? "" : "data.timezone=" + answer;
}

void write_study(const std::string& text, const std::string& out) {
  std::ofstream file(out, std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", one_line(out)));
}

void print_outcome(const look::Sight& sight, const std::vector<std::string>& overrides, const InitFlags& flags,
                   const std::string& out) {
  for (const look::Reason& reason : sight.reasons) {
    fmt::print("guessed {}: {}\n", reason.setting, one_line(reason.why));
  }
  if (sight.unknowns.empty()) {
    fmt::print("\nwrote {}: look at the guesses in it, then run\n  hearsay study {}\n", one_line(out), one_line(out));
    return;
  }
  if (!sight.problem.empty()) fmt::print("\nThe study does not run yet: {}\n", one_line(sight.problem));
  std::vector<std::string> answers = overrides;
  for (const look::Unknown& unknown : sight.unknowns) {
    if (unknown.choices.empty()) continue;
    const auto& [setting, value] = unknown.choices.front().settings.front();
    if (setting.starts_with("data.")) answers.push_back(fmt::format("{}={}", setting, value));
  }
  fmt::print("\nwrote {}: answer the questions in it that are marked UNKNOWN", one_line(out));
  if (answers.size() > overrides.size()) {
    fmt::print(", or give the answers here, such as\n  {} --force", init_command(flags.files.front(), answers));
  }
  fmt::print("\n");
}

void run(const InitFlags& flags) {
  const std::string out = flags.out.empty() ? beside(flags.files.front(), ".toml") : flags.out;
  if (!flags.force && std::filesystem::exists(out)) {
    throw ConfigError("--out", one_line(out), "is there already: choose another name, or --force replaces it");
  }
  const std::string folder = std::filesystem::path(out).parent_path().string();
  std::vector<std::string> overrides = flags.overrides;
  if (!flags.timezone.empty()) overrides.push_back("data.timezone=" + flags.timezone);
  LookedData looked = look(flags.files, overrides, folder, flags);
  if (!flags.quiet) print_text(look::sight_text(looked.sight, text_width()) + "\n");
  if (const std::string answer = flags.yes ? "" : asked(looked.sight); !answer.empty()) {
    overrides.push_back(answer);
    looked = look(flags.files, overrides, folder, flags);  // the clock says which hours and days there are
  }
  if (looked.sight.period) guessed_study(looked);
  write_study(look::study_text(looked.sight, folder), out);
  if (!flags.quiet) print_outcome(looked.sight, overrides, flags, out);
}

}  // namespace

void add_init_command(CLI::App& app) {
  auto flags = std::make_shared<InitFlags>();
  CLI::App* command = app.add_subcommand("init", "Look at data and write a study of it");
  command->add_option("FILES", flags->files, "Files, a pattern or a folder of location events or trips")->required();
  command->add_option("--out", flags->out, "The study to write")
      ->option_text("FILE (default: the name of the data with .toml, beside it)");
  command->add_option("--tz", flags->timezone, "Time zone of the data, such as Europe/London")->type_name("ZONE");
  command->add_option("--set", flags->overrides, "Make a setting of the study; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--yes", flags->yes, "Ask nothing: take the guesses");
  command->add_flag("--force", flags->force, "Replace a study that is there");
  add_run_flags(*command, *flags);
  command->footer(
      fmt::format("Examples:\n"
                  "  hearsay init trips.csv && hearsay study trips.toml\n"
                  "  hearsay init 'rides/*.parquet' --out rides.toml --yes\n"
                  "  hearsay init Geolife/Data\n"
                  "  hearsay init rides.csv --tz America/New_York --set data.columns.uid=rider\n\n{}",
                  kExitCodes));
  command->callback([flags] { run(*flags); });
}

}  // namespace hearsay::cli
