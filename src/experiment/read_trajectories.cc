// SPDX-License-Identifier: Apache-2.0
#include "experiment/read_trajectories.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiment/chosen.h"

namespace hearsay::experiment {
namespace {

constexpr const char* kTrajectoriesGoal = "trajectories";

void read_days(Settings& settings, Study& study) {
  const std::string key = "trajectories.days";
  std::size_t& days = study.adversary.trajectories.days;
  const std::string shown = settings.shown(key);
  if (shown.empty()) return;
  if (shown == "\"all\"" || shown == "'all'") {
    settings.has(key);
    days = 0;
    return;
  }
  const dataset::Calendar calendar = study.calendar();
  const std::size_t most = (calendar.inference() + calendar.per_day() - 1) / calendar.per_day();
  days = settings.whole(key);
  if (days == 0) settings.fail(key, "must be at least 1, or \"all\"");
  if (days > most) {
    settings.fail(key, fmt::format("the inference period has {} {}", most, most == 1 ? "day" : "days"));
  }
}

void read_methods(Settings& settings, Study& study) {
  const std::string key = "trajectories.methods";
  if (!settings.has(key)) return;
  try {
    study.adversary.trajectories.methods = choose<trajectory::MethodEntry>(
        key, settings.texts(key, {}), trajectory::all_methods(),
        [](const trajectory::MethodEntry& entry) { return entry.info.name; }, study.registry);
  } catch (const ConfigError& error) {
    throw ConfigError(error.parameter(), error.value(), error.constraint(), settings.where(key));
  }
}

}  // namespace

void read_trajectories(Settings& settings, Study& study) {
  const auto named = [](const goal::GoalEntry* entry) { return entry->info.name == kTrajectoriesGoal; };
  const bool asked = std::any_of(study.goals.begin(), study.goals.end(), named);
  if (!settings.has(kTrajectoriesGoal) && !asked) return;
  const auto entry = std::find_if(study.registry.goals.begin(), study.registry.goals.end(), named);
  if (!asked && entry != study.registry.goals.end()) study.goals.push_back(*entry);
  read_days(settings, study);
  read_methods(settings, study);
}

}  // namespace hearsay::experiment
