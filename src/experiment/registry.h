// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "attack/attack.h"
#include "decision/decision.h"
#include "goal/goal.h"
#include "membership/distinguisher.h"
#include "prior/prior.h"
#include "release/step.h"

namespace hearsay::experiment {

// What a study may name: the built-in entries, and those a program adds for it.
struct Registry {
  std::vector<const prior::PriorEntry*> priors = prior::all_priors();
  std::vector<const attack::AttackEntry*> attacks = attack::all_attacks();
  std::vector<const decision::DecisionEntry*> decisions = decision::all_decisions();
  std::vector<const release::StepEntry*> steps = release::all_steps();
  std::vector<const membership::DistinguisherEntry*> distinguishers = membership::all_distinguishers();
  std::vector<const goal::GoalEntry*> goals = goal::all_goals();

  // The registry and its copies keep the entry. Throw ConfigError where it has no name or one that is taken.
  void add(prior::PriorEntry entry);
  void add(attack::AttackEntry entry);
  void add(release::StepEntry entry);
  void add(membership::DistinguisherEntry entry);
  void add(goal::GoalEntry entry);

  // A copy of an entry, with parameters chosen and named after them. It is not among the lists.
  template <typename Entry>
  const Entry* keep(Entry entry, const std::string& label, const Parameters& given) {
    entry.info.name = label;
    entry.info.given = given;
    auto owned = std::make_shared<const Entry>(std::move(entry));
    added_.push_back(owned);
    return owned.get();
  }

 private:
  std::vector<std::shared_ptr<const void>> added_;
};

}  // namespace hearsay::experiment
