// SPDX-License-Identifier: Apache-2.0
#include "experiment/chosen.h"

#include <fmt/format.h>

namespace hearsay::experiment {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

NamedChoice parse_choice(const std::string& key, const std::string& text) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos) return {trimmed(text), {}};
  const auto malformed = [&]() -> ConfigError { return {key, text, "must be NAME or NAME(parameter=value,...)"}; };
  const std::string whole = trimmed(text);
  if (whole.back() != ')') throw malformed();
  NamedChoice choice{trimmed(text.substr(0, open)), {}};
  std::string rest = whole.substr(whole.find('(') + 1);
  rest.pop_back();
  while (!trimmed(rest).empty()) {
    const std::size_t end = rest.find(',');
    const std::string part = rest.substr(0, end);
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) throw malformed();
    choice.given.emplace_back(trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1)));
  }
  return choice;
}

Parameters given_parameters(const std::string& key, const EntryInfo& info, const NamedChoice& choice) {
  std::vector<std::string> known;
  for (const ParameterInfo& parameter : info.parameters) known.push_back(parameter.name);
  for (auto one = choice.given.begin(); one != choice.given.end(); ++one) {
    if (std::find(known.begin(), known.end(), one->first) == known.end()) {
      throw ConfigError(key, one->first,
                        fmt::format("is no parameter of {}{}", info.name, suggestion(one->first, known)));
    }
    if (std::any_of(choice.given.begin(), one, [&](const auto& earlier) { return earlier.first == one->first; })) {
      throw ConfigError(key, one->first, "is given twice");
    }
  }
  Parameters given(info.name);
  for (const ParameterInfo& parameter : info.parameters) {
    for (const auto& [name, value] : choice.given) {
      if (name == parameter.name && value != parameter.default_value) given.set(name, value);
    }
  }
  return given;
}

}  // namespace hearsay::experiment
