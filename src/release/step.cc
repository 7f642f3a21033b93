// SPDX-License-Identifier: Apache-2.0
#include "release/step.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.h"
#include "release/reach.h"

namespace hearsay::release {

ParameterInfo epsilon_parameter() {
  return with_usual({"epsilon", "", "above 0; smaller hides more"}, {0.001, 10, false, true});
}

double given_epsilon(const Parameters& parameters) {
  constexpr double kLeast = 1e-9;
  constexpr double kMost = 1e15;
  const double epsilon = parameters.positive("epsilon");
  if (epsilon < kLeast || epsilon > kMost) {
    parameters.fail("epsilon", fmt::format("must be between {:g} and {:g}", kLeast, kMost));
  }
  return epsilon;
}

ParameterInfo unit_parameter(const char* default_value) {
  return with_choices({"unit", default_value, "event, user_place, user_epoch, user_day, user_week or user"},
                      unit_names());
}

std::unique_ptr<Step> make_step(const StepEntry& entry, const Parameters& given) {
  EntryInfo info = entry.info;
  info.given = given;
  return entry.make(info.values());
}

const StepEntry& step_named(const std::string& key, const std::string& name,
                            const std::vector<const StepEntry*>& steps) {
  std::string upper = name;
  for (char& c : upper) c = 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const StepEntry* entry) {
    return entry->info.name == name || entry->info.name == upper;
  });
  if (found != steps.end()) return **found;
  std::vector<std::string> names;
  for (const StepEntry* entry : steps) names.push_back(entry->info.name);
  throw ConfigError(key, name, "is not known" + suggestion(name, names));
}

}  // namespace hearsay::release
