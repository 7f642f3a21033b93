// SPDX-License-Identifier: Apache-2.0
//
// Methods on tiny worlds, beside a plain reference: everybody by himself, no groups, every assignment tried.
#include "trajectory/method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include "base/errors.h"

namespace hearsay::trajectory {
namespace {

constexpr double kRounding = 2e-6;  // of costs in fixed point, times few people

struct World {
  Scene scene;
  std::vector<std::optional<Position>> positions;
};

World random_world(std::uint32_t seed, std::size_t epochs, std::uint32_t first_second) {
  std::mt19937 bits(seed);
  const std::size_t people = 1 + bits() % 6;
  const std::uint32_t places = 1 + bits() % 5;
  std::vector<std::optional<Position>> positions(places);
  for (auto& position : positions) {
    if (bits() % 5 != 0) position = {1e-2 * (bits() % 100), 1e-2 * (bits() % 100)};
  }
  std::vector<std::vector<Crowd>> all;
  std::vector<double> weights(places, 1);
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    std::map<std::uint32_t, std::uint32_t> count;
    for (std::size_t i = 0; i < people; ++i) ++count[bits() % (places + 1)];
    std::vector<Crowd>& crowds = all.emplace_back();
    for (const auto& [place, number] : count) crowds.push_back({place, number});
  }
  return {{people, Places(positions, weights), all, 3600, first_second}, positions};
}

std::vector<std::uint32_t> slots_of(const std::vector<Crowd>& crowds) {
  std::vector<std::uint32_t> slots;
  for (const Crowd& crowd : crowds) slots.insert(slots.end(), crowd.people, crowd.place);
  return slots;
}

using Cost = std::function<double(std::size_t person, std::uint32_t place)>;

double least_cost(const std::vector<Crowd>& crowds, const Cost& cost) {
  std::vector<std::uint32_t> slots = slots_of(crowds);
  double least = 1e9;
  do {
    double sum = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) sum += cost(i, slots[i]);
    least = std::min(least, sum);
  } while (std::next_permutation(slots.begin(), slots.end()));
  return least;
}

double cost_at(const Paths& paths, std::size_t epoch, const Cost& cost) {
  double sum = 0;
  for (std::size_t i = 0; i < paths.people(); ++i) sum += cost(i, paths.at(epoch)[i]);
  return sum;
}

void expect_counts_met(const Scene& scene, const Paths& paths) {
  for (std::size_t epoch = 0; epoch < scene.epochs.size(); ++epoch) {
    std::vector<std::uint32_t> places(paths.at(epoch).begin(), paths.at(epoch).end());
    std::sort(places.begin(), places.end());
    ASSERT_EQ(places, slots_of(scene.epochs[epoch])) << epoch;
  }
}

const MethodEntry& named(const std::string& name) {
  for (const MethodEntry* entry : all_methods()) {
    if (entry->info.name == name) return *entry;
  }
  throw std::logic_error(name);
}

TEST(MethodTest, EveryMethodMeetsTheCountsAndIsTheSameAgain) {
  for (const MethodEntry* entry : all_methods()) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      const World world = random_world(seed, 1 + seed % 60, 3600 * (seed % 24));
      const Paths paths = entry->create()->recover(world.scene, [] {});
      ASSERT_EQ(paths.epochs(), world.scene.epochs.size());
      expect_counts_met(world.scene, paths);
      ASSERT_EQ(paths, entry->create()->recover(world.scene, [] {})) << entry->info.name;
    }
    const Scene nobody{0, Places({}, {}), {{}, {}}, 3600, 0};
    EXPECT_EQ(entry->create()->recover(nobody, [] {}).people(), 0U);
    EXPECT_THROW(entry->create()->recover(random_world(4, 30, 0).scene, [] { throw std::runtime_error("stop"); }),
                 std::runtime_error);
  }
}

// Each step of each path is the cheapest that everybody together can make after those before it.
TEST(MethodTest, MemoryTakesTheCheapestStep) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const World world = random_world(seed, 12, 0);
    const Places& places = world.scene.places;
    const Paths paths = named("memory").create()->recover(world.scene, [] {});
    for (std::size_t epoch = 1; epoch < paths.epochs(); ++epoch) {
      const Cost cost = [&](std::size_t person, std::uint32_t place) {
        double hours = 0;
        for (std::size_t before = 0; before < epoch; ++before) hours += paths.at(before)[person] == place ? 1 : 0;
        return std::min(1.0, places.distance(paths.at(epoch - 1)[person], place)) - std::log(1 + hours);
      };
      ASSERT_NEAR(cost_at(paths, epoch, cost), least_cost(world.scene.epochs[epoch], cost), kRounding * 6) << seed;
    }
  }
}

TEST(MethodTest, PublishedTakesTheCheapestStepOfADay) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const World world = random_world(seed, 12, 0);
    const Places& places = world.scene.places;
    const Paths paths = named("published").create()->recover(world.scene, [] {});
    for (std::size_t epoch = 1; epoch < paths.epochs(); ++epoch) {
      const Cost cost = [&](std::size_t person, std::uint32_t place) {
        const std::uint32_t now = paths.at(epoch - 1)[person];
        const std::uint32_t before = epoch < 6 ? now : paths.at(epoch - 2)[person];
        const std::uint32_t null = places.null();
        const auto known = [&](std::uint32_t at) { return at != null && world.positions[at]; };
        const bool all_known = known(before) && known(now) && known(place);
        return all_known ? places.distance_ahead(before, now, place) : places.distance(now, place);
      };
      ASSERT_NEAR(cost_at(paths, epoch, cost), least_cost(world.scene.epochs[epoch], cost), kRounding * 6) << seed;
    }
  }
}

double entropy_of(const std::vector<std::uint32_t>& places) {
  std::map<std::uint32_t, double> count;
  for (const std::uint32_t place : places) ++count[place];
  double entropy = 0;
  for (const auto& [place, number] : count) {
    const double share = number / static_cast<double>(places.size());
    entropy -= share * std::log2(share);
  }
  return entropy;
}

// Two days: no other way to link their paths has less to be known of both together.
TEST(MethodTest, PublishedLinksDaysByWhatTheyHaveInCommon) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const World world = random_world(seed, 16, 20 * 3600);  // four hours, then twelve of the next day
    const Paths paths = named("published").create()->recover(world.scene, [] {});
    std::vector<std::vector<std::uint32_t>> first(paths.people());
    std::vector<std::vector<std::uint32_t>> second(paths.people());
    for (std::size_t epoch = 0; epoch < paths.epochs(); ++epoch) {
      for (std::size_t i = 0; i < paths.people(); ++i) (epoch < 4 ? first : second)[i].push_back(paths.at(epoch)[i]);
    }
    const auto gain = [&](const std::vector<std::uint32_t>& order) {
      double sum = 0;
      for (std::size_t i = 0; i < order.size(); ++i) {
        std::vector<std::uint32_t> both = first[i];
        both.insert(both.end(), second[order[i]].begin(), second[order[i]].end());
        sum += entropy_of(both) - (entropy_of(first[i]) + entropy_of(second[order[i]])) / 2;
      }
      return sum;
    };
    std::vector<std::uint32_t> order(paths.people());
    std::iota(order.begin(), order.end(), 0U);
    const double found = gain(order);
    double least = found;
    while (std::next_permutation(order.begin(), order.end())) least = std::min(least, gain(order));
    ASSERT_NEAR(found, least, kRounding * 6) << seed;
  }
}

// Each at a place of their own, all near: everybody could have gone everywhere.
TEST(MethodTest, MoreWaysThanMemoryIsMadeForAreRefused) {
  constexpr std::uint32_t kPeople = 4000;
  const std::vector<std::optional<Position>> positions(kPeople, Position{1, 1});
  std::vector<std::optional<Position>> places = positions;
  places.back() = Position{2, 2};
  std::vector<double> weights(kPeople, 1);
  weights.back() = kPeople;  // half of them far off, so that a unit is large
  std::vector<Crowd> crowds;
  for (std::uint32_t place = 0; place < kPeople; ++place) crowds.push_back({place, 1});
  const Scene scene{kPeople, Places(places, weights), {crowds, crowds}, 3600, 0};
  for (const MethodEntry* entry : all_methods()) {
    EXPECT_THROW(entry->create()->recover(scene, [] {}), ConfigError) << entry->info.name;
  }
}

TEST(MethodTest, DaysStartAtMidnight) {
  const Scene scene{1, Places({}, {}), {}, 3600, 22 * 3600};
  EXPECT_FALSE(scene.starts_day(0));
  EXPECT_FALSE(scene.starts_day(1));
  EXPECT_TRUE(scene.starts_day(2));
  EXPECT_EQ(scene.second_of_day(27), 3600U);
}

TEST(PlacesTest, TheUnitIsTheMeanDistanceFromTheCentre) {
  const double weights[] = {1, 1, 0, 5};
  const Places places({Position{0, 0}, Position{0, 2}, Position{0, 8}, std::nullopt}, weights);
  EXPECT_NEAR(places.distance(0, 1), 2, 1e-12);
  EXPECT_NEAR(places.distance(0, 2), 8, 1e-12);
  EXPECT_EQ(places.distance(0, 0), 0);
  EXPECT_EQ(places.distance(0, 3), 1);
  EXPECT_EQ(places.distance(0, places.null()), 1);
  EXPECT_EQ(places.distance(places.null(), places.null()), 0);
  EXPECT_NEAR(places.distance_ahead(0, 1, 2), 4, 1e-12);
  EXPECT_NEAR(places.distance_ahead(3, 1, 2), 6, 1e-12) << "where they came from is not known";
}

TEST(PlacesTest, EverybodyAtOnePlaceHasNoUnit) {
  const double weights[] = {3, 0};
  const Places places({Position{1, 1}, Position{2, 2}}, weights);
  EXPECT_EQ(places.distance(0, 1), 1);
}

}  // namespace
}  // namespace hearsay::trajectory
