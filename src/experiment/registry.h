// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "attack/attack.h"
#include "prior/prior.h"
#include "release/mechanism.h"

namespace hearsay::experiment {

// What a study may name: the built-in entries, and those a program adds for it.
struct Registry {
  std::vector<const prior::PriorEntry*> priors = prior::all_priors();
  std::vector<const attack::AttackEntry*> attacks = attack::all_attacks();
  std::vector<const release::MechanismEntry*> mechanisms = release::all_mechanisms();

  // The registry and its copies keep the entry. Throw ConfigError where it has no name or one that is taken.
  void add(prior::PriorEntry entry);
  void add(attack::AttackEntry entry);
  void add(release::MechanismEntry entry);

 private:
  std::vector<std::shared_ptr<const void>> added_;
};

}  // namespace hearsay::experiment
