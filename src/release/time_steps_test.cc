// SPDX-License-Identifier: Apache-2.0
//
// Steps that add noise to something else than counts, epoch by epoch: sums over time.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/errors.h"
#include "release/square_root.h"
#include "release/test_pairs.h"
#include "release/time_tree.h"

namespace hearsay::release {
namespace {

std::vector<double> random_series(RandomBits& bits, std::size_t epochs) {
  std::vector<double> series(epochs);
  for (double& count : series) count = static_cast<double>(bits.below(30));
  return series;
}

// What a step measures of two towns that differ by a unit: by place, null last.
using Measure = std::function<std::vector<double>(std::span<const double>)>;
struct Apart {
  double ones = 0;          // the 1-norm, null aside
  double squares = 0;       // the square of the 2-norm, null aside
  double null_squares = 0;  // that of null
};

Apart apart(const CountMatrix& a, const CountMatrix& b, const Measure& measure) {
  Apart apart;
  for (std::size_t place = 0; place < a.rois(); ++place) {
    const std::vector<double> here = measure(a.series(place));
    const std::vector<double> there = measure(b.series(place));
    for (std::size_t i = 0; i < here.size(); ++i) {
      const double moved = std::fabs(here[i] - there[i]);
      (place + 1 == a.rois() ? apart.null_squares : apart.squares) += moved * moved;
      if (place + 1 < a.rois()) apart.ones += moved;
    }
  }
  return apart;
}

// Solves a x = b by elimination; a is positive definite.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t row = i + 1; row < n; ++row) {
      const double factor = a[row][i] / a[i][i];
      for (std::size_t j = i; j < n; ++j) a[row][j] -= factor * a[i][j];
      b[row] -= factor * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return b;
}

// The normal equations of the sums of a tree: which epochs are in which sum, read off the sums of single epochs.
TEST(TimeTreeTest, FitIsTheLeastSquaresSolution) {
  SeededBits bits(2);
  for (std::size_t n = 1; n <= 21; ++n) {
    const TimeTree tree(n);
    std::vector<std::vector<double>> columns;
    for (std::size_t t = 0; t < n; ++t) {
      std::vector<double> one(n);
      one[t] = 1;
      columns.push_back(tree.sums(one));
      EXPECT_EQ(std::accumulate(columns[t].begin(), columns[t].end(), 0.0), tree.levels());
    }
    const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    std::vector<std::vector<double>> gram(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) gram[i][j] = product(columns[i], columns[j]);
    }
    std::vector<double> noisy(tree.nodes());
    for (double& sum : noisy) sum = laplace(bits, 10);
    std::vector<double> right(n);
    for (std::size_t i = 0; i < n; ++i) right[i] = product(columns[i], noisy);
    const std::vector<double> dense = solved(gram, right);
    std::vector<double> fast(n);
    tree.fit(noisy, fast);
    const std::vector<double> variances = tree.variances();
    for (std::size_t t = 0; t < n; ++t) {
      EXPECT_NEAR(fast[t], dense[t], 1e-9) << n;
      std::vector<double> one(n);
      one[t] = 1;
      EXPECT_NEAR(variances[t], solved(gram, one)[t], 1e-12) << n;
    }
    const std::vector<double> series = random_series(bits, n);
    tree.fit(tree.sums(series), fast);
    for (std::size_t t = 0; t < n; ++t) EXPECT_NEAR(fast[t], series[t], 1e-9);
  }
}

TEST(TimeTreeTest, NoUnitMovesSumsFurtherThanStated) {
  std::size_t met = 0;
  on_random_pairs([&](const Draft& more, const Draft& less, Unit unit) {
    const TimeTree tree(more.counts().epochs());
    const Reach& reach = more.reach();
    const Apart moved =
        apart(more.counts(), less.counts(), [&](std::span<const double> series) { return tree.sums(series); });
    const double squares = tree.squares(reach.cells(unit), reach.cells_of_a_place(unit));
    EXPECT_LE(moved.ones, reach.cells(unit) * static_cast<double>(tree.levels()));
    EXPECT_LE(moved.squares, squares);
    EXPECT_LE(moved.null_squares, tree.squares(reach.null_cells(unit), reach.null_cells(unit)));
    met += unit != Unit::kEvent && moved.squares == squares ? 1 : 0;
  });
  EXPECT_GT(met, 5U) << "more than any unit moves them";
}

// Every set of changed counts of two places of up to seven epochs.
TEST(TimeTreeTest, NoSetOfCountsMovesSumsFurtherThanStated) {
  for (std::size_t n = 1; n <= 7; ++n) {
    const TimeTree tree(n);
    std::vector<double> alone(n + 1);  // the most that so many counts of one place can do
    for (std::size_t set = 0; set < 1U << n; ++set) {
      std::vector<double> changed(n);
      for (std::size_t t = 0; t < n; ++t) changed[t] = static_cast<double>(set >> t & 1);
      double squares = 0;
      for (const double sum : tree.sums(changed)) squares += sum * sum;
      double& most = alone[static_cast<std::size_t>(std::accumulate(changed.begin(), changed.end(), 0.0))];
      most = std::max(most, squares);
    }
    for (std::size_t here = 1; here <= n; ++here) {
      EXPECT_EQ(alone[here], tree.squares(static_cast<double>(here), static_cast<double>(here))) << n;
      for (std::size_t there = 0; there <= here; ++there) {
        EXPECT_LE(alone[here] + alone[there],
                  tree.squares(static_cast<double>(here + there), static_cast<double>(here)));
      }
    }
  }
}

// How far sums over `length` hours of twelve weeks are off, on average, where nobody is anywhere.
double error_of_sums(const std::string& name, const Values& values, std::size_t length, std::size_t draws = 20) {
  constexpr std::size_t kHours = 24 * 84;
  const Prepared empty(Town{1, 3, kHours, {}}, 1);
  const auto step = make(name, values);
  double off = 0;
  double sums = 0;
  for (std::size_t repeat = 0; repeat < draws; ++repeat) {
    const Draft draft = step->apply(empty.draft, *evaluation_noise(3, name, "", repeat));
    for (std::size_t place = 0; place < 3; ++place) {
      const std::span<const double> series = draft.counts().series(place);
      for (std::size_t begin = 0; begin + length <= kHours; begin += length, ++sums) {
        const std::span<const double> part = series.subspan(begin, length);
        off += std::fabs(std::accumulate(part.begin(), part.end(), 0.0));
      }
    }
  }
  return off / sums;
}

// At the same budget: normal noise from days on, Laplace noise from weeks on; and not where the unit is at a place for
// long, as all sums above it move by much. Laplace noise is large here: noise of scale 1 is of whole numbers, which
// makes it smaller on a count but not on the sums of a tree.
TEST(TreeTest, SumsOverTimeAreNearer) {
  for (const char* unit : {"event", "user_epoch"}) {
    SCOPED_TRACE(unit);
    const Values normal = {{"rho", "0.5"}, {"unit", unit}};
    const Values tree = {{"noise", "gaussian"}, {"rho", "0.5"}, {"unit", unit}};
    EXPECT_GT(error_of_sums("TREE", tree, 1), error_of_sums("GAUSSIAN", normal, 1));
    EXPECT_LT(error_of_sums("TREE", tree, 24), 0.6 * error_of_sums("GAUSSIAN", normal, 24));
    EXPECT_LT(error_of_sums("TREE", tree, 28 * 24), 0.2 * error_of_sums("GAUSSIAN", normal, 28 * 24));
    const Values pure = {{"epsilon", "0.1"}, {"unit", unit}};
    EXPECT_GT(error_of_sums("TREE", pure, 24), error_of_sums("LAPLACE", pure, 24));
    EXPECT_LT(error_of_sums("TREE", pure, 7 * 24), 0.95 * error_of_sums("LAPLACE", pure, 7 * 24));
    constexpr std::size_t kDraws = 60;  // of 9 sums each: the ratio is 0.45
    EXPECT_LT(error_of_sums("TREE", pure, 28 * 24, kDraws), 0.5 * error_of_sums("LAPLACE", pure, 28 * 24, kDraws));
  }
  const Values long_stay = {{"rho", "0.5"}, {"unit", "user_day"}};
  const Values tree = {{"noise", "gaussian"}, {"rho", "0.5"}, {"unit", "user_day"}};
  EXPECT_GT(error_of_sums("TREE", tree, 24), error_of_sums("GAUSSIAN", long_stay, 24));
}

TEST(TreeTest, LaplaceNoiseOfAnEvent) {
  // In both sums that have it.
  const auto statistic = [](const CountMatrix& counts) {
    return std::min(counts.series(0)[0], counts.series(0)[0] + counts.series(0)[1]);
  };
  try_to_falsify({{"TREE", {{"epsilon", "1"}, {"unit", "event"}}}}, one_person(2, {0}), statistic);
}

TEST(TreeTest, NormalNoiseOfAUserInAPlace) {
  // What tells most of normal noise: the sums, each as often as it has visits of the person.
  const auto statistic = [](const CountMatrix& counts) {
    const TimeTree tree(5);
    const std::vector<double> visits = tree.sums(std::vector<double>(5, 1.0));
    const std::vector<double> sums = tree.sums(counts.series(0));
    return std::inner_product(sums.begin(), sums.end(), visits.begin(), 0.0);
  };
  try_to_falsify({{"TREE", {{"noise", "gaussian"}, {"epsilon", "1.5"}, {"delta", "0.01"}, {"unit", "user_place"}}}},
                 one_person(5, {0, 1, 2, 3, 4}), statistic);
}

TEST(TreeTest, ParametersAreOfOneKindOfNoise) {
  EXPECT_THROW(make("TREE", {{"rho", "1"}}), ConfigError);
  EXPECT_THROW(make("TREE", {{"noise", "gaussian"}, {"rho", "1"}, {"epsilon", "1"}}), ConfigError);
  EXPECT_THROW(make("TREE", {{"noise", "uniform"}, {"epsilon", "1"}}), ConfigError);
  EXPECT_THROW(make("TREE", {}), ConfigError);
}

TEST(SquareRootTest, TwiceGivesRunningSums) {
  SeededBits bits(6);
  for (std::size_t n = 1; n <= 40; ++n) {
    const SquareRoot root(n);
    const std::vector<double> series = random_series(bits, n);
    const std::vector<double> sums = root.times(root.times(series));
    std::vector<double> back(n);
    root.solve(root.times(series), back);
    const std::vector<double> variances = root.variances();
    double sum = 0;
    for (std::size_t t = 0; t < n; ++t) {
      EXPECT_NEAR(sums[t], sum += series[t], 1e-9);
      EXPECT_NEAR(back[t], series[t], 1e-9);
      double variance = 0;
      for (std::size_t s = 0; s < n; ++s) {
        std::vector<double> one(n);
        one[s] = 1;
        std::vector<double> noise(n);
        root.solve(one, noise);
        variance += noise[t] * noise[t];
      }
      EXPECT_NEAR(variances[t], variance, 1e-12);
    }
  }
}

// Every set of changed counts of up to ten epochs, one place or two.
TEST(SquareRootTest, NoSetOfCountsMovesItFurtherThanStated) {
  for (std::size_t n = 1; n <= 10; ++n) {
    const SquareRoot root(n);
    std::vector<double> alone(n + 1);  // the most that so many counts of one place can do
    for (std::size_t set = 0; set < 1U << n; ++set) {
      std::vector<double> changed(n);
      for (std::size_t t = 0; t < n; ++t) changed[t] = static_cast<double>(set >> t & 1);
      double squares = 0;
      for (const double number : root.times(changed)) squares += number * number;
      double& most = alone[static_cast<std::size_t>(std::accumulate(changed.begin(), changed.end(), 0.0))];
      most = std::max(most, squares);
    }
    const auto stated = [&](std::size_t cells, std::size_t of_a_place, double places) {
      return root.squares(static_cast<double>(cells), static_cast<double>(of_a_place), places);
    };
    EXPECT_NEAR(alone[1], stated(1, 1, 1), 1e-12);
    EXPECT_NEAR(alone[n], stated(n, n, 1), 1e-12);
    for (std::size_t here = 1; here <= n; ++here) {
      EXPECT_LE(alone[here], stated(here, here, 1) + 1e-12);
      EXPECT_GE(alone[here], 0.7 * stated(here, here, 1));
      for (std::size_t there = 0; there <= here; ++there) {
        EXPECT_LE(alone[here] + alone[there], stated(here + there, here, 2) + 1e-12);
      }
    }
  }
}

TEST(SquareRootTest, NoUnitMovesItFurtherThanStated) {
  double nearest = 0;
  on_random_pairs([&](const Draft& more, const Draft& less, Unit unit) {
    const SquareRoot root(more.counts().epochs());
    const Reach& reach = more.reach();
    const Apart moved =
        apart(more.counts(), less.counts(), [&](std::span<const double> series) { return root.times(series); });
    const double squares = root.squares(reach.cells(unit), reach.cells_of_a_place(unit), reach.places(unit));
    EXPECT_LE(moved.squares, squares + 1e-9);
    EXPECT_LE(moved.null_squares, root.squares(reach.null_cells(unit), reach.null_cells(unit), 1) + 1e-9);
    if (unit != Unit::kEvent) nearest = std::max(nearest, moved.squares / squares);
  });
  EXPECT_GT(nearest, 0.8) << "more than any unit moves it";
}

// What tells most of normal noise: how alike R x is to what the person adds to it.
void falsify_square_root(const char* unit, const std::vector<std::uint32_t>& at) {
  const SquareRoot root(5);
  std::vector<double> visits(5);
  for (const std::uint32_t epoch : at) visits[epoch] = 1;
  const std::vector<double> added = root.times(visits);
  const auto statistic = [&](const CountMatrix& counts) {
    const std::vector<double> seen = root.times(counts.series(0));
    return std::inner_product(seen.begin(), seen.end(), added.begin(), 0.0);
  };
  try_to_falsify({{"SQUARE_ROOT", {{"epsilon", "1.5"}, {"delta", "0.01"}, {"unit", unit}}}}, one_person(5, at),
                 statistic);
}

TEST(SquareRootTest, AnEvent) {
  falsify_square_root("event", {0});
}

TEST(SquareRootTest, AUserInAPlace) {
  falsify_square_root("user_place", {0, 1, 2, 3, 4});
}

// How far the sums up to each hour of twelve weeks are off, on average and where they are worst.
std::pair<double, double> error_of_running_sums(const std::string& name, const Values& values) {
  constexpr std::size_t kHours = 24 * 84;
  constexpr std::size_t kPlaces = 60;
  const Prepared empty(Town{1, kPlaces, kHours, {}}, 1);
  const Draft draft = make(name, values)->apply(empty.draft, *evaluation_noise(3, name, "", 1));
  std::vector<double> off(kHours);
  for (std::size_t place = 0; place < kPlaces; ++place) {
    double sum = 0;
    for (std::size_t t = 0; t < kHours; ++t) off[t] += std::fabs(sum += draft.counts().series(place)[t]) / kPlaces;
  }
  return {std::accumulate(off.begin(), off.end(), 0.0) / kHours, *std::max_element(off.begin(), off.end())};
}

TEST(SquareRootTest, RunningSumsAreNearest) {
  for (const char* unit : {"event", "user_day"}) {
    SCOPED_TRACE(unit);
    const Values budget = {{"rho", "0.5"}, {"unit", unit}};
    const auto [mean, worst] = error_of_running_sums("SQUARE_ROOT", budget);
    const auto tree = error_of_running_sums("TREE", {{"noise", "gaussian"}, {"rho", "0.5"}, {"unit", unit}});
    const auto counts = error_of_running_sums("GAUSSIAN", budget);
    EXPECT_LT(mean, 0.95 * tree.first);
    EXPECT_LT(worst, 0.95 * tree.second);
    EXPECT_LT(mean, 0.6 * counts.first);
    EXPECT_LT(worst, 0.6 * counts.second);
  }
}

// The grid goes with the noise: it can be drawn in whole steps however large it is.
TEST(SquareRootTest, LargeReleasesCanBePublished) {
  const Prepared large(Town{1, 300, 168, {}}, 1);
  const auto step = make("SQUARE_ROOT", {{"rho", "0.1"}});
  const Draft noisy = step->apply(large.draft, AsPublished(1));
  double squares = 0;
  for (const double count : noisy.counts().all()) squares += count * count;
  const double deviation = std::sqrt(squares / static_cast<double>(noisy.counts().all().size()));
  EXPECT_NEAR(deviation / step->noise(large.draft)->deviation, 1, 0.03);
}

}  // namespace
}  // namespace hearsay::release
