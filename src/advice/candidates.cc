// SPDX-License-Identifier: Apache-2.0
#include "advice/candidates.h"

#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <utility>

#include "base/errors.h"
#include "experiment/presets.h"

namespace hearsay::advice {
namespace {

using Steps = std::vector<std::string>;
constexpr const char* kKey = "advise";
constexpr const char* kEpsilon = "epsilon=";

Steps joined(Steps steps, const Steps& more) {
  steps.insert(steps.end(), more.begin(), more.end());
  return steps;
}

// Nothing, longer epochs up to a day, larger cells or zones.
std::vector<Steps> geometries(const experiment::Study& study) {
  const release::Shape shape = study.data.shape();
  const dataset::Calendar calendar = study.calendar();
  std::vector<Steps> all = {{}};
  std::set<std::uint32_t> lengths;
  for (const std::uint32_t part : {8U, 4U, 1U}) lengths.insert(calendar.per_day() / part);
  for (const std::uint32_t epochs : lengths) {
    if (epochs >= 2 && 2 * epochs <= calendar.inference()) all.push_back({fmt::format("EPOCHS(of={})", epochs)});
  }
  for (const std::uint32_t cells : {2U, 5U}) {
    if (2 * cells <= shape.columns) all.push_back({fmt::format("PLACES(of={})", cells)});
  }
  if (shape.zones) all.push_back({"PLACES(of=zone)"});
  return all;
}

Steps noises(const std::string& noise, const std::string& unit, std::initializer_list<double> epsilons) {
  Steps all;
  for (const double epsilon : epsilons) all.push_back(fmt::format("{}(epsilon={:g},unit={})", noise, epsilon, unit));
  return all;
}

const Steps kThresholds = {"SUPPRESS(at_most=4)", "SUPPRESS(at_most=9)", "ROUND(base=5)", "ROUND(base=10)"};

// What can be done with counts of any places and epochs.
std::vector<Steps> on_counts() {
  std::vector<Steps> all = {{}};
  for (const std::string& threshold : kThresholds) all.push_back({threshold});
  for (const std::string& noise : noises("LAPLACE", "event", {0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5})) {
    all.push_back({noise});
    for (const std::string& threshold : {kThresholds[1], kThresholds[3]}) all.push_back({noise, threshold});
  }
  for (const std::string& noise : noises("GAUSSIAN", "event", {0.1, 0.2, 0.5, 1, 2, 5})) all.push_back({noise});
  for (const int most : {10, 50}) {
    const std::string bound = fmt::format("BOUND(at_most={})", most);
    for (const std::string& noise : noises("GAUSSIAN", "user", {1, 3, 10})) all.push_back({bound, noise});
  }
  for (const std::string& noise : noises("LAPLACE", "user", {1, 10})) all.push_back({"BOUND(at_most=10)", noise});
  return all;
}

// What is worth its work on the study's own places and epochs only.
std::vector<Steps> on_fine_counts() {
  std::vector<Steps> all;
  for (const char* unit : {"event", "user_place"}) {
    for (const std::string& noise : noises("EFPA", unit, {0.1, 0.3, 1, 3, 10, 30})) all.push_back({noise});
  }
  for (const std::string& noise : noises("LAPLACE", "user_place", {1, 3, 10, 30})) all.push_back({noise});
  for (const std::string& noise : noises("GAUSSIAN", "user_place", {1, 3, 10})) all.push_back({noise});
  for (const std::string& noise : noises("PEGASUS", "event", {0.05, 0.1, 0.3, 1})) all.push_back({noise});
  for (const double epsilon : {0.3, 1.0, 3.0}) {
    all.push_back({fmt::format("TREE(noise=gaussian,epsilon={:g},unit=event)", epsilon)});
  }
  for (const std::string& noise : noises("LAPLACE", "user_day", {0.3, 1, 3})) {
    all.push_back({"BOUND(at_most=4,per=day)", noise});
  }
  return all;
}

// Begin and end of the value of epsilon in the parameters of a step; none where it has none.
std::optional<std::pair<std::size_t, std::size_t>> epsilon_in(const std::string& parameter) {
  std::size_t begin = parameter.find(kEpsilon);
  if (begin == std::string::npos || (begin > 0 && parameter[begin - 1] != ',')) return std::nullopt;
  begin += std::string(kEpsilon).size();
  return std::pair(begin, std::min(parameter.size(), parameter.find(',', begin)));
}

}  // namespace

std::string Candidate::family() const {
  std::string text;
  for (const release::NamedStep& step : chain.named_steps()) {
    std::string parameter = step.parameter;
    if (const auto place = epsilon_in(parameter)) parameter.replace(place->first, place->second - place->first, "");
    text += step.name + "(" + parameter + ") ";
  }
  return text;
}

double Candidate::epsilon() const {
  for (const release::NamedStep& step : chain.named_steps()) {
    if (const auto place = epsilon_in(step.parameter))
      return std::strtod(step.parameter.c_str() + place->first, nullptr);
  }
  return 0;
}

std::vector<Candidate> candidates_for(const experiment::Study& study) {
  const release::Shape shape = study.data.shape();
  std::vector<Candidate> all;
  std::set<std::string> seen;
  const auto add = [&](release::Chain chain, const std::string& preset = "") {
    try {
      chain.check(shape);
    } catch (const ConfigError&) {
      return;  // it does not fit
    }
    if (seen.insert(chain.steps()).second) all.push_back({std::move(chain), preset});
  };
  for (const experiment::Preset& preset : experiment::all_presets()) {
    add(experiment::chain_of_preset(kKey, preset.info.name, study.registry.steps), preset.info.name);
  }
  for (const Steps& geometry : geometries(study)) {
    for (const Steps& steps : on_counts()) {
      const Steps chain = joined(geometry, steps);
      if (!chain.empty()) add(experiment::chain_of(kKey, chain, study.registry.steps));
    }
  }
  for (const Steps& steps : on_fine_counts()) add(experiment::chain_of(kKey, steps, study.registry.steps));
  for (const goal::Defence& defence : study.defences) {
    if (defence.post_process == release::kDefaultPostProcess) add(defence.chain);
  }
  return all;
}

}  // namespace hearsay::advice
