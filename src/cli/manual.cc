// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cctype>

#include "cli/surface.h"

namespace hearsay::cli {
namespace {

// Text as troff prints it: no character is an instruction, and a hyphen can be copied into a shell.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (out.empty() || out.back() == '\n') {
      if (c == '.' || c == '\'') out += "\\&";
    }
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string synopsis(const CommandSurface& command) {
  std::string text = fmt::format(".B {}\n", escaped(command.name()));
  for (const Argument& argument : command.arguments) {
    if (!argument.positional && argument.required) {
      text += fmt::format(".B {}\n.I {}\n", escaped(argument.name), escaped(argument.value));
    }
  }
  text += "[\\fIoptions\\fR]\n";
  for (const Argument& argument : command.arguments) {
    if (argument.positional) text += fmt::format(".I {}{}\n", escaped(argument.name), argument.repeated ? " ..." : "");
  }
  if (!command.commands.empty()) text += ".I command\n";
  return text;
}

std::string options(const CommandSurface& command) {
  std::string text;
  for (const Argument& argument : command.arguments) {
    text += argument.positional ? fmt::format(".TP\n.I {}\n", escaped(argument.name))
            : argument.value.empty()
                ? fmt::format(".TP\n.B {}\n", escaped(argument.name))
                : fmt::format(".TP\n\\fB{}\\fR \\fI{}\\fR\n", escaped(argument.name), escaped(argument.about));
    text += escaped(argument.text) + "\n";
  }
  return text;
}

// What follows the options in the help: examples by line, exit codes and whatever else as text.
std::string footer(const CommandSurface& command) {
  std::string text;
  std::string rest = command.footer;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("\n\n"), rest.size());
    const std::string part = rest.substr(0, end);
    rest = rest.substr(std::min(end + 2, rest.size()));
    if (part.starts_with("Example")) {
      text += fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", escaped(part.substr(part.find('\n') + 1)));
    } else if (const std::size_t codes = part.find("Exit codes: "); codes != std::string::npos) {
      if (codes > 0) text += fmt::format(".PP\n{}\n", escaped(part.substr(0, codes)));
      text += fmt::format(".SH EXIT STATUS\n{}\n", escaped(part.substr(codes + 12)));
    } else {
      text += fmt::format("{}\n{}\n", text.empty() ? ".SH NOTES" : ".PP", escaped(part));
    }
  }
  return text;
}

}  // namespace

std::string manual_page(const CommandSurface& command, const std::string& version) {
  std::string text =
      fmt::format(".TH {} 1 \"\" \"hearsay {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                  upper(escaped(command.name('-'))), version, escaped(command.name('-')), escaped(command.text));
  text += fmt::format(".SH SYNOPSIS\n{}.SH OPTIONS\n{}", synopsis(command), options(command));
  if (!command.commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandSurface& inner : command.commands) {
      text += fmt::format(".TP\n.BR {} (1)\n{}\n", escaped(inner.name('-')), escaped(inner.text));
    }
  }
  text += footer(command);
  text += command.path.size() > 1 ? ".SH SEE ALSO\n.BR hearsay (1)\n" : "";
  return text;
}

}  // namespace hearsay::cli
