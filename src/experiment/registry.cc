// SPDX-License-Identifier: Apache-2.0
#include "experiment/registry.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"

namespace hearsay::experiment {
namespace {

template <typename Entry>
void check_name(const std::vector<const Entry*>& entries, const std::string& kind, const std::string& name) {
  if (name.empty()) throw ConfigError(kind + ".name", "", "must not be empty");
  if (std::any_of(entries.begin(), entries.end(), [&](const Entry* entry) { return entry->info.name == name; })) {
    throw ConfigError(kind + ".name", name, "is taken; choose another");
  }
}

template <typename Entry>
void add_entry(std::vector<const Entry*>& entries, std::vector<std::shared_ptr<const void>>& owners,
               const std::string& kind, Entry entry) {
  check_name(entries, kind, entry.info.name);
  auto owned = std::make_shared<const Entry>(std::move(entry));
  entries.push_back(owned.get());
  owners.push_back(std::move(owned));
}

}  // namespace

void Registry::add(prior::PriorEntry entry) {
  add_entry(priors, added_, "prior", std::move(entry));
}

void Registry::add(attack::AttackEntry entry) {
  add_entry(attacks, added_, "attack", std::move(entry));
}

void Registry::add(release::StepEntry entry) {
  add_entry(steps, added_, "mechanism", std::move(entry));
}

void Registry::add(membership::DistinguisherEntry entry) {
  add_entry(distinguishers, added_, "distinguisher", std::move(entry));
}

void Registry::add(goal::GoalEntry entry) {
  add_entry(goals, added_, "goal", std::move(entry));
}

}  // namespace hearsay::experiment
