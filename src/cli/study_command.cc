// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/looked_data.h"
#include "cli/outcome_text.h"
#include "cli/run_flags.h"
#include "job/run_study.h"

namespace hearsay::cli {
namespace {

struct StudyFlags : RunFlags {
  std::string file;
  std::string out;
  std::vector<std::string> overrides;
  bool resume = false;
};

// Beside the study and named after it: no two study files have the same, wherever they are run from.
std::string default_folder(const std::filesystem::path& file) {
  const std::filesystem::path name = file.extension() == ".toml" ? file.stem() : file.filename();
  return (file.parent_path() / "results" / name).string();
}

void run(const StudyFlags& flags) {
  const std::filesystem::path file(is_data(flags.file) ? beside(flags.file, "") : flags.file);
  const experiment::Study study = study_of(flags.file, flags.overrides, flags);
  ProgressDisplay display;
  job::RunOptions options;
  options.load = load_options(flags, display);
  options.out = flags.out.empty() ? default_folder(file) : flags.out;
  options.study_name = file.filename().string();
  options.resume = flags.resume;
  const job::Outcome outcome = job::run_study(study, options);
  display.clear();
  print_warnings(outcome.provenance.warnings);
  if (!flags.quiet) print_outcome(outcome);
}

}  // namespace

void add_study_command(CLI::App& app) {
  auto flags = std::make_shared<StudyFlags>();
  CLI::App* command = app.add_subcommand("study", "Run a study: how much do aggregates tell about each person?");
  command->add_option("FILE", flags->file, "The study, a TOML file; or data, of which a study is guessed")->required();
  command->add_option("--out", flags->out, "Folder for the results; earlier results in it are replaced")
      ->option_text("DIR (default: results/<name of the study file>, beside that file)");
  command->add_option("--set", flags->overrides, "Override a setting of the study; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--resume", flags->resume,
                    "Keep finished parts in a hidden folder beside the results, and go on from those that a run with "
                    "this flag kept before it was stopped");
  add_run_flags(*command, *flags);
  command->footer(
      fmt::format("Examples:\n"
                  "  hearsay study examples/small/study.toml\n"
                  "  hearsay study city.toml --out results/city --threads 4\n"
                  "  hearsay study city.toml --resume\n"
                  "  hearsay study trips.csv\n"
                  "  hearsay study city.toml --set study.priors='[\"FREQ_ROI\"]' --set data.users=1000\n\n{}",
                  kExitCodes));
  command->callback([flags] { run(*flags); });
}

}  // namespace hearsay::cli
