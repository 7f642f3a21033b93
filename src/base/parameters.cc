// SPDX-License-Identifier: Apache-2.0
#include "base/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/errors.h"

namespace hearsay {

void Parameters::set(const std::string& name, const std::string& value) {
  values_.emplace_back(name, value);
}

bool Parameters::has(const std::string& name) const {
  return std::any_of(values_.begin(), values_.end(), [&](const auto& entry) { return entry.first == name; });
}

const std::string& Parameters::text(const std::string& name) const {
  const auto found =
      std::find_if(values_.begin(), values_.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == values_.end()) throw ConfigError(entry_ + "." + name, "", "is required");
  return found->second;
}

double Parameters::number(const std::string& name) const {
  const std::string& value = text(name);
  double result = 0;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (problem != std::errc() || end != value.data() + value.size() || !std::isfinite(result)) {
    fail(name, "must be a number");
  }
  return result;
}

std::uint64_t Parameters::whole(const std::string& name) const {
  const double value = number(name);
  if (value < 0 || value != std::floor(value) || value > 0x1p53) fail(name, "must be a whole number");
  return static_cast<std::uint64_t>(value);
}

double Parameters::positive(const std::string& name) const {
  const double value = number(name);
  if (value <= 0) fail(name, "must be above 0");
  return value;
}

double Parameters::fraction(const std::string& name) const {
  const double value = number(name);
  if (value <= 0 || value >= 1) fail(name, "must be above 0 and below 1");
  return value;
}

std::size_t Parameters::choice(const std::string& name, const std::vector<std::string>& names) const {
  const std::string& value = text(name);
  const auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) fail(name, "is not known" + suggestion(value, names));
  return static_cast<std::size_t>(found - names.begin());
}

void Parameters::fail(const std::string& name, const std::string& constraint) const {
  throw ConfigError(entry_ + "." + name, text(name), constraint);
}

std::string Parameters::label() const {
  std::string label;
  for (const auto& [name, value] : values_) {
    if (!label.empty()) label += ',';
    label.append(name).append("=").append(value);
  }
  return label;
}

}  // namespace hearsay
