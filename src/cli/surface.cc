// SPDX-License-Identifier: Apache-2.0
#include "cli/surface.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/catalogue.h"

namespace hearsay::cli {
namespace {

std::vector<std::string> names_of(const std::string& kind) {
  std::vector<std::string> names;
  for (const CatalogueItem& item : catalogue()) {
    const std::string& name = item.info->name;
    if ((kind.empty() || item.kind == kind) && name.find(' ') == std::string::npos) names.push_back(name);
  }
  return names;
}

// What the parser itself does not know: names that the program looks up later.
std::vector<std::string> choices_of(const CommandSurface& command, const Argument& argument) {
  if (argument.value.find('|') != std::string::npos) return CLI::detail::split(argument.value, '|');
  if (argument.positional) {
    if (command.path.back() == "completion") return {"bash", "zsh", "fish"};
    if (command.path.back() == "reproduce") return {"sfc", "knock-knock"};
    if (command.path.back() == "explain") return names_of("");
  }
  if (argument.name == "--mechanism") return names_of("mechanism");
  if (argument.name == "--preset") return names_of("preset");
  return {};
}

Argument argument_of(const CLI::Option& option) {
  Argument argument;
  argument.positional = option.get_positional();
  argument.name = argument.positional ? option.get_name(true) : "--" + option.get_lnames().front();
  argument.text = option.get_description();
  argument.repeated = option.get_items_expected_max() > 1;
  argument.required = option.get_required();
  if (argument.positional) {
    argument.value = argument.name;
  } else if (option.get_items_expected_max() > 0) {
    argument.value = option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
    argument.about = argument.value;
    if (option.get_option_text().empty() && !option.get_default_str().empty()) {
      argument.about += fmt::format(" (default: {})", option.get_default_str());
    }
    argument.value = argument.value.substr(0, argument.value.find(' '));
  }
  return argument;
}

CommandSurface surface_of(const CLI::App& app, std::vector<std::string> path) {
  CommandSurface command;
  path.push_back(app.get_name());
  command.path = std::move(path);
  command.text = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional() && option->get_lnames().empty()) continue;
    command.arguments.push_back(argument_of(*option));
    command.arguments.back().choices = choices_of(command, command.arguments.back());
  }
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    command.commands.push_back(surface_of(*inner, command.path));
  }
  return command;
}

}  // namespace

std::string CommandSurface::name(char separator) const {
  return fmt::format("{}", fmt::join(path, std::string_view(&separator, 1)));
}

CommandSurface surface_of(const CLI::App& program) {
  return surface_of(program, {});
}

}  // namespace hearsay::cli
