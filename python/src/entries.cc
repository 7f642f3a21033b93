// SPDX-License-Identifier: Apache-2.0
#include "entries.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <charconv>

#include "base/errors.h"

namespace hearsay::python {
namespace {

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

// As a study file's value is written in results, since noise depends on it.
std::string text_of(nb::handle value) {
  return nb::isinstance<nb::float_>(value) ? fmt::format("{}", nb::cast<double>(value)) : nb::str(value).c_str();
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

Parameters parameters_from(const EntryInfo& info, const nb::kwargs& given) {
  std::vector<std::string> known;
  for (const ParameterInfo& parameter : info.parameters) known.push_back(parameter.name);
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw ConfigError(info.name + "." + name, "", "no such setting" + suggestion(name, known));
    }
  }
  Parameters parameters(info.name);
  for (const std::string& name : known) {
    if (!given.contains(name.c_str()) || given[name.c_str()].is_none()) continue;
    parameters.set(name, text_of(nb::object(given[name.c_str()])));
  }
  return parameters;
}

}  // namespace hearsay::python
