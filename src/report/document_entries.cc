// SPDX-License-Identifier: Apache-2.0
#include "report/document_entries.h"

#include <string>
#include <vector>

namespace hearsay::report {
namespace {

results::Json entry_json(const prior::PriorEntry& entry) {
  return info_json(entry.info);
}

results::Json entry_json(const attack::AttackEntry& entry) {
  results::Json json = info_json(entry.info);
  json["uses_release"] = entry.uses_release;
  json["uses_prior"] = entry.uses_prior;
  return json;
}

results::Json entry_json(const decision::DecisionEntry& entry) {
  results::Json json = info_json(entry.info);
  json["of_assignments"] = entry.of_assignments;
  const Parameters values = entry.info.values();
  for (results::Json& parameter : json["parameters"]) {
    const std::string name = parameter["name"];
    parameter["value"] = values.has(name) ? results::Json(values.text(name)) : results::Json();
  }
  return json;
}

results::Json entry_json(const release::StepEntry& entry) {
  return info_json(entry.info);
}

results::Json entry_json(const metric::MetricEntry& entry) {
  results::Json json = info_json(entry.info);
  json["compares_with"] = entry.baseline == metric::Baseline::kNone    ? results::Json()
                          : entry.baseline == metric::Baseline::kPrior ? results::Json("prior")
                                                                       : results::Json("raw");
  return json;
}

template <typename Entry>
results::Json list_json(const std::vector<const Entry*>& all, const std::vector<const Entry*>& chosen = {}) {
  results::Json list = results::Json::array();
  for (const Entry* entry : all) {
    const Entry* as_run = entry;
    std::vector<const Entry*> forms;
    for (const Entry* one : chosen) {
      if (one->info.name == entry->info.name) as_run = one;
      if (one->info.name.starts_with(entry->info.name + "(")) forms.push_back(one);
    }
    list.push_back(entry_json(*as_run));
    for (const Entry* form : forms) list.push_back(entry_json(*form));
  }
  return list;
}

}  // namespace

results::Json info_json(const EntryInfo& info) {
  results::Json parameters = results::Json::array();
  for (const ParameterInfo& parameter : info.parameters) {
    parameters.push_back({{"name", parameter.name}, {"summary", parameter.summary}});
  }
  return {{"name", info.name},
          {"summary", info.summary},
          {"explanation", info.explanation},
          {"citation", info.citation},
          {"parameters", parameters}};
}

results::Json goals_json(const experiment::Study& study) {
  results::Json list = results::Json::array();
  for (const metric::MetricEntry* entry : study.adversary.goals) {
    list.push_back({{"name", entry->goal},
                    {"metric", entry->info.name},
                    {"wants", entry->wants},
                    {"largest", entry->largest_error(study.adversary.metric)},
                    {"decides", entry->decides}});
  }
  return list;
}

results::Json entries_json(const experiment::Study& study) {
  const experiment::Registry& known = study.registry;
  const goal::AdversarySpec& chosen = study.adversary;
  return {{"priors", list_json(known.priors, chosen.priors)},
          {"attacks", list_json(known.attacks, chosen.attacks)},
          {"decisions", list_json(known.decisions, chosen.decisions)},
          {"mechanisms", list_json(known.steps)},
          {"metrics", list_json(metric::all_metrics())}};
}

}  // namespace hearsay::report
