// SPDX-License-Identifier: Apache-2.0
#include "report/chains.h"

#include <algorithm>

#include "experiment/presets.h"
#include "release/a_year.h"
#include "report/defence_effects.h"
#include "report/document_entries.h"
#include "report/document_numbers.h"
#include "results/repeats.h"

namespace hearsay::report {
namespace {

results::Json response_json(const DefendedResponse& one) {
  results::Json strategies = results::Json::array();
  for (const auto& [attack, decision] : one.strategies) {
    strategies.push_back({{"attack", attack}, {"decision", decision}});
  }
  return {{"goal", one.goal},
          {"prior", one.prior},
          {"before", one.before},
          {"without", optional_number(one.without)},
          {"with", one.with},
          {"own", one.own ? results::Json(one.own->mean) : results::Json()},
          {"own_half_width", one.own ? optional_number(one.own->half_width) : results::Json()},
          {"own_raw", optional_number(one.own_raw)},
          {"own_bound", optional_number(one.own_bound)},
          {"strategies", strategies},
          {"strongest", one.strongest},
          {"strongest_raw", one.strongest_raw}};
}

// The first of the study's defences that results know by these names.
const goal::Defence* defence_of(const experiment::Study& study, const results::ReleaseMeans& release) {
  const auto found = std::find_if(study.defences.begin(), study.defences.end(), [&](const goal::Defence& defence) {
    return defence.chain.name() == release.release && defence.parameter == release.parameter;
  });
  return found == study.defences.end() ? nullptr : &*found;
}

results::Json preset_json(const release::Chain& chain) {
  const experiment::Preset* preset = experiment::preset_named(chain.name());
  return preset == nullptr ? results::Json() : info_json(preset->info);
}

// The attacks on its counts, in the order in which they were tried.
results::Json attacks_json(const results::ReleaseMeans& release, const std::vector<results::SummaryRow>& summary) {
  std::vector<std::string> names;
  for (const results::SummaryRow& row : summary) {
    const goal::Combination& key = row.combination;
    const bool of_it = key.release == release.release && key.parameter == release.parameter && key.uses_release;
    if (of_it && std::find(names.begin(), names.end(), key.attack) == names.end()) names.push_back(key.attack);
  }
  return names;
}

// Steps, rule and guarantee.
results::Json chain_json(const goal::Defence& defence, const release::Guarantee& guarantee) {
  results::Json json = {{"preset", preset_json(defence.chain)}, {"steps", steps_json(defence.chain)}};
  const bool usual = defence.post_process == release::kDefaultPostProcess;
  json["post_process"] = usual ? results::Json() : results::Json(release::name_of(defence.post_process));
  json.update(guarantee_json(guarantee));
  return json;
}

}  // namespace

results::Json steps_json(const release::Chain& chain) {
  results::Json list = results::Json::array();
  for (const release::NamedStep& step : chain.named_steps()) {
    list.push_back({{"name", step.name}, {"parameter", step.parameter}});
  }
  return list;
}

results::Json guarantee_json(const release::Guarantee& guarantee) {
  return {{"epsilon", optional_number(guarantee.epsilon)},
          {"unit", guarantee.unit},
          {"epsilon_with_null", optional_number(guarantee.epsilon_with_null)},
          {"delta", guarantee.epsilon ? results::Json(guarantee.delta) : results::Json()},
          {"rho", optional_number(guarantee.rho)},
          {"others", results::claims_json(guarantee.others)},
          {"note", guarantee.note}};
}

void append_utility(results::Json& json, const results::ReleaseMeans& release) {
  for (const results::MeanNumber& number : release.numbers) {
    json[number.name] = number.value ? results::Json(number.value->mean) : results::Json();
  }
}

results::Json published_json(const experiment::Study& study, const std::vector<goal::ReleaseResult>& releases) {
  if (!study.published) return {};
  const goal::Defence& defence = *study.published;
  const std::vector<results::ReleaseMeans> means = results::means_over_repeats(releases);
  const auto release = std::find_if(means.begin(), means.end(), [&](const results::ReleaseMeans& one) {
    return one.baseline.empty() && one.release == defence.chain.name() && one.parameter == defence.parameter;
  });
  if (release == means.end()) return {};
  results::Json json = chain_json(defence, release->guarantee);
  append_utility(json, *release);
  json["worse_than"] = release->worse_than;
  json["worse_than_mae"] = release->worse_than_mae;
  const dataset::Calendar calendar = study.calendar();
  const auto year = release::a_year(release->guarantee, std::uint64_t{calendar.inference()} * calendar.epoch_seconds);
  json["a_year"] = year ? results::Json(year->sentence) : results::Json();
  return json;
}

results::Json chains_json(const experiment::Study& study, const std::vector<results::SummaryRow>& summary,
                          const std::vector<goal::ReleaseResult>& releases) {
  results::Json list = results::Json::array();
  for (const results::ReleaseMeans& release : results::means_over_repeats(releases)) {
    const goal::Defence* defence = defence_of(study, release);
    if (!release.baseline.empty() || defence == nullptr) continue;
    results::Json json = {{"release", release.release}, {"parameter", release.parameter}};
    json.update(chain_json(*defence, release.guarantee));
    json["repeats"] = release.repeats;
    json["mre"] = release.mre.mean;
    json["mre_half_width"] = optional_number(release.mre.half_width);
    json["mae"] = release.mae.mean;
    json["mae_half_width"] = optional_number(release.mae.half_width);
    json["worse_than"] = release.worse_than;
    json["worse_than_mae"] = release.worse_than_mae;
    json["attacks"] = attacks_json(release, summary);
    json["responses"] = results::Json::array();
    for (const DefendedResponse& one : defended_responses(release, summary, study.adversary.metric)) {
      json["responses"].push_back(response_json(one));
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace hearsay::report
