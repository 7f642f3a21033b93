// SPDX-License-Identifier: Apache-2.0
#include "experiment/read_defences.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/errors.h"
#include "experiment/chosen.h"
#include "experiment/presets.h"

namespace hearsay::experiment {
namespace {

constexpr std::uint64_t kMostRepeats = 10000;
constexpr std::size_t kMostDefences = 10000;

using ReleaseTable = std::map<std::string, std::vector<std::string>>;

// The one value of a key that takes no list.
std::string single(const ReleaseTable& table, const std::string& key, const std::string& otherwise) {
  const auto found = table.find(key);
  if (found == table.end()) return otherwise;
  if (found->second.size() != 1) throw ConfigError("release." + key, "", "takes one value");
  return found->second.front();
}

void check_number(const std::string& key, std::size_t choices) {
  if (choices <= kMostDefences) return;
  throw ConfigError(key, "", fmt::format("makes more than {} choices of parameters", kMostDefences));
}

// Every choice of one value for each parameter, the last parameter changing fastest.
std::vector<Parameters> choices(const release::StepEntry& entry, const ReleaseTable& table) {
  std::vector<Parameters> made = {Parameters(entry.info.name)};
  for (const ParameterInfo& parameter : entry.info.parameters) {
    const auto found = table.find(parameter.name);
    if (found == table.end()) continue;
    if (found->second.empty()) throw ConfigError(entry.info.name + "." + parameter.name, "[]", "must not be empty");
    std::vector<Parameters> longer;
    for (const Parameters& start : made) {
      for (const std::string& value : found->second) longer.emplace_back(start).set(parameter.name, value);
      check_number("release." + parameter.name, longer.size());
    }
    made = std::move(longer);
  }
  return made;
}

// `parameters`: those of the mechanism named, which `owner` is.
void check_keys(const ReleaseTable& table, const std::string& owner, const std::vector<ParameterInfo>& parameters) {
  std::vector<std::string> known = {"mechanism",    "steps",  "preset",  "repeats",
                                    "post_process", "priors", "attacks", "goals"};
  for (const ParameterInfo& parameter : parameters) known.push_back(parameter.name);
  for (const auto& [key, values] : table) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw ConfigError(fmt::format("{}.{}", owner, key), "", "no such setting" + suggestion(key, known));
    }
  }
}

// The names at `key`, each of which the study must run.
std::vector<std::string> narrowed(const ReleaseTable& table, const std::string& key,
                                  const std::vector<std::string>& names) {
  const auto found = table.find(key);
  if (found == table.end()) return {};
  for (const std::string& name : found->second) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw ConfigError("release." + key, name, "is not run by this study" + suggestion(name, names));
    }
  }
  return found->second;
}

// `mechanism` and its parameters, each a value or a list: a chain of one step for every choice of values.
std::vector<release::Chain> chains_of_mechanism(const ReleaseTable& table, const Registry& registry) {
  const release::StepEntry& entry =
      release::step_named("release.mechanism", single(table, "mechanism", ""), registry.steps);
  check_keys(table, entry.info.name, entry.info.parameters);
  std::vector<release::Chain> chains;
  for (const Parameters& parameters : choices(entry, table)) chains.emplace_back().add(entry, parameters);
  return chains;
}

// A step whose parameters may have several values, a|b|c: the step with one value of each, the last changing fastest.
std::vector<std::string> choices_of_step(const std::string& text) {
  const NamedChoice choice = parse_choice("release.steps", text);
  std::vector<std::string> made = {choice.name};
  for (const auto& [name, values] : choice.given) {
    std::vector<std::string> longer;
    for (const std::string& start : made) {
      for (std::size_t begin = 0; begin <= values.size();) {
        const std::size_t end = std::min(values.find('|', begin), values.size());
        longer.push_back(
            fmt::format("{}{}{}={}", start, start == choice.name ? "(" : ",", name, values.substr(begin, end - begin)));
        begin = end + 1;
      }
      check_number("release.steps", longer.size());
    }
    made = std::move(longer);
  }
  if (!choice.given.empty()) {
    for (std::string& one : made) one += ")";
  }
  return made;
}

// A chain for every choice of values of its steps' parameters.
std::vector<release::Chain> chains_of_steps(const std::vector<std::string>& texts, const Registry& registry) {
  std::vector<std::vector<std::string>> made = {{}};
  for (const std::string& text : texts) {
    const std::vector<std::string> steps = choices_of_step(text);
    std::vector<std::vector<std::string>> longer;
    for (const std::vector<std::string>& start : made) {
      for (const std::string& step : steps) longer.emplace_back(start).push_back(step);
      check_number("release.steps", longer.size());
    }
    made = std::move(longer);
  }
  std::vector<release::Chain> chains;
  for (const std::vector<std::string>& steps : made) {
    chains.push_back(chain_of("release.steps", steps, registry.steps));
  }
  return chains;
}

std::vector<release::Chain> chains_of(const ReleaseTable& table, const Registry& registry) {
  const auto ways = std::count_if(table.begin(), table.end(), [](const auto& one) {
    return one.first == "mechanism" || one.first == "steps" || one.first == "preset";
  });
  if (ways > 1) throw ConfigError("release", "", "give one of mechanism, steps and preset");
  if (!table.contains("steps") && !table.contains("preset")) return chains_of_mechanism(table, registry);
  check_keys(table, "release", {});
  if (table.contains("steps")) return chains_of_steps(table.at("steps"), registry);
  std::vector<release::Chain> chains;
  for (const std::string& name : table.at("preset")) {
    chains.push_back(chain_of_preset("release.preset", name, registry.steps));
  }
  if (chains.empty()) throw ConfigError("release.preset", "[]", "must name a preset");
  return chains;
}

void add_defences(const ReleaseTable& table, Study& study) {
  const std::vector<release::Chain> chains = chains_of(table, study.registry);
  const release::PostProcess post_process = release::post_process_named(
      "release.post_process", single(table, "post_process", release::name_of(release::kDefaultPostProcess)));
  Parameters general(chains.front().name());
  general.set("repeats", single(table, "repeats", "1"));
  const std::uint64_t repeats = general.whole("repeats");
  if (repeats == 0 || repeats > kMostRepeats) {
    general.fail("repeats", fmt::format("must be between 1 and {}", kMostRepeats));
  }
  const auto names_of = [](const auto& entries) {
    std::vector<std::string> names;
    for (const auto* entry : entries) names.push_back(entry->info.name);
    return names;
  };
  std::vector<std::string> goals;
  for (const metric::MetricEntry* metric : study.adversary.goals) goals.push_back(metric->goal);
  for (const goal::GoalEntry* entry : study.goals) {
    if (!entry->of_errors) goals.push_back(entry->info.name);
  }
  for (const release::Chain& chain : chains) {
    chain.check(study.data.shape());
    goal::Defence defence{chain,
                          chain.parameter(),
                          repeats,
                          post_process,
                          narrowed(table, "priors", names_of(study.adversary.priors)),
                          narrowed(table, "attacks", names_of(study.adversary.attacks)),
                          narrowed(table, "goals", goals)};
    if (post_process != release::kDefaultPostProcess) {
      defence.parameter += (defence.parameter.empty() ? "" : ",") + ("post_process=" + release::name_of(post_process));
    }
    study.defences.push_back(std::move(defence));
  }
}

}  // namespace

void read_defences(Settings& settings, Study& study) {
  for (const ReleaseTable& table : settings.tables("release")) {
    try {
      add_defences(table, study);
      for (const auto& [old, name] : {std::pair("true", "nonnegative"), std::pair("false", "none")}) {
        if (single(table, "post_process", "") != old) continue;
        settings.deprecate("release", fmt::format("post_process = {}", old), fmt::format("write \"{}\"", name));
      }
    } catch (const ConfigError& error) {
      throw ConfigError(error.parameter(), error.value(), error.constraint(), settings.where("release"));
    }
  }
}

}  // namespace hearsay::experiment
