// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "base/errors.h"
#include "cli/commands.h"
#include "cli/outcome_text.h"
#include "cli/run_flags.h"
#include "reproduction/reproduction.h"

namespace hearsay::cli {
namespace {

constexpr const char* kSanFrancisco = "sfc";

struct ReproduceFlags : RunFlags {
  std::string study;
  std::string data;
  std::string out = "results/sfc";
};

void run(const ReproduceFlags& flags) {
  if (flags.study != kSanFrancisco) throw ConfigError("STUDY", flags.study, "is not known; known: sfc");
  ProgressDisplay display;
  job::RunOptions options;
  options.load = load_options(flags, display);
  options.out = flags.out;
  options.study_name = "reproduce sfc";
  const reproduction::ReproductionOutcome done = reproduction::reproduce_san_francisco(flags.data, options);
  display.clear();
  print_warnings(done.outcome.provenance.warnings);
  if (!flags.quiet)
    fmt::print("{}\n{}", reproduction::reproduction_text(done.reproduction), outcome_text(done.outcome));
}

}  // namespace

void add_reproduce_command(CLI::App& app) {
  auto flags = std::make_shared<ReproduceFlags>();
  CLI::App* command = app.add_subcommand("reproduce", "Run a study of the paper and compare with its figures");
  command->add_option("STUDY", flags->study, "sfc: the San Francisco cabs")->required();
  command->add_option("--data", flags->data, "Directory of the data; for sfc that of the files new_<cab>.txt")
      ->type_name("DIR")
      ->required();
  command->add_option("--out", flags->out, "Folder for the results; earlier results in it are replaced")
      ->option_text("DIR (default: results/sfc)");
  add_run_flags(*command, *flags);
  command->footer(fmt::format("Example:\n  hearsay reproduce sfc --data cabspottingdata\n\n{}", kExitCodes));
  command->callback([flags] { run(*flags); });
}

}  // namespace hearsay::cli
