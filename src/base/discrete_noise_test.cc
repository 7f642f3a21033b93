// SPDX-License-Identifier: Apache-2.0
#include "base/discrete_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <vector>

namespace hearsay {
namespace {

// Bits that a test chose.
class ChosenBits final : public RandomBits {
 public:
  explicit ChosenBits(std::deque<std::uint64_t> words) : words_(std::move(words)) {}
  std::size_t left() const { return words_.size(); }

 private:
  result_type next() override {
    const result_type word = words_.at(0);
    words_.pop_front();
    return word;
  }
  std::deque<std::uint64_t> words_;
};

TEST(DiscreteNoiseTest, DiscreteLaplaceHasItsProbabilities) {
  constexpr std::uint64_t kScale = 5;
  constexpr std::uint64_t kInverse = 2;
  SeededBits bits(12);
  constexpr int kDraws = 40000;
  std::map<std::int64_t, double> seen;
  for (int i = 0; i < kDraws; ++i) seen[std::clamp<std::int64_t>(discrete_laplace(bits, kScale, kInverse), -8, 8)] += 1;
  const double q = std::exp(-static_cast<double>(kInverse) / kScale);
  const double middle = (1 - q) / (1 + q);
  double chi_square = 0;
  for (std::int64_t y = -8; y <= 8; ++y) {
    const double tail = std::abs(y) == 8 ? 1 / (1 - q) : 1;
    const double expected = kDraws * middle * std::pow(q, std::abs(y)) * tail;
    chi_square += (seen[y] - expected) * (seen[y] - expected) / expected;
  }
  EXPECT_LT(chi_square, 39.25);  // 16 degrees of freedom, 0.999
}

// Small deviations, and one so large that words of 64 bits do not hold its fractions.
TEST(DiscreteNoiseTest, DiscreteGaussianHasItsProbabilities) {
  SeededBits bits(21);
  for (const double deviation : {0.4, 2.5, 1500.0}) {
    constexpr int kDraws = 60000;
    const double width = std::max(1.0, std::floor(deviation / 2));  // of the 17 classes, the outer ones open
    std::map<std::int64_t, double> seen;
    for (int i = 0; i < kDraws; ++i) {
      const auto drawn = static_cast<double>(discrete_gaussian(bits, deviation));
      ++seen[std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(drawn / width)), -8, 8)];
    }
    std::map<std::int64_t, double> expected;
    double all = 0;
    for (double y = -12 * deviation - 20; y <= 12 * deviation + 20; ++y) {
      const double whole = std::round(y);
      const double weight = std::exp(-whole * whole / (2 * deviation * deviation));
      expected[std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(whole / width)), -8, 8)] += weight;
      all += weight;
    }
    double chi_square = 0;
    double rest = kDraws;
    for (const auto& [at, weight] : expected) {
      const double number = kDraws * weight / all;
      if (number < 5) continue;
      chi_square += (seen[at] - number) * (seen[at] - number) / number;
      rest -= seen[at];
    }
    EXPECT_LT(chi_square, 39.25) << deviation;  // 16 degrees of freedom or fewer, 0.999
    EXPECT_LT(rest, 0.001 * kDraws) << deviation;
  }
}

// Steps of so small a share of the noise that floating point never knows them: all draws are worked out digit by digit.
TEST(DiscreteNoiseTest, NoiseOfTinyStepsHasItsProbabilities) {
  constexpr std::uint64_t kScale = std::uint64_t{1} << 50;
  SeededBits bits(14);
  constexpr int kDraws = 4000;
  std::vector<double> drawn(kDraws);
  for (double& y : drawn) y = static_cast<double>(discrete_laplace(bits, kScale, 1)) / static_cast<double>(kScale);
  std::sort(drawn.begin(), drawn.end());
  double worst = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = drawn[static_cast<std::size_t>(i)];
    const double below = x < 0 ? 0.5 * std::exp(x) : 1 - 0.5 * std::exp(-x);
    worst = std::max({worst, std::fabs(below - static_cast<double>(i) / kDraws),
                      std::fabs(below - static_cast<double>(i + 1) / kDraws)});
  }
  EXPECT_LT(worst * std::sqrt(kDraws), 1.95);  // Kolmogorov and Smirnov, 0.999
}

// 1 / e begins with these 63 and 64 binary digits. Noise with ratio 1 / e is 0 above it and 1 below it; the last bit of
// the first word is the sign.
TEST(DiscreteNoiseTest, DigitsDecideWhereFloatingPointCannot) {
  constexpr std::uint64_t kFirst = 0x2f16ac6c59de6f8d;
  constexpr std::uint64_t kSecond = 0x5d6f63c1482a7c86;
  constexpr std::uint64_t kThird = 0xed4c02d55ab63b99;
  const auto draw = [](std::deque<std::uint64_t> words) {
    ChosenBits bits(std::move(words));
    const std::int64_t drawn = discrete_laplace(bits, 7, 7);
    EXPECT_EQ(bits.left(), 0U);
    return drawn;
  };
  EXPECT_EQ(draw({kFirst << 1, kSecond - 2}), 1);
  EXPECT_EQ(draw({kFirst << 1, kSecond + 3}), 0);
  EXPECT_EQ(draw({kFirst << 1 | 1, kSecond - 2}), -1);
  EXPECT_EQ(draw({kFirst << 1, kSecond, kThird - 2}), 1);
  EXPECT_EQ(draw({kFirst << 1, kSecond, kThird + 3}), 0);
  // Numbers that begin with 63 zeros and more: 2^-107 is below e^-74, and 2^-128 is below e^-88.
  EXPECT_EQ(draw({0, std::uint64_t{1} << 20}), 74);
  EXPECT_EQ(draw({0, 0, std::uint64_t{1} << 63}), 88);
}

// Normal noise of deviation 1 draws 0 of a two-sided geometric number first, and keeps it with probability exp(-1 / 8).
TEST(DiscreteNoiseTest, DigitsDecideWhetherNormalNoiseIsKept) {
  constexpr std::uint64_t kFirst = 0xe1eb51276c110c3c;
  constexpr std::uint64_t kSecond = 0x3eb1269f2f5d4afa;
  constexpr std::uint64_t kZero = std::uint64_t{7} << 61;  // 7 / 8
  ChosenBits kept({kZero, kFirst, kSecond - 2});
  EXPECT_EQ(discrete_gaussian(kept, 1), 0);
  EXPECT_EQ(kept.left(), 0U);
  // The first 0 is not kept, and the second one is.
  ChosenBits again({kZero, kFirst, kSecond + 3, kZero, 0});
  EXPECT_EQ(discrete_gaussian(again, 1), 0);
  EXPECT_EQ(again.left(), 0U);
}

TEST(DiscreteNoiseTest, LargeNoiseIsDrawnToo) {
  SeededBits bits(15);
  constexpr double kDeviation = 0x1p25;
  double squares = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) squares += std::pow(static_cast<double>(discrete_gaussian(bits, kDeviation)), 2);
  EXPECT_NEAR(std::sqrt(squares / kDraws) / kDeviation, 1, 0.025);
}

}  // namespace
}  // namespace hearsay
