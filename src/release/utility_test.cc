// SPDX-License-Identifier: Apache-2.0
#include "release/utility.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "release/aggregate.h"
#include "release/baselines.h"
#include "release/test_town.h"

namespace hearsay::release {
namespace {

using Dense = std::vector<std::vector<double>>;  // by place, null not among them, and epoch

Dense dense_of(const CountMatrix& counts) {
  Dense dense;
  for (std::size_t place = 0; place + 1 < counts.rois(); ++place) {
    dense.emplace_back(counts.series(place).begin(), counts.series(place).end());
  }
  return dense;
}

// The formulas, word by word.
namespace plain {

std::optional<double> mae_between(const Dense& raw, const Dense& noisy, double least, double below) {
  std::vector<double> errors;
  for (std::size_t s = 0; s < raw.size(); ++s) {
    for (std::size_t t = 0; t < raw[s].size(); ++t) {
      if (raw[s][t] >= least && raw[s][t] < below) errors.push_back(std::fabs(noisy[s][t] - raw[s][t]));
    }
  }
  if (errors.empty()) return std::nullopt;
  double sum = 0;
  for (const double error : errors) sum += error;
  return sum / static_cast<double>(errors.size());
}

double mre(const Dense& raw, const Dense& noisy, double beta) {
  double sum = 0;
  for (std::size_t s = 0; s < raw.size(); ++s) {
    for (std::size_t t = 0; t < raw[s].size(); ++t) {
      sum += std::fabs(noisy[s][t] - raw[s][t]) / std::max(beta, raw[s][t]);
    }
  }
  return sum / static_cast<double>(raw.size() * raw[0].size());
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    double less = 0;
    double equal = 0;
    for (const double other : values) {
      less += other < value ? 1 : 0;
      equal += other == value ? 1 : 0;
    }
    result.push_back(less + (equal + 1) / 2);
  }
  return result;
}

double pearson(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    syy += y[i] * y[i];
    sxy += x[i] * y[i];
  }
  const double spread = (n * sxx - sx * sx) * (n * syy - sy * sy);
  return spread <= 0 ? 0 : (n * sxy - sx * sy) / std::sqrt(spread);
}

std::optional<double> spearman(const Dense& raw, const Dense& noisy) {
  double sum = 0;
  double epochs = 0;
  for (std::size_t t = 0; t < raw[0].size(); ++t) {
    std::vector<double> x;
    std::vector<double> y;
    for (std::size_t s = 0; s < raw.size(); ++s) {
      x.push_back(raw[s][t]);
      y.push_back(noisy[s][t]);
    }
    if (std::set<double>(x.begin(), x.end()).size() < 2) continue;
    sum += pearson(ranks(x), ranks(y));
    ++epochs;
  }
  return epochs == 0 ? std::nullopt : std::optional(sum / epochs);
}

// The relative error of sums over all cells of the same class.
template <typename ClassOf>
double error_of_sums(const Dense& raw, const Dense& noisy, const ClassOf& class_of) {
  std::map<std::size_t, std::pair<double, double>> sums;
  double all = 0;
  for (std::size_t s = 0; s < raw.size(); ++s) {
    for (std::size_t t = 0; t < raw[s].size(); ++t) {
      auto& [before, after] = sums[class_of(s, t)];
      before += raw[s][t];
      after += noisy[s][t];
      all += raw[s][t];
    }
  }
  double off = 0;
  for (const auto& [index, pair] : sums) off += std::fabs(pair.second - pair.first);
  return off / all;
}

double forecast(const Dense& raw, const Dense& known, std::size_t day) {
  double sum = 0;
  double cells = 0;
  for (std::size_t s = 0; s < raw.size(); ++s) {
    for (std::size_t t = day; t < raw[s].size(); ++t) {
      sum += std::fabs(raw[s][t] - known[s][t - day]);
      ++cells;
    }
  }
  return sum / cells;
}

}  // namespace plain

constexpr std::size_t kPerDay = 4;

// Places of very different sizes, one of them never visited, over three days and a half of four epochs each. Nobody is
// out in epoch 5.
Town uneven_town(std::uint64_t seed) {
  Town town{160, 7, 14, {}};
  SeededBits bits(seed);
  for (std::uint32_t e = 0; e < town.epochs; ++e) {
    for (std::uint32_t u = 0; u < town.users; ++u) {
      for (std::uint32_t s = 0; s + 1 < town.rois; ++s) {
        constexpr std::uint32_t kOften[] = {850, 300, 120, 40, 20, 10};  // of 1000
        if (e != 5 && bits.below(1000) < kOften[s] * (1 + e % kPerDay) / kPerDay) town.visits.push_back({e, u, s});
      }
    }
  }
  return town;
}

// Off by up to 1, some counts not published.
Draft perturbed(const Draft& draft, SeededBits& bits) {
  CountMatrix counts = draft.counts();
  std::vector<Missing> missing;
  for (std::uint32_t place = 0; place < counts.rois(); ++place) {
    for (std::uint32_t epoch = 0; epoch < counts.epochs(); ++epoch) {
      double& count = counts.series(place)[epoch];
      count += static_cast<double>(bits.below(5)) / 2 - 1;
      if (bits.below(6) != 0) continue;
      count = 0;
      missing.push_back({place, epoch, 0, 3});
      if (bits.below(2) == 0) missing.push_back(missing.back());  // left out by two steps
    }
  }
  return draft.with_counts(std::move(counts), std::move(missing));
}

void expect_near(const std::optional<double>& found, const std::optional<double>& expected, const char* what) {
  ASSERT_EQ(found.has_value(), expected.has_value()) << what;
  if (found) {
    EXPECT_NEAR(*found, *expected, 1e-12) << what;
  }
}

void expect_formulas(const Utility& found, const Dense& raw, const Dense& noisy) {
  expect_near(found.mae_0, plain::mae_between(raw, noisy, 0, 1), "0");
  expect_near(found.mae_1_9, plain::mae_between(raw, noisy, 1, 10), "1 to 9");
  expect_near(found.mae_10_99, plain::mae_between(raw, noisy, 10, 100), "10 to 99");
  expect_near(found.mae_100, plain::mae_between(raw, noisy, 100, INFINITY), "100 and more");
  expect_near(found.mae, plain::mae_between(raw, noisy, 0, INFINITY), "all");
  expect_near(found.rank_correlation, plain::spearman(raw, noisy), "ranks");
  const auto by_hour = [](std::size_t, std::size_t t) { return t % kPerDay; };
  expect_near(found.daily_profile, plain::error_of_sums(raw, noisy, by_hour), "profile");
  const auto by_place = [](std::size_t s, std::size_t) { return s; };
  expect_near(found.place_totals, plain::error_of_sums(raw, noisy, by_place), "places");
  const auto by_epoch = [](std::size_t, std::size_t t) { return t; };
  expect_near(found.epoch_totals, plain::error_of_sums(raw, noisy, by_epoch), "epochs");
  expect_near(found.forecast_mae, plain::forecast(raw, noisy, kPerDay), "forecast");
  expect_near(found.forecast_mae_raw, plain::forecast(raw, raw, kPerDay), "forecast of the truth");
}

TEST(UtilityTest, IsWhatThePlainFormulasSay) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Prepared town(uneven_town(seed));
    SeededBits bits(seed + 100);
    const Draft draft = perturbed(town.draft, bits);
    const Utility found = measure_utility(town.counts, town.counts, draft, kPerDay);
    expect_formulas(found, dense_of(town.counts), dense_of(draft.counts()));
    EXPECT_TRUE(found.mae_0 && found.mae_1_9 && found.mae_10_99 && found.mae_100) << "every size is there";
    EXPECT_EQ(found.mre_own_grid, found.mre);
    EXPECT_EQ(found.mae_own_grid, found.mae);
    std::set<std::pair<std::uint32_t, std::uint32_t>> gone;
    for (const Missing& one : draft.missing()) {
      if (one.place != 7) gone.insert({one.place, one.epoch});
    }
    EXPECT_NEAR(*found.published, 1 - static_cast<double>(gone.size()) / (7 * 14), 1e-12);
    EXPECT_LT(*found.published, 1);
    // Of counts alone nobody can tell which of them were published.
    const Utility alone = measure_utility(town.counts, draft.counts(), kPerDay);
    EXPECT_EQ(alone.rank_correlation, found.rank_correlation);
    EXPECT_FALSE(alone.published || alone.mre_own_grid || alone.mae_own_grid);
  }
}

TEST(UtilityTest, ACoarseReleaseIsJudgedOnItsOwnGridAndExpanded) {
  const std::vector<std::uint32_t> place_of = {0, 0, 0, 1, 1, 2, 2};
  const std::vector<std::uint32_t> epoch_of = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6};
  for (const std::optional<std::size_t> population : {std::optional<std::size_t>(), std::optional<std::size_t>(200)}) {
    const Town visits = uneven_town(3);
    const Prepared town(visits, population);
    SeededBits bits(9);
    const Draft draft = perturbed(town.draft.merged(place_of, 3, epoch_of, 7), bits);
    // Everybody once a coarse place and epoch; null, for beta, is whoever was seen and was nowhere.
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> seen;
    std::set<std::pair<std::uint32_t, std::uint32_t>> out;
    Dense raw(3, std::vector<double>(7));
    for (const ingest::Visit& visit : visits.visits) {
      const std::uint32_t epoch = epoch_of[visit.epoch];
      out.insert({epoch, visit.user});
      if (seen.insert({epoch, visit.user, place_of[visit.roi]}).second) ++raw[place_of[visit.roi]][epoch];
    }
    const double total = static_cast<double>(seen.size() + 7 * visits.users - out.size());
    const CountMatrix truth = true_counts(town.draft, draft.geometry());
    EXPECT_EQ(dense_of(truth), raw);
    const CountMatrix fine(aggregate(town.truth, 1));
    const Utility found = measure_utility(fine, truth, draft, kPerDay);
    const Dense noisy = dense_of(draft.counts());
    EXPECT_NEAR(*found.mre_own_grid, plain::mre(raw, noisy, 0.001 * total / 7), 1e-12);
    expect_near(found.mae_own_grid, plain::mae_between(raw, noisy, 0, INFINITY), "own grid");
    Dense spread(7, std::vector<double>(14));
    constexpr double kPlaces[] = {3, 2, 2};
    for (std::size_t s = 0; s < 7; ++s) {
      for (std::size_t t = 0; t < 14; ++t) spread[s][t] = noisy[place_of[s]][epoch_of[t]] / (kPlaces[place_of[s]] * 2);
    }
    expect_formulas(found, dense_of(fine), spread);
    EXPECT_NE(found.mre, *found.mre_own_grid);
    std::set<std::pair<std::uint32_t, std::uint32_t>> gone;
    for (const Missing& one : draft.missing()) {
      if (one.place != 3) gone.insert({one.place, one.epoch});
    }
    EXPECT_NEAR(*found.published, 1 - static_cast<double>(gone.size()) / (3 * 7), 1e-12);
  }
}

TEST(UtilityTest, WhatCannotBeMeasuredIsAbsent) {
  const Prepared town(uneven_town(1));
  const Utility unknown = measure_utility(town.counts, town.counts);
  EXPECT_FALSE(unknown.daily_profile || unknown.forecast_mae || unknown.forecast_mae_raw);
  EXPECT_EQ(unknown.rank_correlation, 1);
  EXPECT_TRUE(measure_utility(town.counts, town.counts, 7).forecast_mae) << "two days";
  const Utility short_of_days = measure_utility(town.counts, town.counts, 8);
  EXPECT_EQ(short_of_days.daily_profile, 0);
  EXPECT_FALSE(short_of_days.forecast_mae || short_of_days.forecast_mae_raw);

  const CountMatrix nobody(4, 8);
  CountMatrix somebody(4, 8);
  for (double& count : somebody.all()) count = 2;
  const Utility empty = measure_utility(nobody, somebody, 4);
  EXPECT_EQ(empty.mae_0, 2);
  EXPECT_FALSE(empty.mae_1_9 || empty.mae_10_99 || empty.mae_100);
  EXPECT_FALSE(empty.rank_correlation) << "no epoch has an order";
  EXPECT_FALSE(empty.daily_profile || empty.place_totals || empty.epoch_totals);
  EXPECT_EQ(empty.forecast_mae, 2);
  EXPECT_EQ(empty.forecast_mae_raw, 0);
  EXPECT_EQ(measure_utility(town.counts, CountMatrix(8, 14)).rank_correlation, 0) << "zeros say nothing of the order";
  EXPECT_EQ(numbers_of(empty).size(), 18U);
  EXPECT_EQ(numbers_of(empty)[2].name, "mae");
  EXPECT_EQ(numbers_of(empty)[2].value, 2);
}

// Baselines by hand, of 4 epochs a day and 33 epochs of inference: more than a week.
class BaselineTest : public testing::TestWithParam<std::uint32_t> {};

TEST_P(BaselineTest, IsMadeOfTheObservationAlone) {
  const std::uint32_t observe = GetParam();
  const std::uint32_t epochs = observe + 33;
  Town town{30, 3, epochs, {}};
  SeededBits bits(observe);
  ingest::Visits visits = Prepared::visits_of(town);
  Dense seen(3, std::vector<double>(epochs));
  for (std::uint32_t e = 0; e < epochs; ++e) {
    for (std::uint32_t u = 0; u < town.users; ++u) {
      const auto s = static_cast<std::uint32_t>(bits.below(4));
      if (s == 3) continue;
      visits.visits.push_back({e, u, s});
      ++seen[s][e];
    }
  }
  const dataset::Dataset data(std::move(visits), {86400 / 4, epochs, observe}, 0);
  const dataset::ObservedCounts observed = dataset::observed_counts(data.observation());
  const auto made = [&](const char* name) {
    for (const Baseline& baseline : all_baselines()) {
      if (baseline.name == name) return baseline.make(observed);
    }
    return std::optional<CountMatrix>();
  };
  const Dense zeros(3, std::vector<double>(33));
  EXPECT_EQ(dense_of(*made("ZEROS")), zeros);

  const std::optional<CountMatrix> last = made("LAST_WEEK_COUNTS");
  EXPECT_EQ(last.has_value(), observe >= 28);
  const std::optional<CountMatrix> average = made("AVERAGE_WEEK");
  EXPECT_EQ(average.has_value(), observe >= 4);
  const std::uint32_t period = observe >= 28 ? 28 : 4;
  for (std::uint32_t s = 0; s < 3; ++s) {
    for (std::uint32_t t = 0; t < 33; ++t) {
      double sum = 0;
      double count = 0;
      double latest = 0;
      for (std::uint32_t e = 0; e < observe; ++e) {
        if (e % period != (observe + t) % period) continue;
        latest = seen[s][e];
        sum += latest;
        ++count;
      }
      if (last) {
        EXPECT_EQ(last->series(s)[t], latest) << s << " " << t;
      }
      if (average) {
        EXPECT_NEAR(average->series(s)[t], sum / count, 1e-12) << s << " " << t;
      }
    }
  }
  // Everybody is somewhere once an epoch, or in null.
  for (const std::optional<CountMatrix>* counts : {&last, &average}) {
    if (!*counts) continue;
    for (std::uint32_t t = 0; t < 33; ++t) {
      double people = 0;
      for (std::size_t s = 0; s < 4; ++s) people += (*counts)->series(s)[t];
      EXPECT_NEAR(people, 30, 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Observations, BaselineTest, testing::Values(1, 3, 4, 11, 27, 28, 30, 61));

}  // namespace
}  // namespace hearsay::release
