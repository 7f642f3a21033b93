// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include "advice/advice.h"
#include "advice/choice.h"
#include "advice/words.h"
#include "base/temporary_folder.h"
#include "base/text_table.h"
#include "cli/catalogue.h"
#include "cli/commands.h"
#include "cli/looked_data.h"
#include "cli/run_flags.h"
#include "cli/terminal.h"
#include "report/page.h"
#include "results/result_folder.h"

namespace hearsay::cli {
namespace {

constexpr int kNotMet = 3;

struct AdviseFlags : RunFlags {
  std::string file;
  std::vector<std::string> overrides;
  double own_loss = 0;
  double membership = 0;
  double mae = 0;
  double seconds = 60;
  std::uint64_t seed = 1;
  std::string out;
  bool json = false;
};

struct Given {
  CLI::Option* own_loss;
  CLI::Option* membership;
  CLI::Option* mae;
};

std::string cell(const std::optional<advice::Value>& value, const std::string& format) {
  return value ? advice::interval_words(*value, format) : "";
}

// As many decimals for all as show three digits of the least, three at most.
std::string mae_format(const advice::Advice& advice) {
  double least = std::numeric_limits<double>::infinity();
  for (const advice::Priced& one : advice.frontier) {
    if (one.mae && one.mae->mean > 0) least = std::min(least, one.mae->mean);
  }
  const double digits = std::isfinite(least) ? std::clamp(2 - std::floor(std::log10(least)), 0.0, 3.0) : 0;
  return fmt::format("{{:.{}f}}", static_cast<int>(digits));
}

std::string frontier_text(const advice::Advice& advice) {
  const std::string of_errors = mae_format(advice);
  TextTable table({{"candidate"},
                   {"MAE", true},
                   {"own loss", true},
                   {"membership", true},
                   {"epsilon", true},
                   {"hides"},
                   {"draws", true},
                   {"keeps"}});
  for (std::size_t i = 0; i < advice.frontier.size(); ++i) {
    const advice::Priced& one = advice.frontier[i];
    const std::string mark = advice.chosen == i ? "chosen" : advice.nearest == i ? "nearest" : "";
    const std::string keeps = advice::keeps_to(one, advice.limits) ? "yes" : "no";
    table.add({one.candidate.label(), cell(one.mae, of_errors), cell(one.own_loss, "{:.4f}"),
               cell(one.membership, "{:.2f}"),
               one.guarantee.epsilon ? fmt::format("{:.4g}", *one.guarantee.epsilon) : "none", one.guarantee.unit,
               std::to_string(one.draws), mark.empty() ? keeps : mark});
  }
  return table.fitted(table_width());
}

std::string advice_text(const advice::Advice& advice) {
  std::string text;
  if (!advice.frontier.empty()) {
    text += frontier_text(advice) + "\n" +
            wrapped(
                "By MAE: no other candidate measured is as good in all three; means, and 95% intervals where there are "
                "some.",
                0) +
            "\n";
  }
  for (const std::string& sentence : advice.sentences) text += wrapped(sentence, 0) + "\n";
  if (advice.command.empty()) return text;
  text += advice.chosen ? "Its steps:\n" : "The steps of the nearest:\n";
  for (const std::string& step : advice.steps) text += wrapped(step, 2);
  text +=
      fmt::format("\n{}:\n  {}\n", advice.chosen ? "Publish it with" : "It would be published with", advice.command);
  for (const std::string& note : advice.command_notes) text += wrapped(note, 2);
  return text;
}

void run(const AdviseFlags& flags, const Given& given) {
  advice::Limits limits;
  if (given.own_loss->count() > 0) limits.own_loss = flags.own_loss;
  if (given.membership->count() > 0) limits.membership = flags.membership;
  if (given.mae->count() > 0) limits.mae = flags.mae;
  advice::check_limits(limits);
  advice::check_budget(flags.seconds);
  if (!flags.out.empty()) results::checked_result_path(flags.out);
  const experiment::Study study = study_of(flags.file, flags.overrides, flags, flags.json);
  ProgressDisplay display;
  advice::Options options;
  options.budget_seconds = flags.seconds;
  options.seed = flags.seed;
  options.load = load_options(flags, display);
  options.study_name = study_file(flags.file);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  engine::Engine engine(engine::load(study, options.load, temporary.path(), clock));
  const advice::Advice advice = advice::advise(engine, study, limits, options);
  display.clear();
  print_warnings(engine.loaded().provenance.warnings);
  if (!flags.out.empty()) advice::write_advice(advice, study, flags.out);
  if (flags.json) {
    fmt::print("{}\n", advice::advice_json(advice).dump(2, ' ', false, results::Json::error_handler_t::replace));
  } else if (!flags.quiet) {
    print_text(advice_text(advice));
    if (is_data(flags.file) && !advice.command.empty()) {
      fmt::print("\nThat study is not written yet:\n  {}\n", init_command(flags.file, flags.overrides));
    }
    if (!flags.out.empty()) {
      fmt::print("\nread it in a browser: {}\n", (std::filesystem::path(flags.out) / report::kPageName).string());
    }
  }
  if (!advice.chosen) throw Exit{kNotMet};
}

}  // namespace

void add_advise_command(CLI::App& app) {
  auto flags = std::make_shared<AdviseFlags>();
  CLI::App* command = app.add_subcommand("advise", "Find the most useful release within limits on what it gives away");
  command
      ->add_option("FILE", flags->file,
                   "The study, a TOML file, whose inference period would be published; or data, of which a study is "
                   "guessed")
      ->required();
  Given given{};
  given.own_loss = command
                       ->add_option("--own-loss", flags->own_loss,
                                    "Most that being counted may take of an adversary's error about people, as a share")
                       ->type_name("0..1");
  given.membership = command
                         ->add_option("--membership", flags->membership,
                                      "Most with which somebody may tell who was counted (AUC; 0.5 is a blind guess)")
                         ->type_name("0.5..1");
  given.mae = command->add_option("--mae", flags->mae, "Most that a count may be off on average")->type_name("PEOPLE");
  command->add_option("--budget", flags->seconds, "How long to search, such as 60s or 5min; more finds better")
      ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"min", 60}, {"h", 3600}},
                                        CLI::AsNumberWithUnit::CASE_SENSITIVE, "TIME"))
      ->option_text("TIME (default: 60s)");
  command
      ->add_option("--seed", flags->seed, "Of the noise that candidates are tried with; the same seed, the same advice")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--out", flags->out, "Folder for advice.json and a page; earlier ones in it are replaced")
      ->type_name("DIR");
  command->add_flag("--json", flags->json, "Print JSON");
  command->add_option("--set", flags->overrides, "Override a setting of the study; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_run_flags(*command, *flags);
  command->footer(fmt::format(
      "Tries a few hundred chains of defences and presets, a little each, and the promising ones better. At\n"
      "least one limit is needed; one left out does not bind. Prints the chosen release and the command that\n"
      "publishes it, or which limit none keeps to and what is nearest. The advice is made by looking at the\n"
      "data: it is for your eyes, and must not be published (docs/advice.md).\n\n"
      "Examples:\n"
      "  hearsay advise city.toml --own-loss 0.02 --membership 0.6 --mae 2\n"
      "  hearsay advise city.toml --membership 0.55 --budget 5min --out advice\n\n{}\n"
      "Also 3: no release that was tried keeps to the limits; the nearest is printed.",
      kExitCodes));
  command->callback([flags, given] { run(*flags, given); });
}

}  // namespace hearsay::cli
