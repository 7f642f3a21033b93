// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "base/errors.h"
#include "cli/catalogue.h"
#include "cli/columns.h"
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

// As words are compared: "top 10" and "TOP_10" are the same.
std::string comparable(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c == ' ' || c == '-' ? '_' : static_cast<char>(std::toupper(c)); });
  return text;
}

// Everything of a name, that spelled as asked first; whether there is anything.
bool print_named(const std::string& name) {
  std::vector<CatalogueItem> found;
  for (const CatalogueItem& item : catalogue()) {
    if (comparable(item.info->name) == comparable(name)) found.push_back(item);
  }
  std::stable_partition(found.begin(), found.end(), [&](const CatalogueItem& item) { return item.info->name == name; });
  for (const CatalogueItem& item : found) {
    if (&item != &found.front()) fmt::print("\n");
    print(item);
  }
  return !found.empty();
}

// A column named after another with an ending, such as error_p25: what the ending means, and that other.
bool print_derived(const std::string& wanted) {
  for (const ColumnEnding& ending : column_endings()) {
    if (!wanted.ends_with(ending.ending)) continue;
    const std::string base = wanted.substr(0, wanted.size() - ending.ending.size());
    const std::vector<CatalogueItem> all = catalogue();
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const auto& item) { return comparable(item.info->name) == base; });
    if (known) fmt::print("{}", wrapped(fmt::format("{}: of {}, {}.", wanted, base, ending.meaning), 0) + "\n");
    if (known ? print_named(base) : print_derived(base)) return true;
  }
  return false;
}

void run(const std::string& name) {
  const std::string wanted = comparable(name);
  if (print_named(name) || print_derived(wanted)) return;
  std::vector<std::string> names;
  for (const CatalogueItem& item : catalogue()) names.push_back(item.info->name);
  throw ConfigError("NAME", name, "is not known" + suggestion(wanted, names));
}

}  // namespace

void add_explain_command(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("explain", "Explain anything that `hearsay list` shows, and any column of results");
  command->add_option("NAME", *name, "As `hearsay list` shows it, in upper or lower case")->required();
  command->footer(
      fmt::format("Examples:\n  hearsay explain BAYES\n  hearsay explain freq_roi\n  hearsay explain own_part\n  "
                  "hearsay explain error_p25\n\n{}",
                  kExitCodes));
  command->callback([name] { run(*name); });
}

}  // namespace hearsay::cli
