// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/text_table.h"
#include "cli/commands.h"
#include "cli/run_flags.h"
#include "generate/cabs.h"
#include "generate/commuters.h"

namespace hearsay::cli {
namespace {

struct CommuterFlags : RunFlags {
  generate::CommuterOptions options;
  std::size_t population = 0;
  std::string out = "trips.parquet";
};

// A file that the user named is replaced, as with any command that writes one. The usual name is not.
void check_named(const CLI::Option& option, const std::string& out) {
  if (option.count() > 0 || !std::filesystem::exists(std::filesystem::symlink_status(out))) return;
  throw ConfigError("--out", out, "exists already; name another file with --out, or this one to replace it");
}

void run_commuters(const CommuterFlags& flags) {
  ProgressDisplay display;
  generate::CommuterOptions options = flags.options;
  if (flags.population > 0) {
    options.cards = flags.population;
    options.whole_city = true;
  }
  const engine::LoadOptions general = load_options(flags, display);
  options.threads = general.threads;
  options.progress = general.progress;
  const std::uint64_t trips = generate::generate_commuters(options, flags.out);
  display.clear();
  if (!flags.quiet) {
    fmt::print("{} trips of {} cards in {}, stations in {}; times are Europe/London\n", with_commas(trips),
               with_commas(options.cards), one_line(flags.out),
               options.stations.empty() ? "stations.csv beside it" : one_line(options.stations));
  }
}

void add_commuters(CLI::App& generate) {
  auto flags = std::make_shared<CommuterFlags>();
  CLI::App* command = generate.add_subcommand("commuters", "Card trips on a city's transport network");
  CLI::Option* users =
      command->add_option("--users", flags->options.cards, "Frequent travellers such as the paper kept")
          ->capture_default_str();
  command->add_option("--population", flags->population, "Cards of a whole city instead: mostly occasional travellers")
      ->excludes(users);
  command->add_option("--weeks", flags->options.weeks, "Weeks from Monday 2010-03-01")->capture_default_str();
  command->add_option("--seed", flags->options.seed, "The same seed gives the same bytes")->capture_default_str();
  const CLI::Option* out =
      command->add_option("--out", flags->out, "The trips, .parquet or .csv")->type_name("FILE")->capture_default_str();
  command->add_option("--stations", flags->options.stations, "The stations, .csv; by default stations.csv beside --out")
      ->type_name("FILE");
  add_run_flags(*command, *flags);
  command->footer(
      fmt::format("Examples:\n"
                  "  hearsay generate commuters --out city/trips.parquet\n"
                  "  hearsay generate commuters --population 4000000 --out city/trips.parquet\n\n{}",
                  kExitCodes));
  command->callback([flags, out] {
    check_named(*out, flags->out);
    run_commuters(*flags);
  });
}

struct CabFlags : RunFlags {
  generate::CabOptions options;
  std::string out = "cabs.parquet";
};

void run_cabs(const CabFlags& flags) {
  ProgressDisplay display;
  generate::CabOptions options = flags.options;
  const engine::LoadOptions general = load_options(flags, display);
  options.threads = general.threads;
  options.progress = general.progress;
  const std::uint64_t rows = generate::generate_cabs(options, flags.out);
  display.clear();
  if (!flags.quiet) {
    fmt::print("{} GPS fixes of {} cabs in {}; times are Unix seconds, the city is on America/Los_Angeles\n",
               with_commas(rows), with_commas(options.cabs), one_line(flags.out));
  }
}

void add_cabs(CLI::App& generate) {
  auto flags = std::make_shared<CabFlags>();
  CLI::App* command = generate.add_subcommand("cabs", "GPS fixes of a taxi fleet in a city");
  command->add_option("--cabs", flags->options.cabs, "Cabs of the fleet")->capture_default_str();
  command->add_option("--weeks", flags->options.weeks, "Weeks from Monday 2008-05-19")->capture_default_str();
  command->add_option("--seed", flags->options.seed, "The same seed gives the same bytes")->capture_default_str();
  const CLI::Option* out =
      command->add_option("--out", flags->out, "The fixes, .parquet or .csv")->type_name("FILE")->capture_default_str();
  add_run_flags(*command, *flags);
  command->footer(fmt::format("Example:\n  hearsay generate cabs --out fleet/cabs.parquet\n\n{}", kExitCodes));
  command->callback([flags, out] {
    check_named(*out, flags->out);
    run_cabs(*flags);
  });
}

}  // namespace

void add_generate_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("generate", "Make synthetic data to try things on");
  command->require_subcommand(1);
  add_commuters(*command);
  add_cabs(*command);
  command->footer(
      fmt::format("Examples:\n"
                  "  hearsay generate commuters --out city/trips.parquet\n"
                  "  hearsay generate cabs --out fleet/cabs.parquet\n\n{}",
                  kExitCodes));
}

}  // namespace hearsay::cli
