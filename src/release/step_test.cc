// SPDX-License-Identifier: Apache-2.0
//
// Noise: scale and shape of every mechanism, and its zero-noise limit.
#include "release/step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/errors.h"
#include "release/post_process.h"
#include "release/test_noise.h"
#include "release/test_town.h"
#include "release/utility.h"

namespace hearsay::release {
namespace {

double laplace_cdf(double x, double scale) {
  return x < 0 ? 0.5 * std::exp(x / scale) : 1 - 0.5 * std::exp(-x / scale);
}

// Of whole x, with P(x) proportional to exp(-|x| / scale).
double geometric_cdf(double x, double scale) {
  const double ratio = std::exp(-1 / scale);
  return x < 0 ? std::exp(x / scale) / (1 + ratio) : 1 - std::exp(-(x + 1) / scale) / (1 + ratio);
}

using MakeNoise = std::unique_ptr<NoiseSource> (*)(std::uint64_t, const std::string&, const std::string&, std::size_t);

// sqrt(n) times the Kolmogorov-Smirnov distance of the noise in many repeats to a distribution: where a number is drawn
// several times, what is at or below it counts.
double distance_to(const Step& mechanism, const Prepared& town, const MakeNoise& source,
                   const std::function<double(double)>& cdf) {
  std::vector<double> noise;
  for (std::size_t repeat = 1; repeat <= 60; ++repeat) {
    const CountMatrix noisy = mechanism.apply(town.draft, *source(9, "test", "", repeat)).counts();
    for (std::size_t i = 0; i < noisy.all().size(); ++i) noise.push_back(noisy.all()[i] - town.counts.all()[i]);
  }
  std::sort(noise.begin(), noise.end());
  const auto n = static_cast<double>(noise.size());
  double worst = 0;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (i + 1 < noise.size() && noise[i + 1] == noise[i]) continue;
    worst = std::max(worst, std::fabs(cdf(noise[i]) - static_cast<double>(i + 1) / n));
  }
  return worst * std::sqrt(n);
}

double distance_to_geometric(const Step& mechanism, const Prepared& town, double scale) {
  return distance_to(mechanism, town, evaluation_noise, [&](double x) { return geometric_cdf(x, scale); });
}

// Seeded draws: chi-square of 20,000 against the probabilities, tails of less than 20 expected put together.
double binomial_chi_square(std::uint64_t people, double p, std::size_t& degrees) {
  constexpr int kDraws = 20000;
  const auto source = evaluation_noise(9, "test", "", 1);
  const auto bits = source->stream(0);
  std::vector<double> seen(people + 1, 0.0);
  for (int i = 0; i < kDraws; ++i) seen[binomial(*bits, *source, people, p)] += 1;
  const auto n = static_cast<double>(people);
  double chi_square = 0;
  double expected = 0;
  double observed = 0;
  double before = 0;
  degrees = 0;
  for (std::size_t k = 0; k <= people; ++k) {
    const auto x = static_cast<double>(k);
    expected += kDraws * std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) + x * std::log(p) +
                                  (n - x) * std::log1p(-p));
    observed += seen[k];
    if (k < people && (expected < 20 || kDraws - before - expected < 20)) continue;
    chi_square += (observed - expected) * (observed - expected) / expected;
    before += expected;
    expected = observed = 0;
    ++degrees;
  }
  return chi_square;
}

TEST(NoiseSourceTest, SeededBinomialsHaveTheirProbabilities) {
  for (const std::uint64_t people : {1U, 6U, 60U, 1000U}) {
    for (const double p : {0.1, 0.5, 0.9}) {
      std::size_t cells = 0;
      const double chi_square = binomial_chi_square(people, p, cells);
      const auto degrees = static_cast<double>(cells - 1);
      // Wilson and Hilferty's quantile of 0.9999.
      const double spread = 2 / (9 * degrees);
      EXPECT_LT(chi_square, degrees * std::pow(1 - spread + 3.72 * std::sqrt(spread), 3)) << people << ", " << p;
    }
  }
  const auto source = evaluation_noise(9, "test", "", 1);
  const auto bits = source->stream(0);
  EXPECT_EQ(binomial(*bits, *source, 0, 0.5), 0U);
  EXPECT_EQ(binomial(*bits, *source, 7, 0.0), 0U);
  EXPECT_EQ(binomial(*bits, *source, 7, 1.0), 7U);
}

TEST(ScmTest, NoiseIsGeometricOfSensitivityOverEpsilon) {
  const Prepared town(busy_town());
  const std::vector<std::pair<std::string, double>> kinds = {{"event", 1}, {"roi", 24}, {"user", 7 * 24}};
  for (const auto& [name, sensitivity] : kinds) {
    const auto scm = make("SCM", {{"sensitivity", name}, {"epsilon", "0.5"}});
    EXPECT_LT(distance_to_geometric(*scm, town, sensitivity / 0.5), 1.95) << name;
    EXPECT_GT(distance_to_geometric(*scm, town, sensitivity / 0.25), 5) << name;
    // The reproduction of the paper adds continuous noise.
    const double scale = sensitivity / 0.5;
    EXPECT_LT(distance_to(*scm, town, paper_noise, [&](double x) { return laplace_cdf(x, scale); }), 1.95) << name;
  }
  std::vector<double> visits(town.data.crowd().users);
  for (const ingest::Visit& visit : busy_town().visits) ++visits[visit.user];
  const double largest = *std::max_element(visits.begin(), visits.end());
  EXPECT_LT(distance_to_geometric(*make("SCM", {{"sensitivity", "delta"}, {"epsilon", "2"}}), town, largest / 2), 1.95);
}

// Where noise is small, rounded continuous noise is another one: at epsilon 4 it moves 13.5 of 100 counts, and
// published noise 3.6.
TEST(NoiseSourceTest, AStudyDrawsTheNoiseThatIsPublished) {
  constexpr int kDraws = 20000;
  const double ratio = std::exp(-4.0);
  const double moved = 2 * ratio / (1 + ratio);
  const double off = 4 * std::sqrt(moved * (1 - moved) / kDraws);
  const auto seeded = evaluation_noise(9, "test", "", 1);
  const auto published = publishing_noise();
  for (const NoiseSource* source : {seeded.get(), published.get()}) {
    const auto bits = source->stream(0);
    double share = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double noise = source->noise(*bits, 1, 4, 1);
      ASSERT_EQ(noise, std::round(noise));
      share += noise != 0 ? 1.0 / kDraws : 0;
    }
    EXPECT_NEAR(share, moved, off);
    EXPECT_TRUE(source->discrete());
  }
  EXPECT_FALSE(seeded->secure());
  EXPECT_TRUE(published->secure());
  // From the same bits it is the same noise.
  const AsPublished as_published(1);
  const auto bits = as_published.stream(3);
  const auto same = as_published.stream(3);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(as_published.noise(*bits, 3, 0.7, 1), seeded->noise(*same, 3, 0.7, 1));
    EXPECT_EQ(as_published.gaussian(*bits, 2, 0.25), seeded->gaussian(*same, 2, 0.25));
  }
}

TEST(ScmTest, BoundKeepsAtMostSoManyVisitsOfAUser) {
  const Prepared town({2, 2, 4, {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {2, 0, 1}, {3, 0, 0}, {3, 1, 1}}});
  const auto scm = make("SCM", {{"bound", "2"}, {"epsilon", "1e9"}});
  std::vector<double> kept(town.counts.all().size());
  for (std::size_t repeat = 1; repeat <= 400; ++repeat) {
    CountMatrix noisy = scm->apply(town.draft, *evaluation_noise(1, "test", "", repeat)).counts();
    post_process(noisy, PostProcess::kPaper, 2);
    double visits = 0;
    for (std::size_t roi = 0; roi < 2; ++roi) {
      for (const double count : noisy.series(roi)) visits += count;
    }
    ASSERT_EQ(visits, 3);  // two of the first user's five, and the second user's one
    for (std::size_t t = 0; t < 4; ++t) {
      ASSERT_LE(noisy.series(0)[t] + noisy.series(1)[t] + noisy.series(2)[t], 3);
      ASSERT_GE(noisy.series(2)[t], 0);
    }
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] += noisy.all()[i];
  }
  EXPECT_NEAR(kept[0] / 400, 0.4, 0.1);  // each of the five visits is kept as often as the others
  EXPECT_NEAR(kept[1] / 400, 0.4, 0.1);
}

TEST(FpaTest, NoiseOfThePapersFormHasItsVariance) {
  const Prepared town(busy_town());
  constexpr double kEpsilon = 0.01;  // so much noise that the signal does not matter
  const auto fpa = make("FPA", {{"k", "5"}, {"epsilon", "0.01"}});
  double squares = 0;
  std::size_t n = 0;
  for (std::size_t repeat = 1; repeat <= 200; ++repeat) {
    const CountMatrix noisy = fpa->apply(town.draft, *evaluation_noise(9, "test", "", repeat)).counts();
    for (const double x : noisy.all()) squares += x * x;
    n += noisy.all().size();
  }
  const double expected = 2.0 * 5 * 5 / (24 * kEpsilon * kEpsilon);  // 2 k scale^2 / T'^2, scale^2 = k T' / epsilon^2
  EXPECT_NEAR(squares / static_cast<double>(n) / expected, 1, 0.06);
}

TEST(FpaTest, SoundFormWithAllCoefficientsIsExact) {
  for (const std::uint32_t epochs : {24U, 23U}) {
    Town small = busy_town();
    small.epochs = epochs;
    std::erase_if(small.visits, [&](const ingest::Visit& visit) { return visit.epoch >= epochs; });
    const Prepared town(small);
    const auto fpa = make("FPA", {{"form", "sound"}, {"k", std::to_string(epochs / 2 + 1)}, {"epsilon", "1e9"}});
    fpa->check({epochs});
    CountMatrix noisy = fpa->apply(town.draft, *evaluation_noise(1, "test", "", 1)).counts();
    post_process(noisy, PostProcess::kPaper, 40);
    EXPECT_TRUE(std::equal(noisy.all().begin(), noisy.all().end(), town.counts.all().begin()));
  }
}

TEST(FpaTest, PaperFormHalvesTheSignal) {
  const Prepared town({1, 1, 4, {{1, 0, 0}}});
  const CountMatrix noisy =
      make("FPA", {{"k", "2"}, {"epsilon", "1e12"}})->apply(town.draft, *evaluation_noise(1, "test", "", 1)).counts();
  // Coefficients 1 and -i of (0,1,0,0): Re[(1 - i e^{i pi t / 2}) / 4].
  const std::vector<double> expected = {0.25, 0.5, 0.25, 0.0};
  for (std::size_t t = 0; t < 4; ++t) EXPECT_NEAR(noisy.series(0)[t], expected[t], 1e-9);
}

TEST(FpaTest, SearchTakesFewCoefficientsWhenNoiseIsLarge) {
  const Prepared town(busy_town());
  const auto error = [&](const std::string& k, const std::string& epsilon) {
    const auto fpa = make("FPA", {{"form", "sound"}, {"k", k}, {"epsilon", epsilon}});
    double sum = 0;
    for (std::size_t repeat = 1; repeat <= 30; ++repeat) {
      const CountMatrix noisy = fpa->apply(town.draft, *evaluation_noise(9, "test", "", repeat)).counts();
      for (std::size_t i = 0; i < noisy.all().size(); ++i) {
        sum += std::pow(noisy.all()[i] - town.counts.all()[i], 2);
      }
    }
    return sum;
  };
  for (const char* epsilon : {"0.1", "1000"}) {
    double least = error("1", epsilon);
    for (int k = 2; k <= 13; ++k) least = std::min(least, error(std::to_string(k), epsilon));
    EXPECT_NEAR(error("best", epsilon) / least, 1, 0.1) << epsilon;
  }
}

// Pearson's statistic of two samples of small whole numbers, and its degrees of freedom.
std::pair<double, int> chi_square(const std::vector<int>& a, const std::vector<int>& b) {
  const int top = std::max(*std::max_element(a.begin(), a.end()), *std::max_element(b.begin(), b.end()));
  std::vector<double> x(static_cast<std::size_t>(top) + 1);
  std::vector<double> y(x.size());
  for (const int v : a) ++x[static_cast<std::size_t>(v)];
  for (const int v : b) ++y[static_cast<std::size_t>(v)];
  double statistic = 0;
  int freedom = -1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] + y[i] < 10) continue;
    statistic += (x[i] - y[i]) * (x[i] - y[i]) / (x[i] + y[i]);
    ++freedom;
  }
  return {statistic, freedom};
}

// A bound that Pearson's statistic exceeds with probability below 0.001 (Wilson and Hilferty).
double chi_square_bound(int freedom) {
  const double k = freedom;
  return k * std::pow(1 - 2 / (9 * k) + 3.09 * std::sqrt(2 / (9 * k)), 3);
}

TEST(SpotMeTest, DrawingTheSumIsTheSameAsOneCoinAUserAndCell) {
  constexpr double kP = 0.3;
  const Prepared town({20, 1, 1, {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}});
  const auto spotme = make("SPOTME", {{"p", "0.3"}});
  std::vector<int> sums;
  std::vector<int> coins;
  SeededBits bits(21);
  for (std::size_t repeat = 1; repeat <= 8000; ++repeat) {
    const double estimate = spotme->apply(town.draft, *evaluation_noise(9, "test", "", repeat)).counts().series(0)[0];
    sums.push_back(static_cast<int>(std::lround(estimate * (1 - kP) + 20 * kP)));
    int yes = 0;
    for (int user = 0; user < 20; ++user) yes += bits.unit() < kP || user < 3 ? 1 : 0;
    coins.push_back(yes);
  }
  const auto [statistic, freedom] = chi_square(sums, coins);
  EXPECT_LT(statistic, chi_square_bound(freedom));
}

TEST(KrrTest, DrawingTotalsIsTheSameAsOneReportAUser) {
  constexpr double kP = 0.5;
  const Prepared town({12, 2, 1, {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 2, 0}, {0, 3, 1}}});
  const auto krr = make("KRR", {{"p", "0.5"}});
  std::vector<int> totals;
  std::vector<int> reports;
  SeededBits bits(22);
  for (std::size_t repeat = 1; repeat <= 8000; ++repeat) {
    const double estimate = krr->apply(town.draft, *evaluation_noise(9, "test", "", repeat)).counts().series(0)[0];
    totals.push_back(static_cast<int>(std::lround(estimate * (1 - kP) + 12 * kP / 3)));
    int there = 0;
    for (int user = 0; user < 12; ++user) {
      const std::uint64_t truth = user == 0 ? bits.below(2) : user <= 2 ? 0 : user == 3 ? 1 : 2;
      there += (bits.unit() < kP ? bits.below(3) : truth) == 0 ? 1 : 0;
    }
    reports.push_back(there);
  }
  const auto [statistic, freedom] = chi_square(totals, reports);
  EXPECT_LT(statistic, chi_square_bound(freedom));
}

TEST(MechanismTest, WithoutNoiseTheCountsAreRaw) {
  const Prepared town(busy_town());
  const std::vector<std::unique_ptr<Step>> limits = [] {
    std::vector<std::unique_ptr<Step>> list;
    for (const char* kind : {"event", "roi", "delta", "user"}) {
      list.push_back(make("SCM", {{"sensitivity", kind}, {"epsilon", "1e12"}}));
    }
    list.push_back(make("SCM", {{"bound", "1000"}, {"epsilon", "1e12"}}));
    list.push_back(make("FPA", {{"form", "sound"}, {"k", "13"}, {"epsilon", "1e12"}}));
    list.push_back(make("FPA", {{"k", "24"}, {"epsilon", "1e12"}}));
    list.push_back(make("SPOTME", {{"p", "1e-12"}}));
    return list;
  }();
  for (std::size_t i = 0; i < limits.size(); ++i) {
    CountMatrix noisy = limits[i]->apply(town.draft, *evaluation_noise(1, "test", "", 1)).counts();
    post_process(noisy, PostProcess::kPaper, 40);
    EXPECT_TRUE(std::equal(noisy.all().begin(), noisy.all().end(), town.counts.all().begin())) << i;
    const Utility utility = measure_utility(town.counts, noisy);
    EXPECT_EQ(utility.mre, 0);
    EXPECT_EQ(utility.top10_overlap, 1);
  }
  // KRR counts a user once an epoch, so its limit is raw where nobody is in two places.
  const Prepared single({3, 2, 2, {{0, 0, 0}, {0, 1, 1}, {1, 2, 0}}});
  CountMatrix noisy = make("KRR", {{"p", "1e-12"}})->apply(single.draft, *evaluation_noise(1, "test", "", 1)).counts();
  post_process(noisy, PostProcess::kPaper, 3);
  EXPECT_TRUE(std::equal(noisy.all().begin(), noisy.all().end(), single.counts.all().begin()));
}

TEST(MechanismTest, NoiseDependsOnSeedMechanismParametersRepeatAndRoiOnly) {
  const Prepared town(busy_town());
  const auto scm = make("SCM", {{"sensitivity", "event"}, {"epsilon", "1"}});
  const auto draw = [&](std::uint64_t seed, const char* name, const char* label, std::size_t repeat) {
    const CountMatrix noisy = scm->apply(town.draft, *evaluation_noise(seed, name, label, repeat)).counts();
    return std::vector<double>(noisy.all().begin(), noisy.all().end());
  };
  const std::vector<double> once = draw(1, "SCM", "a", 1);
  EXPECT_EQ(once, draw(1, "SCM", "a", 1));
  EXPECT_NE(once, draw(2, "SCM", "a", 1));
  EXPECT_NE(once, draw(1, "FPA", "a", 1));
  EXPECT_NE(once, draw(1, "SCM", "b", 1));
  EXPECT_NE(once, draw(1, "SCM", "a", 2));
}

TEST(KrrTest, PeopleDeclaredButNotSeenAreInNull) {
  const Town two = {2, 2, 1, {{0, 0, 0}, {0, 1, 1}}};
  const Prepared town(two, 5);
  EXPECT_EQ(town.counts.series(2)[0], 3);
  const CountMatrix noisy =
      make("KRR", {{"p", "1e-12"}})->apply(town.draft, *evaluation_noise(1, "test", "", 1)).counts();
  EXPECT_NEAR(noisy.series(0)[0], 1, 1e-9);
  EXPECT_NEAR(noisy.series(2)[0], 3, 1e-9);
  try {
    Prepared(two, 1);
    FAIL() << "more people were seen than declared";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "data.population = 1: the data has more people; state how many there are in all, seen or not");
  }
}

TEST(UtilityTest, FollowsItsFormulas) {
  // 2 ROIs, null, 2 epochs; totals 14 and 6, so beta = 0.001 * 10.
  CountMatrix raw(3, 2);
  CountMatrix noisy(3, 2);
  const std::vector<std::vector<double>> before = {{4, 0}, {0, 2}, {10, 4}};
  const std::vector<std::vector<double>> after = {{5, 1}, {0, 0}, {0, 0}};
  for (std::size_t roi = 0; roi < 3; ++roi) {
    std::copy(before[roi].begin(), before[roi].end(), raw.series(roi).begin());
    std::copy(after[roi].begin(), after[roi].end(), noisy.series(roi).begin());
  }
  const Utility utility = measure_utility(raw, noisy);
  EXPECT_NEAR(utility.mre, (1.0 / 4 + 1 / 0.01 + 0 + 1) / 4, 1e-12);
  EXPECT_NEAR(utility.mre_per_roi, ((1.0 / 4 + 1 / 0.004) / 2 + (0 + 1.0) / 2) / 2, 1e-12);
  EXPECT_NEAR(utility.mae, (1 + 1 + 0 + 2) / 4.0, 1e-12);
  EXPECT_NEAR(utility.suppressed, 0.5, 1e-12);
  EXPECT_NEAR(utility.top10_overlap, 0.5, 1e-12);
}

// 12 places of which the first ten are busiest, ties to the first.
TEST(UtilityTest, TheTenBusiestPlacesAreCompared) {
  CountMatrix raw(13, 1);
  for (std::size_t roi = 0; roi < 12; ++roi) raw.series(roi)[0] = roi < 9 ? 20.0 - static_cast<double>(roi) : 3;
  CountMatrix same_ten = raw;
  CountMatrix other_two = raw;
  for (const std::size_t roi : {5U, 6U}) same_ten.series(roi)[0] += 100;
  for (const std::size_t roi : {10U, 11U}) other_two.series(roi)[0] += 100;
  EXPECT_EQ(measure_utility(raw, same_ten).top10_overlap, 1);
  EXPECT_NEAR(measure_utility(raw, other_two).top10_overlap, 0.8, 1e-12);
}

}  // namespace
}  // namespace hearsay::release
