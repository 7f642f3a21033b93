// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hearsay {
namespace {

// Kolmogorov-Smirnov distance to a distribution, times sqrt(n). Below 1.95 with probability 0.999.
template <typename Cdf>
double kolmogorov_smirnov(std::vector<double> sample, const Cdf& cdf) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double worst = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = cdf(sample[i]);
    worst = std::max({worst, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  return worst * std::sqrt(n);
}

double laplace_cdf(double x, double scale) {
  return x < 0 ? 0.5 * std::exp(x / scale) : 1 - 0.5 * std::exp(-x / scale);
}

TEST(RandomTest, LaplaceHasItsScaleAndShape) {
  for (const double scale : {0.5, 3.0, 168.0}) {
    SeededBits bits(11);
    std::vector<double> sample(20000);
    for (double& x : sample) x = laplace(bits, scale);
    EXPECT_LT(kolmogorov_smirnov(sample, [&](double x) { return laplace_cdf(x, scale); }), 1.95);
    EXPECT_GT(kolmogorov_smirnov(sample, [&](double x) { return laplace_cdf(x, scale / 2); }), 5);
  }
}

TEST(RandomTest, NormalHasItsShapeAndItsDraws) {
  SeededBits bits(11);
  Normal normal;
  std::vector<double> sample(20000);
  for (double& x : sample) x = normal(bits);
  // The same on every machine.
  EXPECT_DOUBLE_EQ(sample[0], 0.48464368216375164);
  EXPECT_DOUBLE_EQ(sample[1], -0.59251904807246847);
  const auto cdf = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  EXPECT_LT(kolmogorov_smirnov(sample, cdf), 1.95);
  EXPECT_GT(kolmogorov_smirnov(sample, [&](double x) { return cdf(x / 2); }), 5);
}

TEST(RandomTest, BelowIsUniformAndUnitStaysBelowOne) {
  SeededBits bits(13);
  std::vector<int> seen(7);
  for (int i = 0; i < 70000; ++i) {
    ++seen[bits.below(7)];
    const double u = bits.unit();
    ASSERT_TRUE(u >= 0 && u < 1);
  }
  double chi_square = 0;
  for (const int count : seen) chi_square += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi_square, 22.46);  // 6 degrees of freedom, 0.999
}

TEST(RandomTest, KeysTellStreamsApart) {
  EXPECT_EQ(mix(mix(0, 1), "SCM"), mix(mix(0, 1), "SCM"));
  EXPECT_NE(mix(mix(0, 1), "SCM"), mix(mix(0, 2), "SCM"));
  EXPECT_NE(mix(mix(0, "a"), "bc"), mix(mix(0, "ab"), "c"));
  SeededBits one(5);
  SeededBits same(5);
  EXPECT_EQ(one(), same());
}

TEST(RandomTest, SecureBitsNeverRepeat) {
  SecureBits one;
  SecureBits other;
  std::vector<std::uint64_t> words;
  for (int i = 0; i < 2000; ++i) {
    words.push_back(one());
    words.push_back(other());
  }
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

}  // namespace
}  // namespace hearsay
