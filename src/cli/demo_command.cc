// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/errors.h"
#include "base/regular_file.h"
#include "cli/catalogue.h"
#include "cli/commands.h"
#include "cli/outcome_text.h"
#include "cli/run_flags.h"
#include "generate/commuters.h"
#include "job/run_study.h"
#include "results/result_folder.h"

namespace hearsay::cli {

extern const char* const kDemoStudy;  // examples/demo/study.toml

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

struct DemoFlags : RunFlags {
  std::string out = "results/demo";
  generate::CommuterOptions commuters;
};

// Refuses a folder whose files are not the demo's own. The demo asks the user to change the study, and the next demo
// must not undo that change.
void check_own(const fs::path& data, const std::string& out) {
  const fs::path study_file = data / "study.toml";
  if (const auto text = read_regular_file(study_file.string(), kMostBytes)) {
    if (*text == kDemoStudy) return;
    throw ConfigError("--out", out,
                      "data/study.toml in it is not the demo's; run `hearsay study` on it, or choose another folder");
  }
  for (const char* name : {"trips.parquet", "stations.csv"}) {
    if (!fs::exists(data / name)) continue;
    throw ConfigError("--out", out, fmt::format("data/{} in it is not the demo's; choose another folder", name));
  }
}

void run(const DemoFlags& flags) {
  ProgressDisplay display;
  job::RunOptions options;
  options.load = load_options(flags, display);
  const fs::path data = fs::path(flags.out) / "data";
  const fs::path study_file = data / "study.toml";
  check_own(data, flags.out);
  fs::create_directories(data);
  results::write_text_file(study_file.string(), kDemoStudy);
  generate::CommuterOptions commuters = flags.commuters;
  commuters.stations = (data / "stations.csv").string();
  commuters.threads = options.load.threads;
  commuters.progress = options.load.progress;
  generate::generate_commuters(commuters, (data / "trips.parquet").string());

  options.out = (fs::path(flags.out) / "results").string();
  options.study_name = study_file.filename().string();
  const job::Outcome outcome = job::run_study(experiment::load_study(study_file.string(), {}), options);
  display.clear();
  print_warnings(outcome.provenance.warnings);
  if (flags.quiet) return;
  print_outcome(outcome);
  fmt::print("{}", wrapped(fmt::format("the data and the study are in {}: change {} and run `hearsay study` on it",
                                       data.string(), study_file.string()),
                           0));
}

}  // namespace

void add_demo_command(CLI::App& app) {
  auto flags = std::make_shared<DemoFlags>();
  CLI::App* command = app.add_subcommand("demo", "Make a synthetic city and run the paper's study on it");
  command->add_option("--out", flags->out, "Folder for the data and the results")
      ->type_name("DIR")
      ->capture_default_str();
  command->add_option("--users", flags->commuters.cards, "Frequent travellers of the city")->capture_default_str();
  command->add_option("--seed", flags->commuters.seed, "Another seed makes another city")->capture_default_str();
  add_run_flags(*command, *flags);
  command->footer(fmt::format("Example:\n  hearsay demo --users 2000 --out try\n\n{}", kExitCodes));
  command->callback([flags] { run(*flags); });
}

}  // namespace hearsay::cli
