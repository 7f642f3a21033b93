// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>

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

// Levenshtein distance, letters compared without case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kComparedLimit);
  b = b.substr(0, kComparedLimit);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const bool same =
          std::tolower(static_cast<unsigned char>(a[i])) == std::tolower(static_cast<unsigned char>(b[j]));
      const std::size_t replaced = diagonal + (same ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
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
  const auto nearest = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return edit_distance(given, a) < edit_distance(given, b);
  });
  if (nearest != known.end() && edit_distance(given, *nearest) <= std::max<std::size_t>(2, given.size() / 2)) {
    return fmt::format("; did you mean \"{}\"?", one_line(*nearest, kComparedLimit));
  }
  return fmt::format("; known: {}", listed(known));
}

}  // namespace hearsay
