// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/run_flags.h"
#include "cli/worth_text.h"
#include "publication/publication.h"

namespace hearsay::cli {
namespace {

struct ReleaseFlags : RunFlags {
  std::string file;
  std::vector<std::string> overrides;
  publication::PublicationRequest request;
  double budget = 0;
  std::string post_process = release::name_of(release::kDefaultPostProcess);
  std::optional<std::uint64_t> population;
};

void print_outcome(const publication::PublicationOutcome& outcome) {
  if (outcome.reasons.empty()) {
    fmt::print("epsilon {:.6g} for {}{}{}{}\n", *outcome.guarantee.epsilon, outcome.guarantee.unit,
               outcome.guarantee.delta > 0 ? fmt::format(", but for a chance of {:.3g}", outcome.guarantee.delta) : "",
               outcome.guarantee.note.empty() ? "" : ". ", outcome.guarantee.note);
    if (outcome.a_year) fmt::print("{}\n", outcome.a_year->sentence);
  } else {
    for (const std::string& reason : outcome.reasons) fmt::print("UNSAFE, no guarantee: {}\n", reason);
  }
  fmt::print("account {} has spent {} (ledger in {})\n", outcome.account.name, one_line(outcome.account.standing()),
             one_line(outcome.ledger));
  fmt::print("{} counts in {}, the guarantee in {}; times are {}\n", outcome.rows, one_line(outcome.file),
             one_line(outcome.guarantee_file), outcome.provenance.timezone);
}

void run(const ReleaseFlags& flags, bool has_budget) {
  std::vector<std::string> overrides = flags.overrides;
  if (flags.population) overrides.push_back(fmt::format("data.population={}", *flags.population));
  const experiment::Study study = open_study(flags.file, overrides);
  publication::PublicationRequest request = flags.request;
  if (has_budget) request.budget = flags.budget;
  request.post_process = release::post_process_named("--post-process", flags.post_process);
  ProgressDisplay display;
  request.preview = [&](const release::Worth& worth) {
    display.clear();
    if (!flags.quiet) fmt::print("{}", worth_text(worth, request.post_process));
    print_warnings(worth_warnings(worth, request.post_process, request.accept_noise));
  };
  const publication::PublicationOutcome outcome = publication::publish(study, request, load_options(flags, display));
  display.clear();
  print_warnings(outcome.provenance.warnings);
  if (!flags.quiet) print_outcome(outcome);
}

}  // namespace

void add_release_command(CLI::App& app) {
  auto flags = std::make_shared<ReleaseFlags>();
  CLI::App* command = app.add_subcommand("release", "Make protected counts that may be published");
  command->add_option("FILE", flags->file, "The study, a TOML file; its inference period is counted")->required();
  command->add_option("--mechanism", flags->request.mechanism, "The defence; see hearsay list");
  command->add_option("--parameter", flags->request.parameters, "A parameter of the mechanism; several may be given")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--step", flags->request.steps,
                   "In place of --mechanism, a step of a chain, in order; several may be given")
      ->type_name("NAME(PARAMETER=VALUE,...)")
      ->allow_extra_args(false);
  command->add_option("--preset", flags->request.preset, "In place of --mechanism, a preset; see hearsay list")
      ->type_name("NAME");
  command->add_option("--out", flags->request.out, "The file of counts, .parquet or .csv; never replaced")
      ->type_name("FILE")
      ->required();
  command->add_option("--account", flags->request.account, "Whose budget it spends; by default data.account")
      ->type_name("NAME");
  CLI::Option* budget = command->add_option(
      "--budget", flags->budget, "Total epsilon that all releases of the account may spend; needed with the first");
  command->add_option("--ledger", flags->request.ledger, "Folder of the ledger; your state folder by default")
      ->type_name("DIR");
  command->add_flag("--new-data", flags->request.new_data,
                    "Data that the account has not seen belongs to it: the same, changed or grown");
  command->add_flag("--mix-units", flags->request.mix_units,
                    "Add up another unit than the budget's; the sum then holds for the smallest only");
  command->add_option("--post-process", flags->post_process, "What becomes of noisy counts; see docs/defences.md")
      ->type_name("none|round|nonnegative|projected")
      ->check(CLI::IsMember({"none", "round", "nonnegative", "projected"}).description(""))
      ->capture_default_str();
  command
      ->add_option("--population", flags->population,
                   "People in all, seen or not, as declared in advance; local reports need it")
      ->type_name("N");
  command->add_flag("--yes", flags->request.accept_noise, "Publish also counts that are mostly noise");
  command->add_flag("--allow-large-delta", flags->request.allow_large_delta,
                    "Publish also where delta is above 1e-5 or 1 / people");
  command->add_flag("--unsafe", flags->request.unsafe,
                    "Publish also what has no sound guarantee, and say so in the file");
  command->add_option("--set", flags->overrides, "Override a setting of the study; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_run_flags(*command, *flags);
  command->footer(
      fmt::format("Noise comes from the operating system's secure source and is never seeded: every run differs.\n"
                  "Your ledger adds up what all releases of an account spend, wherever they are published: it is in\n"
                  "$XDG_STATE_HOME/hearsay (~/.local/state/hearsay), or in --ledger. `hearsay ledger` shows it.\n\n"
                  "Examples:\n"
                  "  hearsay release city.toml --mechanism SCM --parameter bound=20 --parameter epsilon=0.5 \\\n"
                  "    --account riders --budget 1 --out published/march.parquet\n"
                  "  hearsay release city.toml --step \"BOUND(at_most=20)\" --step \"GAUSSIAN(epsilon=0.5)\" \\\n"
                  "    --account riders --out published/april.parquet\n\n{}",
                  kExitCodes));
  command->callback([flags, budget] { run(*flags, budget->count() > 0); });
}

}  // namespace hearsay::cli
