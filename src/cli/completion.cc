// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "cli/surface.h"

namespace hearsay::cli {
namespace {

using Visit = std::function<void(const CommandSurface&)>;

void each(const CommandSurface& command, const Visit& visit) {
  visit(command);
  for (const CommandSurface& inner : command.commands) each(inner, visit);
}

// The command without the program's name: "generate cabs"; empty for the program.
std::string below(const CommandSurface& command) {
  const std::string name = command.name();
  const std::size_t space = name.find(' ');
  return space == std::string::npos ? "" : name.substr(space + 1);
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> flags_of(const CommandSurface& command) {
  std::vector<std::string> flags;
  for (const Argument& argument : command.arguments) {
    if (!argument.positional) flags.push_back(argument.name);
  }
  return flags;
}

std::vector<std::string> names_of(const std::vector<CommandSurface>& commands) {
  std::vector<std::string> names;
  for (const CommandSurface& command : commands) names.push_back(command.path.back());
  return names;
}

// In single quotes, as the three shells read them.
std::string quoted(const std::string& text, std::string_view quote) {
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += quote : out += c;
  return out + "'";
}

std::string bash_answer(const Argument& argument) {
  if (!argument.choices.empty()) {
    return fmt::format(R"(COMPREPLY=($(compgen -W "{}" -- "$current")))", joined(argument.choices));
  }
  if (argument.takes_folder()) return R"(_hearsay_paths -d "$current")";
  if (argument.takes_file()) return R"(_hearsay_paths -f "$current")";
  return "COMPREPLY=()";
}

}  // namespace

std::string bash_completion(const CommandSurface& program) {
  std::string known;
  std::string values;
  std::string words;
  each(program, [&](const CommandSurface& command) {
    const std::string name = below(command);
    for (const CommandSurface& inner : command.commands) {
      known += fmt::format("      \"{} {}\") command=\"{}\" ;;\n", name, inner.path.back(), below(inner));
    }
    std::string positional;
    for (const Argument& argument : command.arguments) {
      if (argument.positional) positional = bash_answer(argument);
      if (argument.positional || argument.value.empty()) continue;
      values += fmt::format("    \"{} {}\") {}; return ;;\n", name, argument.name, bash_answer(argument));
    }
    if (!command.commands.empty()) {
      positional = fmt::format(R"(COMPREPLY=($(compgen -W "{}" -- "$current")))", joined(names_of(command.commands)));
    }
    words += fmt::format("    \"{}\")\n      flags=\"{}\"\n      [[ $current == -* ]] || {{ {}; return; }} ;;\n", name,
                         joined(flags_of(command)), positional.empty() ? ":" : positional);
  });
  return fmt::format(R"(# bash completion for hearsay; made by `hearsay completion bash`.
_hearsay_paths() {{
  compopt -o filenames 2>/dev/null
  local path
  COMPREPLY=()
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$2")
}}

_hearsay() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" command="" flags="" i
  COMPREPLY=()
  # --out=f is three words to bash.
  if [[ $current == = ]]; then
    current=""
  elif [[ $previous == = ]]; then
    previous="${{COMP_WORDS[COMP_CWORD-2]}}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${{COMP_WORDS[i]}}" in
{}    esac
  done
  case "$command $previous" in
{}  esac
  case "$command" in
{}  esac
  COMPREPLY=($(compgen -W "$flags" -- "$current"))
}}
complete -F _hearsay hearsay
)",
                     known, values, words);
}

namespace {

// Of a specification, in which [ ] : have a meaning.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_answer(const Argument& argument) {
  const std::string name = zsh_text(argument.value);
  if (!argument.choices.empty()) return fmt::format(":{}:({})", name, joined(argument.choices));
  if (argument.takes_folder()) return fmt::format(":{}:_files -/", name);
  if (argument.takes_file()) return fmt::format(":{}:_files", name);
  return fmt::format(":{}: ", name);
}

std::string zsh_specification(const Argument& argument) {
  if (argument.positional) return (argument.repeated ? "*" : "1") + zsh_answer(argument);
  return fmt::format("{}{}[{}]{}", argument.repeated ? "*" : "", argument.name, zsh_text(argument.text),
                     argument.value.empty() ? "" : zsh_answer(argument));
}

}  // namespace

std::string zsh_completion(const CommandSurface& program) {
  std::string text = "#compdef hearsay\n# zsh completion for hearsay; made by `hearsay completion zsh`.\n";
  each(program, [&](const CommandSurface& command) {
    const bool has_commands = !command.commands.empty();
    text += fmt::format("\n_{}() {{\n", command.name('_'));
    if (has_commands) text += "  local state line\n  typeset -A opt_args\n";
    text += has_commands ? "  _arguments -C" : "  _arguments";
    for (const Argument& argument : command.arguments) {
      text += " \\\n    " + quoted(zsh_specification(argument), R"('\'')");
    }
    if (has_commands) {
      text += " \\\n    '1: :->command' '*:: :->rest'\n  case $state in\n    command)\n      local -a commands=(\n";
      for (const CommandSurface& inner : command.commands) {
        text += fmt::format("        {}\n", quoted(inner.path.back() + ":" + zsh_text(inner.text), R"('\'')"));
      }
      text += "      )\n      _describe command commands ;;\n    rest)\n      case $words[1] in\n";
      for (const CommandSurface& inner : command.commands) {
        text += fmt::format("        {}) _{} ;;\n", inner.path.back(), inner.name('_'));
      }
      text += "      esac ;;\n  esac\n}\n";
    } else {
      text += "\n}\n";
    }
  });
  return text + "\nif [[ $funcstack[1] == _hearsay ]]; then _hearsay \"$@\"; else compdef _hearsay hearsay; fi\n";
}

std::string fish_completion(const CommandSurface& program) {
  std::string text = "# fish completion for hearsay; made by `hearsay completion fish`.\ncomplete -c hearsay -f\n";
  const auto line = [&](const std::string& when, const std::string& what, const std::string& description) {
    text += fmt::format("complete -c hearsay{}{} {}", when.empty() ? "" : " -n ",
                        when.empty() ? "" : quoted(when, "\\'"), what);
    text += description.empty() ? "\n" : fmt::format(" -d {}\n", quoted(description, "\\'"));
  };
  each(program, [&](const CommandSurface& command) {
    std::string when;
    for (std::size_t i = 1; i < command.path.size(); ++i) {
      when += fmt::format("{}__fish_seen_subcommand_from {}", when.empty() ? "" : "; and ", command.path[i]);
    }
    const std::string none = fmt::format("not __fish_seen_subcommand_from {}", joined(names_of(command.commands)));
    const std::string first = command.commands.empty() ? when : when.empty() ? none : when + "; and " + none;
    for (const CommandSurface& inner : command.commands) line(first, "-a " + inner.path.back(), inner.text);
    for (const Argument& argument : command.arguments) {
      const std::string choices = argument.choices.empty() ? "" : " -a " + quoted(joined(argument.choices), "\\'");
      const bool path = argument.takes_file() || argument.takes_folder();
      if (argument.positional) {
        line(first, path ? "-F" : choices.empty() ? "-f" : choices.substr(1), "");
      } else {
        line(first,
             fmt::format("-l {}{}{}", argument.name.substr(2),
                         argument.value.empty() ? ""
                         : path                 ? " -r -F"
                                                : " -x",
                         choices),
             argument.text);
      }
    }
  });
  return text;
}

}  // namespace hearsay::cli
