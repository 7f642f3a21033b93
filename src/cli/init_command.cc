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
  std::string out;
  bool yes = false;
  bool force = false;
};

// What nothing in the data says is asked for, where somebody is there to ask.
void ask(look::Sight& sight) {
  if (!sight.source.timezone.empty() || sight.source.columns.contains("utc_offset")) return;
  fmt::print("time zone of the data, such as Europe/London (empty: UTC): ");
  std::fflush(stdout);
  std::string answer;
  if (std::getline(std::cin, answer)) sight.source.timezone = answer;
}

void run(const InitFlags& flags) {
  const std::string out = flags.out.empty() ? beside(flags.files.front(), ".toml") : flags.out;
  if (!flags.force && std::filesystem::exists(out)) {
    throw ConfigError("--out", one_line(out), "is there already: choose another name, or --force replaces it");
  }
  look::Sight sight = look(flags.files, flags);
  require_study(sight, flags.files.front());
  if (!flags.quiet) fmt::print("{}\n", look::sight_text(sight, text_width()));
  if (!flags.yes && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1) ask(sight);
  const std::string folder = std::filesystem::path(out).parent_path().string();
  const std::string text = look::study_text(sight, folder);
  experiment::parse_study(text, one_line(out), folder, {});  // what is written can be read
  std::ofstream file(out, std::ios::trunc);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write {}", one_line(out)));
  if (flags.quiet) return;
  for (const look::Reason& reason : sight.reasons) {
    fmt::print("guessed {}: {}\n", reason.setting, one_line(reason.why));
  }
  fmt::print("\nwrote {}: look at the guesses in it, then run\n  hearsay study {}\n", one_line(out), one_line(out));
}

}  // namespace

void add_init_command(CLI::App& app) {
  auto flags = std::make_shared<InitFlags>();
  CLI::App* command = app.add_subcommand("init", "Look at data and write a study of it");
  command->add_option("FILES", flags->files, "Files, a pattern or a folder of location events or trips")->required();
  command->add_option("--out", flags->out, "The study to write")
      ->option_text("FILE (default: the name of the data with .toml, beside it)");
  command->add_flag("--yes", flags->yes, "Ask nothing: take the guesses");
  command->add_flag("--force", flags->force, "Replace a study that is there");
  add_run_flags(*command, *flags);
  command->footer(
      fmt::format("Examples:\n"
                  "  hearsay init trips.csv && hearsay study trips.toml\n"
                  "  hearsay init 'rides/*.parquet' --out rides.toml --yes\n"
                  "  hearsay init Geolife/Data\n\n{}",
                  kExitCodes));
  command->callback([flags] { run(*flags); });
}

}  // namespace hearsay::cli
