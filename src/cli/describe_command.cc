// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/errors.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/looked_data.h"
#include "cli/run_flags.h"
#include "cli/terminal.h"
#include "job/description.h"
#include "look/study_text.h"

namespace hearsay::cli {
namespace {

struct DescribeFlags : RunFlags {
  std::vector<std::string> files;
  std::vector<std::string> overrides;
  bool json = false;
  bool bounds = false;
  job::BoundQuestion question;
};

void describe_data(const DescribeFlags& flags) {
  if (flags.bounds) throw ConfigError("--bounds", "", "is about a study; `hearsay init` writes one");
  const std::string folder = std::filesystem::path(study_file(flags.files.front())).parent_path().string();
  const look::Sight sight = look(flags.files, flags.overrides, folder, flags).sight;
  if (flags.json) {
    fmt::print("{}", look::sight_json(sight));
    return;
  }
  print_text(look::sight_text(sight, text_width()));
  if (!sight.problem.empty()) fmt::print("\nIt cannot be studied as it is: {}\n", one_line(sight.problem));
  fmt::print("\nA study of it: {}\n", init_command(flags.files.front(), flags.overrides));
}

void run(const DescribeFlags& flags) {
  if (is_data(flags.files.front())) {
    describe_data(flags);
    return;
  }
  if (flags.files.size() > 1) throw ConfigError("FILE", one_line(flags.files[1]), "expected one study, or data alone");
  const experiment::Study study = open_study(flags.files.front(), flags.overrides);
  ProgressDisplay display;
  const job::Description description = job::describe_study(study, load_options(flags, display),
                                                           flags.bounds ? std::optional(flags.question) : std::nullopt);
  display.clear();
  print_warnings(description.provenance.warnings);
  if (flags.json) {
    fmt::print("{}", job::describe_as_json(description));
  } else {
    print_text(job::describe_as_text(description));
  }
}

}  // namespace

void add_describe_command(CLI::App& app) {
  auto flags = std::make_shared<DescribeFlags>();
  CLI::App* command = app.add_subcommand("describe", "Print what is in the data; nothing is attacked");
  command->add_option("FILE", flags->files, "The study, a TOML file; or data that no study knows yet")->required();
  command->add_flag("--json", flags->json, "Print JSON");
  CLI::Option* bounds = command->add_flag(
      "--bounds", flags->bounds, "Also print how far counts would be off by how many visits of a user are kept");
  command->add_option("--epsilon", flags->question.epsilon, "With --bounds: for a whole user")
      ->needs(bounds)
      ->capture_default_str();
  command->add_option("--delta", flags->question.delta, "With --bounds: of GAUSSIAN")
      ->needs(bounds)
      ->capture_default_str();
  command->add_option("--set", flags->overrides, "Override a setting of the study; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_run_flags(*command, *flags);
  command->footer(
      fmt::format("Examples:\n"
                  "  hearsay describe examples/small/study.toml\n"
                  "  hearsay describe trips.csv\n"
                  "  hearsay describe city.toml --json --quiet\n"
                  "  hearsay describe city.toml --bounds --epsilon 0.5\n\n{}",
                  kExitCodes));
  command->callback([flags] { run(*flags); });
}

}  // namespace hearsay::cli
