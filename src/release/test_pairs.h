// SPDX-License-Identifier: Apache-2.0
//
// Pairs of towns that differ by a unit.
#pragma once

#include <functional>

#include "release/test_falsification.h"

namespace hearsay::release {

// 100 hours of three people and three places, as full as the draw has it.
inline Town random_town(RandomBits& bits) {
  Town town{3, 3, 100, {}};
  const std::uint64_t often = 1 + bits.below(12);
  for (std::uint32_t e = 0; e < town.epochs; ++e) {
    for (std::uint32_t u = 0; u < town.users; ++u) {
      for (std::uint32_t s = 0; s < town.rois; ++s) {
        if (bits.below(often) == 0) town.visits.push_back({e, u, s});
      }
    }
  }
  return town;
}

// A chain of nothing, or of a bound and longer epochs.
inline Chain random_start(RandomBits& bits) {
  Chain chain;
  if (bits.below(2) == 0) {
    const Values bound = {
        {"at_most", std::to_string(1 + bits.below(9))}, {"per", window_names()[bits.below(4)]}, {"choice", "first"}};
    chain.add(step_named("BOUND"), parameters_of("BOUND", bound));
  }
  if (bits.below(3) == 0) chain.add(step_named("EPOCHS"), parameters_of("EPOCHS", {{"of", "2"}}));
  return chain;
}

// Asks `check` about many pairs that differ by one unit or another.
using Check = std::function<void(const Draft& more, const Draft& less, Unit unit)>;
inline void on_random_pairs(const Check& check) {
  SeededBits bits(21);
  const auto noise = evaluation_noise(1, "", "", 1);
  for (int round = 0; round < 150; ++round) {
    const Chain chain = random_start(bits);
    const Town town = random_town(bits);
    if (town.visits.empty()) continue;
    const ingest::Visit visit = town.visits[bits.below(town.visits.size())];
    const Prepared all(town);
    const Draft more = chain.prepare(all.draft, *noise);
    for (std::size_t u = 0; u < unit_names().size(); ++u) {
      const auto unit = static_cast<Unit>(u);
      SCOPED_TRACE(chain.name() + " " + chain.parameter() + " " + unit_names()[u]);
      const Prepared fewer(without(town, unit, visit));
      check(more, chain.prepare(fewer.draft, *noise), unit);
    }
  }
}

// A town of one place with these visits of one person, and that without them.
inline Pair one_person(std::uint32_t epochs, const std::vector<std::uint32_t>& at) {
  Pair pair{{2, 1, epochs, {}}, {2, 1, epochs, {}}};
  for (const std::uint32_t epoch : at) pair.more.visits.push_back({epoch, 1, 0});
  return pair;
}

}  // namespace hearsay::release
