// SPDX-License-Identifier: Apache-2.0
#include "release/noise_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "base/discrete_noise.h"
#include "base/errors.h"
#include "release/noise_source.h"
#include "release/test_town.h"

namespace hearsay::release {
namespace {

// The same, summed up number by number.
struct Summed {
  double deviation = 0;
  double absolute_error = 0;
  std::function<double(double)> within;  // P(|noise| <= width)
};

Summed summed(const std::function<double(double)>& weight, double last) {
  double all = weight(0);
  double distances = 0;
  double squares = 0;
  for (double y = 1; y <= last; ++y) {
    all += 2 * weight(y);
    distances += 2 * weight(y) * y;
    squares += 2 * weight(y) * y * y;
  }
  return {std::sqrt(squares / all), distances / all, [=](double width) {
            double sum = weight(0);
            for (double y = 1; y <= width; ++y) sum += 2 * weight(y);
            return sum / all;
          }};
}

void expect_law(const NoiseLaw& law, const Summed& sums) {
  EXPECT_NEAR(law.deviation / sums.deviation, 1, 1e-6);
  EXPECT_NEAR(law.absolute_error / sums.absolute_error, 1, 1e-5);
  EXPECT_GE(sums.within(law.half_width), 0.95 - 1e-9);
  if (law.half_width > 0) {
    EXPECT_LT(sums.within(law.half_width - 1), 0.95);
  }
}

TEST(NoiseLawTest, IsThatOfWholeNumbers) {
  for (const double epsilon : {0.001, 0.1, 0.5, 1.0, 2.0, 3.0, 8.0}) {
    SCOPED_TRACE(epsilon);
    expect_law(geometric_law(1, epsilon, 1),
               summed([&](double y) { return std::exp(-epsilon * y); }, 40 / epsilon + 10));
  }
  for (const double deviation : {0.2, 0.4, 0.45, 0.5, 1.0, 3.7, 63.9, 64.1, 900.0}) {
    SCOPED_TRACE(deviation);
    const double variance = discrete_variance(deviation);
    expect_law(normal_law(deviation, 1),
               summed([&](double y) { return std::exp(-y * y / 2 / variance); }, 14 * deviation + 10));
  }
}

// An interval by the formula of continuous noise covers 92.7 and 90.5 of 100.
TEST(NoiseLawTest, IntervalsCoverWhatTheySay) {
  const auto within = [](double epsilon) {
    const double width = geometric_law(1, epsilon, 1).half_width;
    return 1 - 2 * std::exp(-epsilon * (width + 1)) / (1 + std::exp(-epsilon));
  };
  EXPECT_NEAR(within(1), 0.973, 0.0005);
  EXPECT_NEAR(within(3), 0.995, 0.0005);
  EXPECT_EQ(geometric_law(1, 1, 1).half_width, 3);
  EXPECT_EQ(geometric_law(1, 3, 1).half_width, 1);
  EXPECT_EQ(geometric_law(1, 8, 1).half_width, 0);
}

TEST(NoiseLawTest, FollowsTheGrid) {
  const NoiseLaw fine = geometric_law(1, 1, 0x1p-6);
  EXPECT_NEAR(fine.deviation, std::numbers::sqrt2, 1e-4);
  EXPECT_NEAR(fine.half_width, std::log(20), 0x1p-6);
  EXPECT_EQ(fine.half_width, std::round(fine.half_width * 64) / 64);
  EXPECT_NEAR(normal_law(3, 0x1p-10).half_width, 1.96 * 3, 0x1p-9);
}

// What a step states of an interval, against its noise, at the epoch where it is largest.
TEST(NoiseLawTest, StatedIntervalsHoldInEveryEpoch) {
  const Prepared town({40, 2, 16, {}}, 40);
  const std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> steps = {
      {"LAPLACE", {{"epsilon", "3"}, {"unit", "event"}}},
      {"GAUSSIAN", {{"epsilon", "6"}, {"unit", "event"}}},
      {"TREE", {{"noise", "gaussian"}, {"epsilon", "4"}, {"unit", "event"}}},
      {"TREE", {{"noise", "gaussian"}, {"rho", "40"}, {"unit", "event"}}},
      {"SQUARE_ROOT", {{"epsilon", "4"}, {"unit", "event"}}}};
  for (const auto& [name, values] : steps) {
    SCOPED_TRACE(name);
    const auto step = make(name, values);
    const std::optional<double> width = step->noise(town.draft)->half_width;
    ASSERT_TRUE(width.has_value());
    constexpr std::size_t kDraws = 4000;
    std::vector<double> inside(16);
    for (std::size_t draw = 1; draw <= kDraws; ++draw) {
      const CountMatrix noisy = step->apply(town.draft, *evaluation_noise(3, name, "", draw)).counts();
      for (std::size_t e = 0; e < 16; ++e) inside[e] += std::fabs(noisy.series(0)[e]) <= *width + 1e-9 ? 1 : 0;
    }
    for (const double hits : inside) EXPECT_GT(hits / kDraws, 0.95 - 4 * std::sqrt(0.95 * 0.05 / kDraws));
  }
}

// Parameters that make no usable noise are refused, by whom it may concern: never NaN, never a hang.
TEST(UsableNoiseTest, NoiseThatIsNoUsableNumberIsRefused) {
  const auto refusal = [](const std::string& name, const std::vector<std::pair<std::string, std::string>>& values) {
    const Prepared town(busy_town(), 50);
    try {
      const Chain chain = chain_of(name, values);
      chain.run(town.draft, *evaluation_noise(1, name, "", 1));
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("drawn");
  };
  for (const char* name :
       {"LAPLACE", "TREE", "EFPA", "W_EVENT", "PEGASUS", "GAUSSIAN", "SQUARE_ROOT", "OUE", "SUBSET"}) {
    for (const char* epsilon : {"1e-300", "1e300"}) {
      std::vector<std::pair<std::string, std::string>> values = {{"epsilon", epsilon}};
      if (std::string(name) == "W_EVENT") values.emplace_back("w", "3");
      EXPECT_EQ(refusal(name, values),
                std::string(name) + ".epsilon = " + epsilon + ": must be between 1e-09 and 1e+15");
    }
  }
  for (const char* name : {"GAUSSIAN", "SQUARE_ROOT"}) {
    for (const char* rho : {"1e-300", "1e300"}) {
      EXPECT_EQ(refusal(name, {{"rho", rho}}),
                std::string(name) + ".rho = " + rho + ": must be between 1e-15 and 1e+25");
    }
  }
  EXPECT_NE(refusal("SCM", {{"sensitivity", "user"}, {"epsilon", "1e-300"}}).find("must be between"),
            std::string::npos);
  EXPECT_NE(refusal("FPA", {{"k", "2"}, {"epsilon", "1e-300"}}).find("must be between"), std::string::npos);
  EXPECT_NE(refusal("PEGASUS", {{"epsilon", "1"}, {"share", "1e-300"}}).find("more than the 1.1e+12 that is of any"),
            std::string::npos);
  EXPECT_NE(refusal("GAUSSIAN", {{"rho", "1e-15"}}).find("more than the 6.71e+07 that is of any use"),
            std::string::npos);
}

}  // namespace
}  // namespace hearsay::release
