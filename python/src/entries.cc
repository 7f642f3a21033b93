// SPDX-License-Identifier: Apache-2.0
#include "entries.h"

#include <fmt/format.h>

#include <charconv>

namespace hearsay::python {
namespace {

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string signature(const EntryInfo& info, const std::string& first, const std::string& result) {
  std::string text = fmt::format("def {}({}", info.name, first);
  if (!info.parameters.empty()) text += first.empty() ? "*" : ", *";
  for (const ParameterInfo& parameter : info.parameters) {
    // What a parameter without default requires, such as one of two, only the entry knows and says.
    if (parameter.default_value.empty()) {
      text += fmt::format(", {}: float | str | None = None", parameter.name);
      continue;
    }
    text += fmt::format(", {}: float | str", parameter.name);
    text += is_number(parameter.default_value) ? " = " + parameter.default_value
                                               : fmt::format(" = '{}'", parameter.default_value);
  }
  return text + ") -> " + result;
}

std::string documentation(const EntryInfo& info) {
  std::string text = info.summary + "\n\n" + info.explanation + "\n";
  for (const ParameterInfo& parameter : info.parameters) {
    text += fmt::format("\n{}: {}", parameter.name, parameter.summary);
  }
  if (!info.parameters.empty()) text += "\n";
  return info.citation.empty() ? text : text + "\n" + info.citation;
}

}  // namespace hearsay::python
