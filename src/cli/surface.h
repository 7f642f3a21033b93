// SPDX-License-Identifier: Apache-2.0
//
// What the program's commands take, read off the parser: completion and manual pages are made of it, so that neither
// has to be kept up by hand.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hearsay::cli {

struct Argument {
  std::string name;   // "--out"; of a positional argument its name in the help, "FILE"
  std::string value;  // what a flag takes, "DIR"; empty where it takes nothing
  std::string about;  // what the help says behind the name: the value with its default
  std::string text;
  bool positional = false;
  bool repeated = false;
  bool required = false;

  // Words that can stand for the value, where there are few.
  std::vector<std::string> choices;
  bool takes_folder() const { return value == "DIR"; }
  bool takes_file() const { return value.starts_with("FILE"); }
};

struct CommandSurface {
  std::vector<std::string> path;  // {"hearsay", "generate", "cabs"}
  std::string text;
  std::string footer;
  std::vector<Argument> arguments;
  std::vector<CommandSurface> commands;

  // "hearsay generate cabs", with another separator where asked.
  std::string name(char separator = ' ') const;
};

CommandSurface surface_of(const CLI::App& program);

// Scripts that complete command lines. Each defines what it needs and nothing else.
std::string bash_completion(const CommandSurface& program);
std::string zsh_completion(const CommandSurface& program);
std::string fish_completion(const CommandSurface& program);

// The manual page of one command, in the man macros of troff.
std::string manual_page(const CommandSurface& command, const std::string& version);

}  // namespace hearsay::cli
