// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "base/errors.h"
#include "base/text_table.h"
#include "cli/commands.h"
#include "cli/outcome_text.h"
#include "cli/run_flags.h"
#include "reproduction/knock_knock.h"
#include "reproduction/reproduction.h"

namespace hearsay::cli {
namespace {

const std::string kSanFrancisco = "sfc";
const std::string kKnockKnock = "knock-knock";

struct ReproduceFlags : RunFlags {
  std::string study;
  std::string data;
  std::string out;
};

void run_san_francisco(const ReproduceFlags& flags, const std::string& out) {
  ProgressDisplay display;
  job::RunOptions options;
  options.load = load_options(flags, display);
  options.out = out;
  options.study_name = "reproduce sfc";
  const reproduction::ReproductionOutcome done = reproduction::reproduce_san_francisco(flags.data, options);
  display.clear();
  print_warnings(done.outcome.provenance.warnings);
  if (!flags.quiet)
    fmt::print("{}\n{}", reproduction::reproduction_text(done.reproduction), outcome_text(done.outcome));
}

void run_knock_knock(const ReproduceFlags& flags, const std::string& out) {
  ProgressDisplay display;
  const reproduction::KnockKnockOutcome done =
      reproduction::reproduce_knock_knock(flags.data, out, {}, load_options(flags, display));
  display.clear();
  print_warnings(done.warnings);
  if (flags.quiet) return;
  fmt::print("{}\n{:.1f} s, {} of memory at most\nresults in {}:", reproduction::knock_knock_text(done.found),
             done.seconds, readable_bytes(done.peak_bytes), out);
  for (const results::ResultFile& file : done.files) fmt::print(" {}", file.name);
  fmt::print(" {}\n", results::kManifestName);
}

void run(const ReproduceFlags& flags) {
  const std::string out = flags.out.empty() ? "results/" + flags.study : flags.out;
  if (flags.study == kSanFrancisco) {
    run_san_francisco(flags, out);
  } else if (flags.study == kKnockKnock) {
    run_knock_knock(flags, out);
  } else {
    throw ConfigError("STUDY", flags.study, "is not known" + suggestion(flags.study, {kSanFrancisco, kKnockKnock}));
  }
}

}  // namespace

void add_reproduce_command(CLI::App& app) {
  auto flags = std::make_shared<ReproduceFlags>();
  CLI::App* command = app.add_subcommand("reproduce", "Run a published study and compare with its figures");
  command
      ->add_option("STUDY", flags->study,
                   "sfc: PETS 2017 on the San Francisco cabs; knock-knock: NDSS 2018 on the same")
      ->required();
  command->add_option("--data", flags->data, "Directory of the data, the files new_<cab>.txt")
      ->type_name("DIR")
      ->required();
  command->add_option("--out", flags->out, "Folder for the results; earlier results in it are replaced")
      ->option_text("DIR (default: results/STUDY)");
  add_run_flags(*command, *flags);
  command->footer(
      fmt::format("Example:\n  hearsay reproduce sfc --data cabspottingdata\n  hearsay reproduce knock-knock --data "
                  "cabspottingdata\n\n{}",
                  kExitCodes));
  command->callback([flags] { run(*flags); });
}

}  // namespace hearsay::cli
