// SPDX-License-Identifier: Apache-2.0
//
// How far people can move counts, against pairs of data sets that differ by a unit.
#include "release/reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "release/accounting.h"
#include "release/test_town.h"

namespace hearsay::release {
namespace {

constexpr std::uint32_t kEpochs = 24 * 9;  // of an hour

// A chain of bounds that keep the first visits, and of longer epochs and larger places.
Chain random_chain(RandomBits& bits, std::string& said) {
  Chain chain;
  const std::size_t steps = bits.below(4);
  std::uint32_t together = 1;
  bool larger = false;
  for (std::size_t i = 0; i < steps; ++i) {
    if (!larger && bits.below(5) == 0) {
      larger = true;
      chain.add(step_named("PLACES"), parameters_of("PLACES", {{"of", "2"}}));
    } else if (bits.below(3) == 0) {
      const std::uint32_t of = 2 + static_cast<std::uint32_t>(bits.below(3));
      if (24 % (together * of) != 0) continue;
      together *= of;
      chain.add(step_named("EPOCHS"), parameters_of("EPOCHS", {{"of", std::to_string(of)}}));
    } else {
      chain.add(step_named("BOUND"), parameters_of("BOUND", {{"at_most", std::to_string(1 + bits.below(6))},
                                                             {"per", window_names()[bits.below(4)]},
                                                             {"choice", "first"}}));
    }
  }
  said = chain.name() + " " + chain.parameter();
  return chain;
}

Town busy_week(RandomBits& bits) {
  Town town{3, 3, kEpochs, {}};
  const std::uint64_t often = 2 + bits.below(20);
  for (std::uint32_t e = 0; e < town.epochs; ++e) {
    for (std::uint32_t u = 0; u < town.users; ++u) {
      for (std::uint32_t s = 0; s < town.rois; ++s) {
        if (bits.below(often) == 0) town.visits.push_back({e, u, s});
      }
    }
  }
  return town;
}

TEST(ReachTest, NoUnitMovesMoreThanItSays) {
  SeededBits bits(4);
  const auto noise = evaluation_noise(1, "", "", 1);
  std::vector<int> reached(unit_names().size());
  for (int round = 0; round < 300; ++round) {
    std::string said;
    const Chain chain = random_chain(bits, said);
    const Town town = busy_week(bits);
    if (town.visits.empty()) continue;
    const Prepared all(town);
    const Draft counted = chain.prepare(all.draft, *noise);
    const ingest::Visit visit = town.visits[bits.below(town.visits.size())];
    for (std::size_t u = 0; u < unit_names().size(); ++u) {
      const auto unit = static_cast<Unit>(u);
      SCOPED_TRACE(said + " " + unit_names()[u]);
      const Prepared fewer(without(town, unit, visit));
      const Draft less = chain.prepare(fewer.draft, *noise);
      const std::size_t places = counted.counts().rois() - 1;
      double moved = 0;
      double null_moved = 0;
      double roots = 0;
      double touched = 0;
      double most = 0;
      for (std::size_t place = 0; place <= places; ++place) {
        double here = 0;
        for (std::size_t e = 0; e < counted.counts().epochs(); ++e) {
          const double apart = std::fabs(counted.counts().series(place)[e] - less.counts().series(place)[e]);
          EXPECT_LE(apart, 1);
          here += apart;
        }
        (place == places ? null_moved : moved) += here;
        if (place == places) continue;
        roots += std::sqrt(here);
        touched += here > 0 ? 1 : 0;
        most = std::max(most, here);
      }
      const Reach& reach = counted.reach();
      EXPECT_LE(moved, reach.cells(unit));
      EXPECT_LE(null_moved, reach.null_cells(unit));
      EXPECT_LE(roots, reach.roots(unit) + 1e-9);
      EXPECT_LE(touched, reach.places(unit));
      EXPECT_LE(most, reach.cells_of_a_place(unit));
      reached[u] += moved == reach.cells(unit) ? 1 : 0;
    }
  }
  // It is no more than it must be: the very number is met, by whole users where a bound is what holds them.
  for (const int times : reached) EXPECT_GT(times, 5);
}

TEST(ReachTest, WhatItIsOfPlainCounts) {
  const Reach reach(10, 48, 3600);
  EXPECT_EQ(reach.cells(Unit::kEvent), 1);
  EXPECT_EQ(reach.cells(Unit::kUserPlace), 48);
  EXPECT_EQ(reach.cells(Unit::kUserEpoch), 10);
  EXPECT_EQ(reach.cells(Unit::kUserDay), 240);
  EXPECT_EQ(reach.cells(Unit::kUserWeek), 480);
  EXPECT_EQ(reach.cells(Unit::kUser), 480);
  EXPECT_EQ(reach.null_cells(Unit::kUserDay), 24);
  EXPECT_EQ(reach.cells_of_a_place(Unit::kUserDay), 24);
  EXPECT_EQ(reach.cells_of_a_place(Unit::kUser), 48);
  EXPECT_EQ(reach.places(Unit::kUserPlace), 1);
  EXPECT_EQ(reach.places(Unit::kUserEpoch), 10);
}

// Published sums, integrals and bounds that the conversion must agree with.
TEST(GuaranteeTest, EpsilonOfRhoIsTheLeastOverOrders) {
  for (const double rho : {0.001, 0.02, 0.3, 2.0, 30.0}) {
    for (const double delta : {1e-3, 1e-6, 1e-10}) {
      double least = 1e300;
      for (double x = -15; x < 15; x += 1e-4) {
        const double order = 1 + std::exp(x);
        least = std::min(least, order * rho + std::log(1 / (order * delta)) / (order - 1) + std::log(1 - 1 / order));
      }
      EXPECT_NEAR(epsilon_of(rho, delta), std::max(0.0, least), 1e-6 * (1 + least));
      EXPECT_LE(epsilon_of(rho, delta), rho + 2 * std::sqrt(rho * std::log(1 / delta)));
      if (least <= 0) continue;
      EXPECT_NEAR(rho_of(epsilon_of(rho, delta), delta), rho, 1e-9 * rho);
    }
  }
}

TEST(GuaranteeTest, SamplingHelpsWholePeopleOnly) {
  const Reach reach(10, 48, 3600);
  const Guarantee user = amplified(laplace_guarantee(reach, Unit::kUser, 1), 0.1);
  EXPECT_NEAR(*user.epsilon, std::log(1 + 0.1 * (std::exp(1.0) - 1)), 1e-12);
  const Guarantee event = amplified(laplace_guarantee(reach, Unit::kEvent, 1), 0.1);
  EXPECT_EQ(*event.epsilon, 1);
  EXPECT_NE(event.note, "");
  const Guarantee normal = amplified(gaussian_guarantee(reach, Unit::kUser, 0.02, 1e-6), 0.1);
  EXPECT_NEAR(normal.delta, 1e-7, 1e-15);
  EXPECT_FALSE(normal.rho.has_value());
}

TEST(GuaranteeTest, RepeatedPromisesAddUp) {
  const Reach reach(10, 48, 3600);
  const Guarantee laplace = repeated(laplace_guarantee(reach, Unit::kUser, 0.5), 52);
  EXPECT_DOUBLE_EQ(*laplace.epsilon, 26);
  const Guarantee normal = repeated(gaussian_guarantee(reach, Unit::kUser, 0.02, 1e-6), 52);
  EXPECT_DOUBLE_EQ(*normal.rho, 1.04);
  EXPECT_LT(*normal.epsilon, 52 * epsilon_of(0.02, 1e-6));
}

}  // namespace
}  // namespace hearsay::release
