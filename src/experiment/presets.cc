// SPDX-License-Identifier: Apache-2.0
#include "experiment/presets.h"

#include <algorithm>

#include "base/errors.h"
#include "experiment/chosen.h"

namespace hearsay::experiment {

const std::vector<Preset>& all_presets() {
  static const std::vector<Preset> presets = {
      {{.position = 1,
        .name = "google-mobility",
        .summary = "Google Community Mobility Reports: at most 4 places a person and day, Laplace noise, small counts "
                   "dropped.",
        .explanation =
            "Epsilon is 2.64 for a person's day, as stated there for all its metrics together; noisy counts below 100 "
            "are dropped. Left out: regions below 3 square kilometres are dropped, places are categories within "
            "regions, and changes against a baseline are printed in place of counts.",
        .parameters = {},
        .citation = "Aktay and others: Google COVID-19 Community Mobility Reports: Anonymization Process Description. "
                    "arXiv 2004.04145, 2020."},
       {"BOUND(at_most=4,per=day)", "LAPLACE(epsilon=2.64,unit=user_day)", "SUPPRESS(at_most=99)"}},
      {{.position = 2,
        .name = "google-flows",
        .summary = "Google flows between regions: Laplace noise for one trip, small counts dropped.",
        .explanation = "Epsilon is 0.66 for one trip; noisy counts below 100 are dropped. Left out: it counts trips "
                       "between two regions in a week, not people at one; a visit stands for a trip here.",
        .parameters = {},
        .citation = "Kraemer and others: Mapping Global Variation in Human Mobility. Nature Human Behaviour 2020."},
       {"LAPLACE(epsilon=0.66,unit=event)", "SUPPRESS(at_most=99)"}},
      {{.position = 3,
        .name = "meta-range",
        .summary = "Meta Movement Range: at most 200 places a person and day, Laplace noise, small regions dropped.",
        .explanation = "Epsilon is 2 for a person's day. Left out: regions below 300 people are dropped there by their "
                       "people, and here counts by what they are with noise, below 300; changes against a baseline "
                       "are printed there in place of counts.",
        .parameters = {},
        .citation = "Herdagdelen and others: Protecting Privacy in Facebook Mobility Data during the COVID-19 "
                    "Response. Meta Research 2020."},
       {"BOUND(at_most=200,per=day)", "LAPLACE(epsilon=2,unit=user_day)", "SUPPRESS(at_most=299)"}},
      {{.position = 4,
        .name = "meta-distribution",
        .summary = "Meta Movement Distribution: Laplace noise of scale 1, noisy counts up to 10 dropped.",
        .explanation = "Noise of scale 1 hides one event with epsilon 1. Left out: it counts people by how far they "
                       "went in a day, not by place.",
        .parameters = {},
        .citation = "Meta, Data for Good: Movement Distribution Maps."},
       {"LAPLACE(epsilon=1,unit=event)", "SUPPRESS(at_most=10)"}},
      {{.position = 5,
        .name = "ine-spain",
        .summary = "Statistics Spain, mobility from mobile phones: counts below 10 removed, no noise.",
        .explanation = "It promises nothing. Left out: counts are of a sample of operators' customers, scaled up, and "
                       "of zones of at least 5,000 people.",
        .parameters = {},
        .citation = "Instituto Nacional de Estadistica: Mobility Studies from Mobile Telephony. 2020."},
       {"SUPPRESS(at_most=9)"}},
      {{.position = 6,
        .name = "flowminder",
        .summary = "Flowminder: only counts above 15, no noise.",
        .explanation = "It promises nothing. Left out: counts are of one operator's subscribers, by administrative "
                       "region.",
        .parameters = {},
        .citation = "Flowminder: FlowKit documentation, aggregates with redaction."},
       {"SUPPRESS(at_most=15)"}},
  };
  return presets;
}

const Preset* preset_named(const std::string& name) {
  const auto found = std::find_if(all_presets().begin(), all_presets().end(),
                                  [&](const Preset& preset) { return preset.info.name == name; });
  return found == all_presets().end() ? nullptr : &*found;
}

release::Chain chain_of(const std::string& key, const std::vector<std::string>& steps,
                        const std::vector<const release::StepEntry*>& known) {
  release::Chain chain;
  for (const std::string& text : steps) {
    const NamedChoice choice = parse_choice(key, text);
    const release::StepEntry& entry = release::step_named(key, choice.name, known);
    chain.add(entry, given_parameters(key, entry.info, choice));
  }
  if (chain.name().empty()) throw ConfigError(key, "[]", "must name a step");
  return chain;
}

release::Chain chain_of_preset(const std::string& key, const std::string& name,
                               const std::vector<const release::StepEntry*>& known) {
  const Preset* preset = preset_named(name);
  if (preset == nullptr) {
    std::vector<std::string> names;
    for (const Preset& one : all_presets()) names.push_back(one.info.name);
    throw ConfigError(key, name, "is not known" + suggestion(name, names));
  }
  release::Chain chain = chain_of(key, preset->steps, known);
  chain.call(name);
  return chain;
}

}  // namespace hearsay::experiment
