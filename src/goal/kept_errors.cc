// SPDX-License-Identifier: Apache-2.0
#include "goal/kept_errors.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearsay::goal {
namespace {

template <typename Entry>
bool is_built_in(const std::vector<const Entry*>& all, const Entry& entry) {
  return std::find(all.begin(), all.end(), &entry) != all.end();
}

}  // namespace

std::string KeptErrors::key_of(const Ground& ground, const prior::PriorEntry& prior,
                               const attack::AttackEntry& attack) {
  constexpr std::size_t kMostUsers = 100'000;
  const AdversarySpec& her = ground.adversary;
  if (attack.uses_release || ground.whole != nullptr || ground.dataset.crowd().users > kMostUsers ||
      !is_built_in(prior::all_priors(), prior) || !is_built_in(attack::all_attacks(), attack)) {
    return {};
  }
  std::string key = fmt::format("{} {} {} {} {} {}", attack.uses_prior ? prior.info.name : "", attack.info.name,
                                her.control, her.people, her.delta, her.metric.log_base);
  for (const metric::MetricEntry* goal : her.goals) key += " " + goal->goal;
  for (const decision::DecisionEntry* one : her.decisions) key += " " + one->info.name + " " + one->info.given.label();
  // Which decisions read an attack that needs no prior depends on the prior's kind all the same.
  if (!attack.uses_prior) key += fmt::format(" {} {}", prior.binary, prior.only_rates);
  return key;
}

}  // namespace hearsay::goal
