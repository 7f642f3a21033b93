// SPDX-License-Identifier: Apache-2.0
#include "studio/settings.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "base/errors.h"
#include "experiment/presets.h"

namespace hearsay::studio {
namespace {

constexpr std::size_t kMostNames = 64;
constexpr const char* kMembership = "membership";

// The texts of a list at `key`.
toml::array names_of(const results::Json& settings, const char* key) {
  const results::Json& list = settings.at(key);
  if (!list.is_array() || list.empty() || list.size() > kMostNames) {
    throw ConfigError(key, "", fmt::format("must be a list of 1 to {} names", kMostNames));
  }
  toml::array names;
  for (const results::Json& one : list) {
    if (!one.is_string()) throw ConfigError(key, one.dump(), "must be text");
    names.push_back(one.get<std::string>());
  }
  return names;
}

// As a [[release]] of a study file; what it may say is checked there.
toml::table release_of(const results::Json& publish) {
  if (!publish.is_object()) throw ConfigError("publish", publish.dump(), "must be null, steps or a preset");
  toml::table table;
  for (const auto& [key, value] : publish.items()) {
    if (key == "steps") {
      table.insert(key, names_of(publish, "steps"));
    } else if ((key == "preset" || key == "post_process") && value.is_string()) {
      table.insert(key, value.get<std::string>());
    } else {
      throw ConfigError("publish", key, "is not known; there are steps, preset and post_process");
    }
  }
  return table;
}

bool flag_of(const results::Json& settings, const char* key) {
  const results::Json& value = settings.at(key);
  if (!value.is_boolean()) throw ConfigError(key, value.dump(), "must be true or false");
  return value.get<bool>();
}

std::vector<std::string> all_error_goals() {
  std::vector<std::string> goals;
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    if (entry->make != nullptr) goals.push_back(entry->goal);
  }
  return goals;
}

std::vector<std::string> error_goals(const experiment::Study& study) {
  std::vector<std::string> goals;
  for (const metric::MetricEntry* entry : study.adversary.goals) goals.push_back(entry->goal);
  return goals.empty() ? all_error_goals() : goals;
}

// What the studio shows is about errors; the game has a setting of its own.
void check_goals(const toml::array& names, const experiment::Registry& registry) {
  const std::vector<std::string> known = all_error_goals();
  for (const toml::node& node : names) {
    const std::string name = node.value_or(std::string());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (name == kMembership) throw ConfigError("goals", name, "is asked for by the setting membership");
    const bool is_goal = std::any_of(registry.goals.begin(), registry.goals.end(),
                                     [&](const auto* entry) { return !entry->of_errors && entry->info.name == name; });
    throw ConfigError(
        "goals", name,
        is_goal ? "is not shown in the studio; hearsay study measures it" : "is not known" + suggestion(name, known));
  }
}

// Those of the study that use a release; of many, the first that reads rates, or the first that assigns people to
// places: so that the first answer is quick and not weak.
std::vector<const attack::AttackEntry*> first_attacks(const experiment::Study& study, const prior::PriorEntry& prior) {
  constexpr std::size_t kMany = 3;
  std::vector<const attack::AttackEntry*> all;
  for (const auto& list : {study.adversary.attacks, study.registry.attacks}) {
    if (!all.empty()) break;
    std::copy_if(list.begin(), list.end(), std::back_inserter(all),
                 [](const auto* entry) { return entry->uses_release; });
  }
  if (all.size() < kMany) return all;
  const auto first = [&](const auto& is) { return std::find_if(all.begin(), all.end(), is); };
  auto found = first([&](const attack::AttackEntry* entry) { return entry->needs_rates && prior.rates; });
  if (found == all.end()) {
    found = first([](const attack::AttackEntry* entry) { return entry->output == attack::Output::kAssignment; });
  }
  return found == all.end() ? all : std::vector{*found};
}

// Keys of a study file by those of settings.
std::string key_of(const std::string& parameter) {
  for (const char* key : {"priors", "attacks", "goals", "seed"}) {
    if (parameter == std::string("study.") + key) return key;
  }
  return parameter.starts_with("study.") ? parameter : "publish";
}

// The text of the study file that settings stand for.
std::string study_text(const experiment::Study& base, const results::Json& settings) {
  toml::table root = toml::parse(base.as_run);
  root.erase("release");
  root.erase("trajectories");
  if (!root["study"].is_table()) root.insert_or_assign("study", toml::table());
  toml::table& study = *root["study"].as_table();
  toml::array goals;
  for (const std::string& goal : error_goals(base)) goals.push_back(goal);
  bool membership = false;
  for (const auto& [key, value] : settings.items()) {
    if (key == "priors" || key == "attacks") {
      study.insert_or_assign(key, names_of(settings, key.c_str()));
    } else if (key == "goals") {
      goals = names_of(settings, "goals");
      check_goals(goals, base.registry);
    } else if (key == kMembership) {
      membership = flag_of(settings, kMembership);
    } else if (key == "seed") {
      if (!value.is_number_unsigned() || value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
        throw ConfigError("seed", value.dump(), "must be a whole number");
      }
      study.insert_or_assign("seed", value.get<std::int64_t>());
    } else if (key == "publish") {
      if (!value.is_null()) root.insert("release", toml::array{release_of(value)});
    } else {
      throw ConfigError("settings", key,
                        "is not known; there are priors, attacks, goals, membership, seed and publish");
    }
  }
  if (membership) {
    goals.push_back(kMembership);
  } else {
    root.erase(kMembership);
  }
  study.insert_or_assign("goals", goals);
  std::ostringstream text;
  text << root << "\n";
  return text.str();
}

}  // namespace

experiment::Study study_of(const experiment::Study& base, const results::Json& settings) {
  if (!settings.is_object()) throw ConfigError("settings", "", "must be an object");
  const std::string text = study_text(base, settings);
  experiment::Study study;
  try {
    study = experiment::parse_study(text, "", "", {});
  } catch (const ConfigError& error) {
    throw ConfigError(key_of(error.parameter()), error.value(), error.constraint());
  }
  study.data = base.data;
  study.results = base.results;
  study.as_run = text;
  study.overrides = base.overrides;
  if (study.defences.size() > 1) throw ConfigError("publish", "", "must be one release: one value of each parameter");
  if (!study.defences.empty()) {
    study.published = std::move(study.defences.front());
    study.defences.clear();
  }
  return study;
}

results::Json first_settings(const experiment::Study& base) {
  const prior::PriorEntry& prior =
      *(base.adversary.priors.empty() ? base.registry.priors : base.adversary.priors).front();
  results::Json attacks = results::Json::array();
  for (const attack::AttackEntry* entry : first_attacks(base, prior)) attacks.push_back(entry->info.name);
  results::Json settings = {{"priors", {prior.info.name}}, {"attacks", attacks}, {"goals", {error_goals(base).front()}},
                            {kMembership, false},          {"seed", base.seed},  {"publish", nullptr}};
  if (!base.defences.empty()) {
    const goal::Defence& first = base.defences.front();
    results::Json publish;
    if (experiment::preset_named(first.chain.name()) != nullptr) {
      publish["preset"] = first.chain.name();
    } else {
      for (const release::NamedStep& step : first.chain.named_steps()) publish["steps"].push_back(step.text());
    }
    publish["post_process"] = release::name_of(first.post_process);
    settings["publish"] = std::move(publish);
  }
  return settings;
}

}  // namespace hearsay::studio
