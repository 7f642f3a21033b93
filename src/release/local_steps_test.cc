// SPDX-License-Identifier: Apache-2.0
//
// Local reports: estimates without bias, variances as published, the projection, and attempts to falsify what is
// claimed of a report.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "base/errors.h"
#include "release/local_reports.h"
#include "release/simplex.h"
#include "release/test_falsify.h"

namespace hearsay::release {
namespace {

// 7, 3, 0 and 2 people at four places, 8 in null, of 20 declared.
constexpr std::size_t kPeople = 20;
Town crossing() {
  Town town{14, 4, 1, {}};
  for (std::uint32_t u = 0; u < 12; ++u) town.visits.push_back({0, u, u < 7 ? 0U : u < 10 ? 1U : 3U});
  return town;
}
const std::vector<double> kTruth = {7, 3, 0, 2, 8};

struct Moments {
  std::vector<double> mean;
  std::vector<double> variance;
};

constexpr std::size_t kMomentDraws = 20000;

Moments moments_of(const Step& step, const Prepared& town, const MakeSource& source) {
  const std::size_t rois = town.counts.rois();
  Moments found{std::vector<double>(rois), std::vector<double>(rois)};
  for (std::size_t draw = 0; draw < kMomentDraws; ++draw) {
    const CountMatrix counts = step.apply(town.draft, *source(draw)).counts();
    for (std::size_t roi = 0; roi < rois; ++roi) {
      found.mean[roi] += counts.series(roi)[0];
      found.variance[roi] += counts.series(roi)[0] * counts.series(roi)[0];
    }
  }
  for (std::size_t roi = 0; roi < rois; ++roi) {
    found.mean[roi] /= kMomentDraws;
    found.variance[roi] = found.variance[roi] / kMomentDraws - found.mean[roi] * found.mean[roi];
  }
  return found;
}

// Of an estimate (reports - N q) / (p - q) of `count` people, who are among the reports with chance p, and others with
// q.
double variance_of(double count, double p, double q) {
  return (count * p * (1 - p) + (kPeople - count) * q * (1 - q)) / ((p - q) * (p - q));
}

void expect_moments(const Step& step, double p, double q) {
  const Prepared town(crossing(), kPeople);
  for (const MakeSource& source : {part_of_noise(1), MakeSource(as_published)}) {
    const Moments found = moments_of(step, town, source);
    for (std::size_t roi = 0; roi < kTruth.size(); ++roi) {
      const double variance = variance_of(kTruth[roi], p, q);
      EXPECT_NEAR(found.mean[roi], kTruth[roi], 4 * std::sqrt(variance / kMomentDraws)) << roi;
      EXPECT_NEAR(found.variance[roi] / variance, 1, 0.05) << roi;
    }
  }
}

TEST(OueTest, EstimatesHaveNoBiasAndTheVariancePublished) {
  const double q = 1 / (std::exp(1.2) + 1);
  const auto oue = make("OUE", {{"epsilon", "1.2"}, {"simplex", "no"}});
  expect_moments(*oue, 0.5, q);
  const Prepared town(crossing(), kPeople);
  const double published = kPeople * 4 * std::exp(1.2) / std::pow(std::expm1(1.2), 2);
  EXPECT_NEAR(std::pow(oue->noise(town.draft)->deviation, 2), published, 1e-9);
  EXPECT_NEAR(variance_of(0, 0.5, q), published, 1e-9);
}

TEST(SubsetTest, EstimatesHaveNoBiasAndTheVariancePublished) {
  // Of 5 places, 5 / (e^epsilon + 1) is 2.06 and 0.6: sets of two and of one.
  for (const auto& [epsilon, size] : std::map<double, double>{{0.35, 2}, {2, 1}}) {
    const double p = size * std::exp(epsilon) / (size * std::exp(epsilon) + 5 - size);
    const double q = (size - p) / 4;
    const auto subset = make("SUBSET", {{"epsilon", std::to_string(epsilon)}, {"simplex", "no"}});
    expect_moments(*subset, p, q);
    const Prepared town(crossing(), kPeople);
    EXPECT_NEAR(std::pow(subset->noise(town.draft)->deviation, 2), variance_of(0, p, q), 1e-9);
  }
}

// No other number of places in a set is better at an empty place.
TEST(SubsetTest, SetsHaveTheBestSize) {
  for (const std::size_t places : {1U, 2U, 5U, 30U, 200U}) {
    const Prepared town({1, places, 1, {}}, 100);
    for (const double epsilon : {0.1, 0.5, 1.0, 2.0, 4.0}) {
      const auto k = static_cast<double>(places + 1);
      double least = std::numeric_limits<double>::infinity();
      for (double w = 1; w < k; ++w) {
        const double p = w * std::exp(epsilon) / (w * std::exp(epsilon) + k - w);
        const double q = (w - p) / (k - 1);
        least = std::min(least, 100 * q * (1 - q) / ((p - q) * (p - q)));
      }
      const auto subset = make("SUBSET", {{"epsilon", std::to_string(epsilon)}, {"simplex", "no"}});
      EXPECT_NEAR(std::pow(subset->noise(town.draft)->deviation, 2) / least, 1, 1e-9) << places << ' ' << epsilon;
    }
  }
}

// Which sets one person reports, against the probability of every one of them.
TEST(SubsetTest, EverySetHasItsProbability) {
  constexpr double kEpsilon = 0.35;
  const Prepared town({1, 4, 1, {{0, 0, 1}}}, 1);
  const auto subset = make("SUBSET", {{"epsilon", "0.35"}, {"simplex", "no"}});
  std::map<std::vector<bool>, double> seen;
  for (std::size_t draw = 0; draw < kMomentDraws; ++draw) {
    const CountMatrix counts = subset->apply(town.draft, *as_published(draw)).counts();
    std::vector<bool> set;
    for (std::size_t roi = 0; roi < 5; ++roi) set.push_back(counts.series(roi)[0] > 0);
    ++seen[set];
  }
  ASSERT_EQ(seen.size(), 10U);  // pairs of five
  const double p = 2 * std::exp(kEpsilon) / (2 * std::exp(kEpsilon) + 3);
  for (const auto& [set, hits] : seen) {
    EXPECT_EQ(std::count(set.begin(), set.end(), true), 2);
    const double chance = set[1] ? p / 4 : (1 - p) / 6;
    EXPECT_NEAR(hits / kMomentDraws, chance, 4 * std::sqrt(chance / kMomentDraws));
  }
}

// Drawn from totals, bits that are set must be spread as those of one person after another, across places too.
TEST(OueTest, DrawingTotalsIsTheSameAsOneReportAUser) {
  const Prepared town({3, 1, 1, {{0, 0, 0}, {0, 1, 0}}}, 3);
  const double q = 1 / (std::exp(1.0) + 1);
  const auto oue = make("OUE", {{"epsilon", "1"}, {"simplex", "no"}});
  std::map<std::pair<long, long>, double> chances;
  for (int reports = 0; reports < 64; ++reports) {  // three people with two bits each
    double chance = 1;
    long set[2] = {0, 0};
    for (int bit = 0; bit < 6; ++bit) {
      const int place = bit % 2;
      const bool own = place == (bit / 2 < 2 ? 0 : 1);
      const bool one = (reports >> bit & 1) == 1;
      const double p = own ? 0.5 : q;
      chance *= one ? p : 1 - p;
      set[place] += one ? 1 : 0;
    }
    chances[{set[0], set[1]}] += chance;
  }
  std::map<std::pair<long, long>, double> seen;
  for (std::size_t draw = 0; draw < kMomentDraws; ++draw) {
    const CountMatrix counts = oue->apply(town.draft, *part_of_noise(1)(draw)).counts();
    const auto set = [&](std::size_t roi) { return std::lround(counts.series(roi)[0] * (0.5 - q) + 3 * q); };
    ++seen[{set(0), set(1)}];
  }
  for (const auto& [set, chance] : chances) {
    EXPECT_NEAR(seen[set] / kMomentDraws, chance, 4 * std::sqrt(chance / kMomentDraws))
        << set.first << ' ' << set.second;
  }
}

TEST(LocalStepsTest, LargeEpsilonsLeaveWhatIsPublishedOfThem) {
  const Prepared town(crossing(), kPeople);
  for (const char* simplex : {"no", "yes"}) {
    const CountMatrix exact =
        make("SUBSET", {{"epsilon", "1e9"}, {"simplex", simplex}})->apply(town.draft, *part_of_noise(1)(1)).counts();
    for (std::size_t roi = 0; roi < kTruth.size(); ++roi) EXPECT_NEAR(exact.series(roi)[0], kTruth[roi], 1e-9);
  }
  // The true bit of OUE stays a fair coin: the variance is the count.
  const Moments found = moments_of(*make("OUE", {{"epsilon", "1e9"}, {"simplex", "no"}}), town, part_of_noise(1));
  for (std::size_t roi = 0; roi < kTruth.size(); ++roi) {
    EXPECT_NEAR(found.variance[roi], kTruth[roi], 0.05 * kTruth[roi] + 1e-12);
    EXPECT_NEAR(found.mean[roi], kTruth[roi], 4 * std::sqrt(kTruth[roi] / kMomentDraws) + 1e-12);
  }
}

// Lowered by what bisection finds, without sorting.
std::vector<double> projected_plainly(const std::vector<double>& numbers, double total) {
  const auto sum_at = [&](double by) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0,
                           [&](double sum, double x) { return sum + std::max(0.0, x - by); });
  };
  double low = *std::min_element(numbers.begin(), numbers.end()) - total;
  double high = *std::max_element(numbers.begin(), numbers.end());
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    (sum_at(middle) > total ? low : high) = middle;
  }
  std::vector<double> plain;
  for (const double x : numbers) plain.push_back(std::max(0.0, x - high));
  return plain;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                            [](double x, double y) { return (x - y) * (x - y); });
}

TEST(SimplexTest, ProjectionIsTheNearestPoint) {
  SeededBits bits(31);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> numbers(1 + bits.below(12));
    for (double& x : numbers) x = round % 3 == 0 ? static_cast<double>(bits.below(5)) : 40 * bits.unit() - 15;
    const double total = 0.01 + 30 * bits.unit();
    std::vector<double> nearest = numbers;
    project_to_simplex(nearest, total);
    EXPECT_NEAR(std::accumulate(nearest.begin(), nearest.end(), 0.0), total, 1e-9);
    const std::vector<double> plain = projected_plainly(numbers, total);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_GE(nearest[i], 0);
      ASSERT_NEAR(nearest[i], plain[i], 1e-9);
    }
    for (int guess = 0; guess < 20; ++guess) {  // no other point is nearer, those around it among them
      std::vector<double> other(numbers.size());
      for (double& x : other) x = -std::log(1 - bits.unit());
      const double scale = total / std::accumulate(other.begin(), other.end(), 0.0);
      const double share = std::pow(0.1, guess % 4);
      for (std::size_t i = 0; i < other.size(); ++i) other[i] = share * scale * other[i] + (1 - share) * nearest[i];
      EXPECT_GE(distance(numbers, other), distance(numbers, nearest) - 1e-9);
    }
  }
  std::vector<double> nobody = {3, -1};
  project_to_simplex(nobody, 0);
  EXPECT_EQ(nobody, (std::vector<double>{0, 0}));
}

TEST(LocalStepsTest, SimplexProjectsTheSameReports) {
  const Prepared town(busy_town(), 50);
  const std::map<std::string, std::pair<std::string, std::string>> steps = {
      {"KRR", {"p", "0.6"}}, {"OUE", {"epsilon", "1"}}, {"SUBSET", {"epsilon", "1"}}};
  for (const auto& [name, parameter] : steps) {
    const auto noise = evaluation_noise(3, name, "", 1);
    const CountMatrix free = make(name, {parameter, {"simplex", "no"}})->apply(town.draft, *noise).counts();
    const CountMatrix kept = make(name, {parameter, {"simplex", "yes"}})->apply(town.draft, *noise).counts();
    const CountMatrix usual = make(name, {parameter})->apply(town.draft, *noise).counts();
    const CountMatrix& expected = name == "KRR" ? free : kept;
    EXPECT_TRUE(std::equal(usual.all().begin(), usual.all().end(), expected.all().begin())) << name;
    EXPECT_LT(*std::min_element(free.all().begin(), free.all().end()), 0);
    for (std::size_t epoch = 0; epoch < free.epochs(); ++epoch) {
      std::vector<double> column;
      for (std::size_t roi = 0; roi < free.rois(); ++roi) column.push_back(free.series(roi)[epoch]);
      const std::vector<double> plain = projected_plainly(column, 50);
      for (std::size_t roi = 0; roi < free.rois(); ++roi) EXPECT_NEAR(kept.series(roi)[epoch], plain[roi], 1e-9);
    }
  }
}

// Pinned: a seed is to mean the same draws from one version to the next.
TEST(KrrTest, DrawsOfASeedStayTheSame) {
  const Prepared town(busy_town(), 50);
  const CountMatrix noisy =
      make("KRR", {{"p", "0.4"}})->apply(town.draft, *evaluation_noise(1, "KRR", "p=0.4", 1)).counts();
  const double first[] = {11.904761904761905, -4.7619047619047619, 6.9047619047619042, -1.4285714285714288,
                          0.238095238095238,  18.571428571428573,  18.571428571428573};
  for (std::size_t roi = 0; roi < noisy.rois(); ++roi) EXPECT_EQ(noisy.series(roi)[0], first[roi]);
  std::uint64_t hash = 0;
  for (const double x : noisy.all()) hash = mix(hash, std::bit_cast<std::uint64_t>(x));
  EXPECT_EQ(hash, 2284820507771821292U);
}

// One person, at the second place or at the first; the report has the first and not the second.
Neighbours one_report() {
  return {{1, 2, 1, {{0, 0, 1}}}, {1, 2, 1, {{0, 0, 0}}}, 1, [](const CountMatrix& noisy) {
            return noisy.series(0)[0] > 0 && noisy.series(1)[0] < 0;
          }};
}

TEST(LocalFalsificationTest, AReportHidesAUserInOneEpoch) {
  const Neighbours towns = one_report();
  const Prepared town(towns.with, towns.people);
  for (const char* name : {"OUE", "SUBSET"}) {
    for (const double epsilon : {0.3, 1.0, 2.0}) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(epsilon));
      const auto with_epsilon = [&](double e) {
        return chain_of(name, {{"epsilon", std::to_string(e)}, {"simplex", "no"}});
      };
      const Guarantee guarantee = with_epsilon(epsilon).guarantee(town.draft);
      ASSERT_TRUE(guarantee.epsilon.has_value());
      EXPECT_NEAR(*guarantee.epsilon, epsilon, 1e-12);
      EXPECT_EQ(guarantee.unit, "a user in one epoch");
      const double honest = epsilon_seen(with_epsilon(epsilon), towns, kMomentDraws, part_of_noise(1));
      EXPECT_LE(honest, epsilon);
      EXPECT_GT(honest, 0.6 * epsilon) << "the event is too weak to falsify anything";
      EXPECT_LE(epsilon_seen(with_epsilon(epsilon), towns, kMomentDraws, as_published), epsilon);
      EXPECT_GT(epsilon_seen(with_epsilon(2 * epsilon), towns, kMomentDraws, part_of_noise(1)), epsilon)
          << "coins of half the strength went unnoticed";
    }
  }
}

TEST(LocalStepsTest, NothingIsClaimedOfPeopleReadOffTheData) {
  const Prepared town(crossing());
  for (const char* name : {"OUE", "SUBSET"}) {
    const auto step = make(name, {{"epsilon", "1"}, {"simplex", "no"}});
    EXPECT_FALSE(step->guarantee(town.draft).epsilon.has_value());
    EXPECT_NE(step->guarantee(town.draft).note.find("data.population"), std::string::npos);
    EXPECT_FALSE(step->noise(town.draft).has_value());
    const Prepared declared(crossing(), kPeople);
    EXPECT_TRUE(step->noise(declared.draft).has_value());
    EXPECT_FALSE(make(name, {{"epsilon", "1"}})->noise(declared.draft).has_value());
    EXPECT_THROW(make(name, {{"epsilon", "1e-300"}}), ConfigError);
    EXPECT_THROW(make(name, {{"epsilon", "0"}}), ConfigError);
    EXPECT_THROW(make(name, {{"epsilon", "1"}, {"simplex", "maybe"}}), ConfigError);
  }
}

// Where one visit is kept of a person, taking the first away lets in the second: two reports change.
TEST(LocalFalsificationTest, ABoundOverAllEpochsJoinsThem) {
  const Neighbours towns = {{1, 1, 2, {{1, 0, 0}}}, {1, 1, 2, {{0, 0, 0}, {1, 0, 0}}}, 1, [](const CountMatrix& noisy) {
                              return noisy.series(0)[0] > 0 && noisy.series(1)[0] < 0 && noisy.series(0)[1] < 0 &&
                                     noisy.series(1)[1] > 0;
                            }};
  const auto chain_per = [](const char* window) {
    Chain chain;
    chain.add(step_named("BOUND"), parameters_of("BOUND", {{"at_most", "1"}, {"per", window}, {"choice", "first"}}));
    chain.add(step_named("OUE"), parameters_of("OUE", {{"epsilon", "1"}, {"simplex", "no"}}));
    return chain;
  };
  const Prepared town(towns.with, 1);
  const auto claimed = [&](const char* window) {
    const Chain chain = chain_per(window);
    return *chain.guarantee(chain.prepare(town.draft, *evaluation_noise(1, "", "", 1))).epsilon;
  };
  EXPECT_EQ(claimed("epoch"), 1);
  EXPECT_EQ(claimed("release"), 2);
  const double seen = epsilon_seen(chain_per("release"), towns, kMomentDraws, part_of_noise(1));
  EXPECT_GT(seen, 1.05);
  EXPECT_LE(seen, 2);
  EXPECT_LE(epsilon_seen(chain_per("epoch"), towns, kMomentDraws, part_of_noise(1)), 1);
}

}  // namespace
}  // namespace hearsay::release
