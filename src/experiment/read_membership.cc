// SPDX-License-Identifier: Apache-2.0
#include "experiment/read_membership.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiment/chosen.h"

namespace hearsay::experiment {
namespace {

constexpr const char* kMembershipGoal = "membership";
constexpr std::size_t kMostTrials = 1'000'000;

// The ways of knowing named at `key`, each made by `make`.
template <typename Knowledge, typename Make>
std::vector<Knowledge> read_knowledge(Settings& settings, const std::string& key, const std::vector<EntryInfo>& all,
                                      const Make& make) {
  std::vector<std::string> names;
  for (const EntryInfo& info : all) names.push_back(info.name);
  std::vector<Knowledge> list;
  try {
    for (const std::string& text : settings.texts(key, {names.front()})) {
      const NamedChoice choice = parse_choice(key, text);
      const auto found = std::find(names.begin(), names.end(), choice.name);
      if (found == names.end()) throw ConfigError(key, choice.name, "is not known" + suggestion(choice.name, names));
      EntryInfo info = all[static_cast<std::size_t>(found - names.begin())];
      info.given = given_parameters(key, info, choice);
      const std::string label = info.given.empty() ? info.name : fmt::format("{}({})", info.name, info.given.label());
      const bool twice = std::any_of(list.begin(), list.end(), [&](const Knowledge& one) { return one.name == label; });
      if (!twice) list.push_back(make(label, info.values()));
    }
  } catch (const ConfigError& error) {
    throw ConfigError(error.parameter(), error.value(), error.constraint(), settings.where(key));
  }
  return list;
}

void read_attacks(Settings& settings, Study& study) {
  const std::string key = "membership.attacks";
  if (!settings.has(key)) return;
  try {
    study.adversary.membership.attacks = choose<membership::DistinguisherEntry>(
        key, settings.texts(key, {}), study.registry.distinguishers,
        [](const membership::DistinguisherEntry& entry) { return entry.info.name; }, study.registry);
    for (const membership::DistinguisherEntry* entry : study.adversary.membership.attacks) {
      // Parameters out of range are refused now.
      const membership::Question question{{1, 1}, 1, {}, {}, 1};
      if (!entry->info.given.empty()) entry->create(question);
    }
  } catch (const ConfigError& error) {
    throw ConfigError(error.parameter(), error.value(), error.constraint(), settings.where(key));
  }
}

// Membership, and the audit of what releases claim, which goes with it.
void add_goals(Study& study) {
  for (const goal::GoalEntry* entry : study.registry.goals) {
    const bool there = std::find(study.goals.begin(), study.goals.end(), entry) != study.goals.end();
    if (!there && (entry->info.name == kMembershipGoal || entry->info.name == "audit")) study.goals.push_back(entry);
  }
}

}  // namespace

void read_membership(Settings& settings, Study& study) {
  const auto named = [](const goal::GoalEntry* entry) { return entry->info.name == kMembershipGoal; };
  if (!settings.has(kMembershipGoal) && std::none_of(study.goals.begin(), study.goals.end(), named)) return;
  add_goals(study);
  goal::MembershipSpec& spec = study.adversary.membership;
  for (const std::uint64_t group : settings.wholes("membership.groups")) {
    if (group < 1) settings.fail("membership.groups", "must be whole numbers of people, 1 or more");
    spec.groups.push_back(group);
  }
  if (settings.shown("membership.targets") == "\"all\"" || settings.shown("membership.targets") == "'all'") {
    settings.has("membership.targets");
    spec.targets = 0;
  } else {
    spec.targets = settings.whole("membership.targets", spec.targets);
    if (spec.targets == 0) settings.fail("membership.targets", "must be at least 1, or \"all\"");
  }
  spec.trials = settings.whole("membership.trials", spec.trials);
  if (spec.trials < 2 || spec.trials > kMostTrials) {
    settings.fail("membership.trials", fmt::format("must be between 2 and {}", kMostTrials));
  }
  spec.target = read_knowledge<goal::TargetKnowledge>(settings, "membership.knows", goal::target_knowledge(),
                                                      goal::target_knowledge_of);
  spec.crowd = read_knowledge<goal::CrowdKnowledge>(settings, "membership.crowd", goal::crowd_knowledge(),
                                                    goal::crowd_knowledge_of);
  read_attacks(settings, study);
  spec.beyond_half = settings.yes("membership.beyond_half", false);
  spec.audit_trials = settings.whole("membership.audit_trials", spec.audit_trials);
  if (spec.audit_trials == 1 || spec.audit_trials > kMostTrials) {
    settings.fail("membership.audit_trials", fmt::format("must be between 2 and {}, or 0 for no audit", kMostTrials));
  }
  if (settings.has("membership.seed")) spec.seed = settings.whole("membership.seed");
}

}  // namespace hearsay::experiment
