// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/spelling.h"
#include "base/text.h"

namespace hearsay {
namespace {

// However long a value, a name or a list of names from outside is, a message stays readable.
constexpr std::size_t kValueLimit = 200;
constexpr std::size_t kMessageLimit = 2000;
constexpr std::size_t kComparedLimit = 100;
constexpr std::size_t kMostListed = 40;

std::string describe(const InputPlace& place, const std::string& problem) {
  std::string text = place.file;
  if (place.line > 0) text += fmt::format(":{}", place.line);
  if (!place.column.empty()) text += fmt::format(": column {}", place.column);
  return one_line(text + ": " + problem, kMessageLimit);
}

std::string describe(const std::string& where, const std::string& parameter, const std::string& value,
                     const std::string& constraint) {
  const std::string name = one_line(parameter, kValueLimit);
  const std::string setting = value.empty() ? name : fmt::format("{} = {}", name, one_line(value, kValueLimit));
  return one_line(fmt::format("{}{}{}: {}", where, where.empty() ? "" : ": ", setting, constraint), kMessageLimit);
}

}  // namespace

InputError::InputError(InputPlace place, const std::string& problem)
    : std::runtime_error(describe(place, problem)), place_(std::move(place)) {}

ConfigError::ConfigError(std::string parameter, std::string value, std::string constraint, const std::string& where)
    : std::runtime_error(describe(where, parameter, value, constraint)),
      parameter_(std::move(parameter)),
      value_(std::move(value)),
      constraint_(std::move(constraint)) {}

std::string listed(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kMostListed, names.size()); ++i) {
    shown.push_back(one_line(names[i], kComparedLimit));
  }
  const std::string rest =
      names.size() > kMostListed ? fmt::format(" and {} more", names.size() - kMostListed) : std::string();
  return fmt::format("{}{}", fmt::join(shown, ", "), rest);
}

std::string suggestion(std::string_view given, const std::vector<std::string>& known) {
  if (const auto near = nearest(given, known, std::max<std::size_t>(2, given.size() / 2))) {
    return fmt::format("; did you mean \"{}\"?", one_line(known[*near], kComparedLimit));
  }
  return fmt::format("; known: {}", listed(known));
}

}  // namespace hearsay
