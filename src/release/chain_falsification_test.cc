// SPDX-License-Identifier: Apache-2.0
//
// An attempt to falsify what whole chains claim, on data with and without a unit: each way a chain is put together
// wrongly must be found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "release/test_town.h"

namespace hearsay::release {
namespace {

constexpr std::size_t kDraws = 20000;

// Noise as a bug might make it: a part of what it should be.
class LessNoise final : public NoiseSource {
 public:
  LessNoise(std::size_t repeat, double part) : part_(part), honest_(evaluation_noise(11, "falsify", "", repeat)) {}
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override { return honest_->stream(index); }
  double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const override {
    return part_ * honest_->noise(bits, sensitivity, epsilon, grid);
  }
  double gaussian(RandomBits& bits, double deviation, double grid) const override {
    return part_ * honest_->gaussian(bits, deviation, grid);
  }
  bool discrete() const override { return false; }

 private:
  double part_;
  std::unique_ptr<NoiseSource> honest_;
};

// As a real release draws it, from seeded bits so that the test repeats.
class SeededPublishing final : public NoiseSource {
 public:
  explicit SeededPublishing(std::size_t repeat) : repeat_(repeat), honest_(publishing_noise()) {}
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override {
    return std::make_unique<SeededBits>(mix(mix(78, repeat_), index));
  }
  double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const override {
    return honest_->noise(bits, sensitivity, epsilon, grid);
  }
  double gaussian(RandomBits& bits, double deviation, double grid) const override {
    return honest_->gaussian(bits, deviation, grid);
  }
  bool discrete() const override { return true; }

 private:
  std::size_t repeat_;
  std::unique_ptr<NoiseSource> honest_;
};

using Steps = std::vector<std::pair<std::string, Values>>;
using MakeSource = std::function<std::unique_ptr<NoiseSource>(std::size_t repeat)>;

Chain chain_of(const Steps& steps) {
  Chain chain;
  for (const auto& [name, values] : steps) chain.add(step_named(name), parameters_of(name, values));
  return chain;
}

// Two towns that differ by a unit, the second with more.
struct Pair {
  Town less;
  Town more;
};

// Four places and three epochs; the second town has a user who was at all of them.
Pair a_busy_user() {
  Pair pair{{2, 4, 3, {{0, 0, 1}}}, {2, 4, 3, {{0, 0, 1}}}};
  for (std::uint32_t e = 0; e < 3; ++e) {
    for (std::uint32_t s = 0; s < 4; ++s) pair.more.visits.push_back({e, 1, s});
  }
  return pair;
}

// Wilson, confidence 0.999: above for sign 1, below for -1.
double wilson(double hit, double sign) {
  constexpr double kZ = 3.29;
  constexpr double kN = kDraws;
  const double p = hit / kN;
  const double centre = p + kZ * kZ / (2 * kN);
  const double spread = kZ * std::sqrt(p * (1 - p) / kN + kZ * kZ / (4 * kN * kN));
  return (centre + sign * spread) / (1 + kZ * kZ / kN);
}

// A number of the published counts that tells the towns apart: the least of the first counts of the first epoch, which
// tells most of Laplace noise, or their sum, which does so of normal noise.
using Statistic = std::function<double(const CountMatrix&)>;

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

// The largest epsilon that holds at `delta`, at confidence 0.998, of either town to the other, the statistic cut
// anywhere.
double epsilon_seen(const Chain& chain, const Pair& towns, const Statistic& statistic, double delta,
                    const MakeSource& source) {
  constexpr std::size_t kPeople = 2;
  std::vector<double> sums[2];
  const Prepared drafts[2] = {Prepared(towns.less, kPeople), Prepared(towns.more, kPeople)};
  for (std::size_t which = 0; which < 2; ++which) {
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
      const Draft draft = chain.run(drafts[which].draft, *source(2 * draw + which));
      sums[which].push_back(statistic(draft.counts()));
    }
    std::sort(sums[which].begin(), sums[which].end());
  }
  double worst = 0;
  const auto compare = [&](double likelier, double other) {
    const double above = wilson(likelier, -1) - delta;
    if (above > 0) worst = std::max(worst, std::log(above / wilson(other, 1)));
  };
  for (std::size_t i = 0; i < kDraws; i += 20) {
    for (const double cut : {sums[0][i], sums[1][i]}) {
      const auto below = [&](std::size_t which) {
        return static_cast<double>(std::lower_bound(sums[which].begin(), sums[which].end(), cut) - sums[which].begin());
      };
      compare(below(0), below(1));
      compare(below(1), below(0));
      compare(kDraws - below(0), kDraws - below(1));
      compare(kDraws - below(1), kDraws - below(0));
    }
  }
  return worst;
}

MakeSource part_of_noise(double part) {
  return [part](std::size_t repeat) { return std::make_unique<LessNoise>(repeat, part); };
}

std::unique_ptr<NoiseSource> as_published(std::size_t repeat) {
  return std::make_unique<SeededPublishing>(repeat);
}

Guarantee guarantee_of(const Chain& chain, const Pair& towns) {
  const Prepared town(towns.more, 2);
  return chain.guarantee(chain.prepare(town.draft, *evaluation_noise(1, "", "", 1)));
}

void try_to_falsify(const Steps& steps, const Statistic& statistic) {
  const Pair towns = a_busy_user();
  const Chain chain = chain_of(steps);
  SCOPED_TRACE(chain.name() + " " + chain.parameter());
  const Guarantee guarantee = guarantee_of(chain, towns);
  ASSERT_TRUE(guarantee.epsilon.has_value()) << guarantee.note;
  const double honest = epsilon_seen(chain, towns, statistic, guarantee.delta, part_of_noise(1));
  EXPECT_LE(honest, *guarantee.epsilon);
  EXPECT_GT(honest, 0.6 * *guarantee.epsilon) << "the towns are too much alike to falsify anything";
  EXPECT_LE(epsilon_seen(chain, towns, statistic, guarantee.delta, as_published), *guarantee.epsilon);
  EXPECT_GT(epsilon_seen(chain, towns, statistic, guarantee.delta, part_of_noise(0.5)), *guarantee.epsilon)
      << "half the noise went unnoticed";
}

TEST(ChainFalsificationTest, LaplaceForABoundedUser) {
  try_to_falsify({{"BOUND", {{"at_most", "2"}, {"choice", "first"}}}, {"LAPLACE", {{"epsilon", "1"}}}}, least_of(2));
}

TEST(ChainFalsificationTest, LaplaceForAUserDay) {
  try_to_falsify({{"BOUND", {{"at_most", "2"}, {"per", "day"}, {"choice", "first"}}},
                  {"LAPLACE", {{"epsilon", "1.5"}, {"unit", "user_day"}}}},
                 least_of(2));
}

TEST(ChainFalsificationTest, GaussianForABoundedUser) {
  try_to_falsify(
      {{"BOUND", {{"at_most", "4"}, {"choice", "first"}}}, {"GAUSSIAN", {{"epsilon", "1.5"}, {"delta", "0.01"}}}},
      sum_of(4));
}

TEST(ChainFalsificationTest, SampledPeople) {
  const Steps steps = {{"SAMPLE", {{"rate", "0.5"}}},
                       {"BOUND", {{"at_most", "1"}, {"choice", "first"}}},
                       {"LAPLACE", {{"epsilon", "2"}}}};
  try_to_falsify(steps, least_of(1));
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
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    for (const bool more : {false, true}) {
      const Prepared one(more ? towns.more : towns.less, 6);
      const Draft draft = chain.run(one.draft, *part_of_noise(1)(2 * draw + (more ? 1 : 0)));
      hits[more] += draft.counts().series(0)[0] > 4 ? 1 : 0;
    }
  }
  EXPECT_GT(std::log(wilson(hits[true], -1) / wilson(hits[false], 1)), 1);
}

}  // namespace
}  // namespace hearsay::release
