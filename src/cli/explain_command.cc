// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "base/errors.h"
#include "cli/catalogue.h"
#include "cli/commands.h"
#include "cli/run_flags.h"

namespace hearsay::cli {
namespace {

std::string need_of(const ParameterInfo& parameter) {
  if (!parameter.default_value.empty()) return "default " + parameter.default_value;
  return parameter.alternative.empty() ? "required" : "required, unless " + parameter.alternative + " is given";
}

void print(const CatalogueItem& item) {
  const EntryInfo& info = *item.info;
  fmt::print("{} ({})\n", info.name, item.kind);
  fmt::print("{}\n{}", wrapped(info.summary, 2), wrapped(info.explanation, 2));
  if (!item.notes.empty()) fmt::print("\n{}", wrapped(item.notes, 2));
  if (info.parameters.empty()) {
    fmt::print("\n  Parameters: none\n");
  } else {
    fmt::print("\n  Parameters:\n");
    for (const ParameterInfo& parameter : info.parameters) {
      fmt::print("{}", wrapped(fmt::format("{} ({}): {}", parameter.name, need_of(parameter), parameter.summary), 4));
    }
  }
  fmt::print("\n{}", wrapped("Source: " + info.citation, 2));
}

void run(const std::string& name) {
  const auto upper = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
  };
  const std::string wanted = upper(name);
  bool found = false;
  std::vector<std::string> names;
  for (const CatalogueItem& item : catalogue()) {
    names.push_back(item.info->name);
    if (upper(item.info->name) != wanted) continue;
    if (found) fmt::print("\n");
    print(item);
    found = true;
  }
  if (!found) throw ConfigError("NAME", name, "is not known" + suggestion(wanted, names));
}

}  // namespace

void add_explain_command(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("explain", "Explain anything that `hearsay list` shows");
  command->add_option("NAME", *name, "As `hearsay list` shows it, in upper or lower case")->required();
  command->footer(fmt::format(
      "Examples:\n  hearsay explain BAYES\n  hearsay explain freq_roi\n  hearsay explain own_part\n\n{}", kExitCodes));
  command->callback([name] { run(*name); });
}

}  // namespace hearsay::cli
