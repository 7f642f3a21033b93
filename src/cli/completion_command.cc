// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "base/errors.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/run_flags.h"
#include "cli/surface.h"

namespace hearsay::cli {
namespace {

void complete(const CLI::App& program, const std::string& shell) {
  const CommandSurface surface = surface_of(program);
  fmt::print("{}", shell == "bash"  ? bash_completion(surface)
                   : shell == "zsh" ? zsh_completion(surface)
                                    : fish_completion(surface));
}

void write_pages(const CommandSurface& command, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / (command.name('-') + ".1");
  std::ofstream out(file);
  out << manual_page(command, version());
  if (!out.flush()) throw ConfigError("DIR", folder.string(), "cannot be written to");
  for (const CommandSurface& inner : command.commands) write_pages(inner, folder);
}

}  // namespace

void add_completion_command(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print what completes command lines in bash, zsh or fish");
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      fmt::format("The Debian package brings it along, and the manual pages. Without the package:\n\n"
                  "Examples:\n"
                  "  hearsay completion bash >>~/.bashrc\n"
                  "  hearsay completion zsh >/usr/local/share/zsh/site-functions/_hearsay\n"
                  "  hearsay completion fish >~/.config/fish/completions/hearsay.fish\n\n{}",
                  kExitCodes));
  command->callback([&app, shell] { complete(app, *shell); });
}

void add_manual_command(CLI::App& app) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("manual", "Write the manual pages into a folder");
  command->group("");  // for packages
  command->add_option("DIR", *folder, "A folder that exists")->required()->check(CLI::ExistingDirectory);
  command->callback([&app, folder] { write_pages(surface_of(app), *folder); });
}

}  // namespace hearsay::cli
