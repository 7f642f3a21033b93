// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/catalogue.h"
#include "cli/commands.h"
#include "cli/run_flags.h"

namespace hearsay::cli {
namespace {

constexpr std::size_t kNameWidth = 20;

void run() {
  std::string kind;
  for (const CatalogueItem& item : catalogue()) {
    if (item.kind != kind)
      fmt::print("{}{}{}\n", kind.empty() ? "" : "\n", item.kind, item.kind.back() == 'e' ? "" : "s");
    kind = item.kind;
    const std::string text = wrapped(item.info->summary, kNameWidth);
    fmt::print("  {:<{}}{}", item.info->name, kNameWidth - 2, text.substr(kNameWidth));
  }
  fmt::print("\n`hearsay explain NAME` says more about each.\n");
}

}  // namespace

void add_list_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("list",
                                         "List every prior, attack, decision, mechanism, preset, metric, goal, "
                                         "distinguisher, knowledge, method, term and column");
  command->footer(fmt::format("Example:\n  hearsay list\n\n{}", kExitCodes));
  command->callback(run);
}

}  // namespace hearsay::cli
