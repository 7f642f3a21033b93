// SPDX-License-Identifier: Apache-2.0
//
// An attempt to falsify what whole chains claim, on data with and without a unit: each way a chain is put together
// wrongly must be found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "release/test_falsification.h"

namespace hearsay::release {
namespace {

// Four places and three epochs; the second town has a user who was at all of them.
Pair a_busy_user() {
  Pair pair{{2, 4, 3, {{0, 0, 1}}}, {2, 4, 3, {{0, 0, 1}}}};
  for (std::uint32_t e = 0; e < 3; ++e) {
    for (std::uint32_t s = 0; s < 4; ++s) pair.more.visits.push_back({e, 1, s});
  }
  return pair;
}

// The least of the first counts of the first epoch, which tells most of Laplace noise, or their sum, which does so of
// normal noise.
Statistic least_of(std::size_t places) {
  return [places](const CountMatrix& counts) {
    double least = counts.series(0)[0];
    for (std::size_t place = 1; place < places; ++place) least = std::min(least, counts.series(place)[0]);
    return least;
  };
}

Statistic sum_of(std::size_t places) {
  return [places](const CountMatrix& counts) {
    double sum = 0;
    for (std::size_t place = 0; place < places; ++place) sum += counts.series(place)[0];
    return sum;
  };
}

TEST(ChainFalsificationTest, LaplaceForABoundedUser) {
  try_to_falsify({{"BOUND", {{"at_most", "2"}, {"choice", "first"}}}, {"LAPLACE", {{"epsilon", "1"}}}}, a_busy_user(),
                 least_of(2));
}

TEST(ChainFalsificationTest, LaplaceForAUserDay) {
  try_to_falsify({{"BOUND", {{"at_most", "2"}, {"per", "day"}, {"choice", "first"}}},
                  {"LAPLACE", {{"epsilon", "1.5"}, {"unit", "user_day"}}}},
                 a_busy_user(), least_of(2));
}

TEST(ChainFalsificationTest, GaussianForABoundedUser) {
  try_to_falsify(
      {{"BOUND", {{"at_most", "4"}, {"choice", "first"}}}, {"GAUSSIAN", {{"epsilon", "1.5"}, {"delta", "0.01"}}}},
      a_busy_user(), sum_of(4));
}

TEST(ChainFalsificationTest, SampledPeople) {
  const Steps steps = {{"SAMPLE", {{"rate", "0.5"}}},
                       {"BOUND", {{"at_most", "1"}, {"choice", "first"}}},
                       {"LAPLACE", {{"epsilon", "2"}}}};
  try_to_falsify(steps, a_busy_user(), least_of(1));
  EXPECT_NEAR(*guarantee_of(chain_of(steps), a_busy_user()).epsilon, std::log(1 + 0.5 * (std::exp(2.0) - 1)), 1e-12);
}

// Noise for one event, taken for noise for a user.
TEST(ChainFalsificationTest, SensitivityOfOneIsFound) {
  const Chain chain = chain_of({{"LAPLACE", {{"epsilon", "1"}, {"unit", "event"}}}});
  EXPECT_GT(epsilon_seen(chain, a_busy_user(), least_of(3), 0, part_of_noise(1)), 1);
}

TEST(ChainFalsificationTest, AThresholdBeforeNoiseClaimsNothingAndIsFound) {
  const Chain chain = chain_of({{"SUPPRESS", {{"at_most", "4"}}}, {"LAPLACE", {{"epsilon", "1"}, {"unit", "event"}}}});
  Pair towns{{6, 1, 1, {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}}}, {}};
  towns.more = towns.less;
  towns.more.visits.push_back({0, 4, 0});
  const Prepared town(towns.more, 6);
  EXPECT_FALSE(chain.guarantee(town.draft).epsilon.has_value());
  std::map<bool, double> hits;
  for (std::size_t draw = 0; draw < kFalsificationDraws; ++draw) {
    for (const bool more : {false, true}) {
      const Prepared one(more ? towns.more : towns.less, 6);
      const Draft draft = chain.run(one.draft, *part_of_noise(1)(2 * draw + (more ? 1 : 0)));
      hits[more] += draft.counts().series(0)[0] > 4 ? 1 : 0;
    }
  }
  EXPECT_GT(std::log(wilson(hits[true], kFalsificationDraws, -1) / wilson(hits[false], kFalsificationDraws, 1)), 1);
}

}  // namespace
}  // namespace hearsay::release
