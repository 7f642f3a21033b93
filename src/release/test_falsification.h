// SPDX-License-Identifier: Apache-2.0
//
// An attempt to falsify what a chain claims, on two towns that differ by a unit.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "release/test_noise.h"
#include "release/test_town.h"

namespace hearsay::release {

inline constexpr std::size_t kFalsificationDraws = 20000;

using Steps = std::vector<std::pair<std::string, Values>>;

inline Chain chain_of(const Steps& steps) {
  Chain chain;
  for (const auto& [name, values] : steps) chain.add(step_named(name), parameters_of(name, values));
  return chain;
}

// Two towns that differ by a unit, the second with more.
struct Pair {
  Town less;
  Town more;
};

// A number of the published counts that tells the towns apart.
using Statistic = std::function<double(const CountMatrix&)>;

// The largest epsilon that holds at `delta`, at confidence 0.998, of either town to the other, the statistic cut
// anywhere.
inline double epsilon_seen(const Chain& chain, const Pair& towns, const Statistic& statistic, double delta,
                           const MakeSource& source) {
  constexpr std::size_t kPeople = 2;
  std::vector<double> sums[2];
  const Prepared drafts[2] = {Prepared(towns.less, kPeople), Prepared(towns.more, kPeople)};
  for (std::size_t which = 0; which < 2; ++which) {
    for (std::size_t draw = 0; draw < kFalsificationDraws; ++draw) {
      const Draft draft = chain.run(drafts[which].draft, *source(2 * draw + which));
      sums[which].push_back(statistic(draft.counts()));
    }
    std::sort(sums[which].begin(), sums[which].end());
  }
  double worst = 0;
  const auto compare = [&](double likelier, double other) {
    const double above = wilson(likelier, kFalsificationDraws, -1) - delta;
    if (above > 0) worst = std::max(worst, std::log(above / wilson(other, kFalsificationDraws, 1)));
  };
  for (std::size_t i = 0; i < kFalsificationDraws; i += 20) {
    for (const double cut : {sums[0][i], sums[1][i]}) {
      const auto below = [&](std::size_t which) {
        return static_cast<double>(std::lower_bound(sums[which].begin(), sums[which].end(), cut) - sums[which].begin());
      };
      compare(below(0), below(1));
      compare(below(1), below(0));
      compare(kFalsificationDraws - below(0), kFalsificationDraws - below(1));
      compare(kFalsificationDraws - below(1), kFalsificationDraws - below(0));
    }
  }
  return worst;
}

inline Guarantee guarantee_of(const Chain& chain, const Pair& towns) {
  const Prepared town(towns.more, 2);
  return chain.guarantee(chain.prepare(town.draft, *evaluation_noise(1, "", "", 1)));
}

// Where the claim holds, it is nearly met: what is seen is above `part` of it. Half the noise must be found.
inline void try_to_falsify(const Steps& steps, const Pair& towns, const Statistic& statistic, double part = 0.6) {
  const Chain chain = chain_of(steps);
  SCOPED_TRACE(chain.name() + " " + chain.parameter());
  const Guarantee guarantee = guarantee_of(chain, towns);
  ASSERT_TRUE(guarantee.epsilon.has_value()) << guarantee.note;
  const double honest = epsilon_seen(chain, towns, statistic, guarantee.delta, part_of_noise(1));
  EXPECT_LE(honest, *guarantee.epsilon);
  EXPECT_GT(honest, part * *guarantee.epsilon) << "the towns are too much alike to falsify anything";
  EXPECT_LE(epsilon_seen(chain, towns, statistic, guarantee.delta, as_published), *guarantee.epsilon);
  EXPECT_GT(epsilon_seen(chain, towns, statistic, guarantee.delta, part_of_noise(0.5)), *guarantee.epsilon)
      << "half the noise went unnoticed";
}

}  // namespace hearsay::release
