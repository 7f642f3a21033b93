// SPDX-License-Identifier: Apache-2.0
#include "release/fourier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "release/test_pairs.h"

namespace hearsay::release {
namespace {

// The first k coefficients of a series in the orthonormal basis.
std::vector<double> kept(std::span<const double> series, std::size_t k) {
  std::vector<double> numbers;
  Spectrum spectrum = transform(series);
  replace_kept(spectrum, k, [&](double number) {
    numbers.push_back(number);
    return number;
  });
  return numbers;
}

double norm(std::span<const double> numbers) {
  return std::sqrt(std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0));
}

TEST(FourierTest, TheBasisIsOrthonormal) {
  SeededBits bits(4);
  for (std::size_t n = 1; n <= 12; ++n) {
    std::vector<std::vector<double>> columns;
    for (std::size_t t = 0; t < n; ++t) {
      std::vector<double> one(n);
      one[t] = 1;
      columns.push_back(kept(one, n / 2 + 1));
      ASSERT_EQ(columns[t].size(), n);
      for (std::size_t other = 0; other <= t; ++other) {
        const double product = std::inner_product(columns[t].begin(), columns[t].end(), columns[other].begin(), 0.0);
        EXPECT_NEAR(product, other == t ? 1 : 0, 1e-12);
      }
    }
    // What is left out is as long as the difference of the series and what the rest makes of it.
    std::vector<double> series(n);
    for (double& count : series) count = laplace(bits, 10);
    const std::vector<double> norms = left_out(transform(series));
    for (std::size_t k = 0; k < norms.size(); ++k) {
      EXPECT_EQ(kept(series, k).size(), kept_numbers(k, n));
      Spectrum spectrum = transform(series);
      replace_kept(spectrum, k, [](double number) { return number; });
      std::vector<double> rest(n);
      inverse(spectrum, rest);
      for (std::size_t t = 0; t < n; ++t) rest[t] -= series[t];
      EXPECT_NEAR(norms[k], norm(rest), 1e-9);
    }
  }
}

// Over all places: what is kept, in the 1-norm, and what is left out, for every k.
TEST(EfpaTest, NoUnitMovesErrorsAndCoefficientsFurtherThanStated) {
  double nearest = 0;
  on_random_pairs([&](const Draft& more, const Draft& less, Unit unit) {
    const std::size_t n = more.counts().epochs();
    std::vector<double> errors(n / 2 + 2);
    std::vector<double> coefficients(n / 2 + 2);
    for (std::size_t place = 0; place + 1 < more.counts().rois(); ++place) {
      const std::vector<double> a = left_out(transform(more.counts().series(place)));
      const std::vector<double> b = left_out(transform(less.counts().series(place)));
      const std::vector<double> all_a = kept(more.counts().series(place), n / 2 + 1);
      const std::vector<double> all_b = kept(less.counts().series(place), n / 2 + 1);
      for (std::size_t k = 0; k < a.size(); ++k) {
        errors[k] += std::fabs(a[k] - b[k]);
        for (std::size_t i = 0; i < kept_numbers(k, n); ++i) coefficients[k] += std::fabs(all_a[i] - all_b[i]);
      }
    }
    const double roots = more.reach().roots(unit);
    for (std::size_t k = 0; k < errors.size(); ++k) {
      EXPECT_LE(errors[k], roots + 1e-9);
      EXPECT_LE(coefficients[k], std::sqrt(static_cast<double>(kept_numbers(k, n))) * roots + 1e-9);
      if (k > 0) nearest = std::max(nearest, errors[k] / roots);
    }
  });
  EXPECT_GT(nearest, 0.8) << "more than any unit moves them";
}

// Of two epochs: with k = 1 both counts are the same, which is likelier without the visit; with k = 2 both coefficients
// move by the same.
double tells_an_event(const CountMatrix& counts) {
  const double sum = counts.series(0)[0] + counts.series(0)[1];
  const double difference = counts.series(0)[0] - counts.series(0)[1];
  return std::fabs(difference) < 1e-9 ? -std::numeric_limits<double>::infinity() : std::min(sum, difference);
}

// One score of two moves, by 0.7 of what it might: no more than 0.68 of epsilon can be seen.
TEST(EfpaTest, AnEvent) {
  try_to_falsify({{"EFPA", {{"epsilon", "2"}, {"unit", "event"}}}}, one_person(2, {0}), tells_an_event, 0.5);
}

// One epoch has one coefficient, which is the count.
TEST(EfpaTest, OneEpochIsPublished) {
  const Prepared town({30, 2, 1, {{0, 0, 0}, {0, 1, 0}, {0, 2, 1}}});
  for (const char* unit : {"event", "user_place", "user"}) {
    const auto efpa = make("EFPA", {{"epsilon", "1e9"}, {"unit", unit}});
    const CountMatrix counts = efpa->apply(town.draft, *publishing_noise()).counts();
    EXPECT_NEAR(counts.series(0)[0], 2, 1e-5);
    EXPECT_NEAR(counts.series(1)[0], 1, 1e-5);
  }
  // There is nothing to choose, so that all of epsilon is for the count.
  try_to_falsify({{"EFPA", {{"epsilon", "2"}, {"unit", "event"}}}}, one_person(1, {0}),
                 [](const CountMatrix& counts) { return counts.series(0)[0]; });
}

// A choice of k by the data, nearly: the noise of errors hides 2 where that of up to two coefficients hides 1.4.
class SharpChoice final : public NoiseSource {
 public:
  explicit SharpChoice(std::size_t repeat) : honest_(paper_noise(12, "falsify", "", repeat)) {}
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override { return honest_->stream(index); }
  double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const override {
    return (sensitivity > 1.9 ? 0.1 : 1) * honest_->noise(bits, sensitivity, epsilon, grid);
  }
  double gaussian(RandomBits& bits, double deviation, double grid) const override {
    return honest_->gaussian(bits, deviation, grid);
  }
  bool discrete() const override { return false; }

 private:
  std::unique_ptr<NoiseSource> honest_;
};

TEST(EfpaTest, AChoiceByTheDataIsFound) {
  const Chain chain = chain_of("EFPA", {{"epsilon", "2"}, {"unit", "event"}});
  const MakeSource sharp = [](std::size_t repeat) { return std::make_unique<SharpChoice>(repeat); };
  EXPECT_GT(epsilon_seen(chain, one_person(2, {0}), tells_an_event, 0, sharp), 2);
}

// What is asked of noise at one place, and no noise at all.
class RequestedNoise final : public NoiseSource {
 public:
  struct Request {
    double sensitivity;
    double epsilon;
  };
  std::unique_ptr<RandomBits> stream(std::uint64_t) const override { return std::make_unique<SeededBits>(1); }
  double noise(RandomBits&, double sensitivity, double epsilon, double) const override {
    requests_.push_back({sensitivity, epsilon});
    return 0;
  }
  double gaussian(RandomBits&, double, double) const override { return 0; }
  bool discrete() const override { return false; }
  const std::vector<Request>& requests() const { return requests_; }

 private:
  mutable std::vector<Request> requests_;
};

// Each error may move by as much as the series, and they are compared, so that it takes twice that; n coefficients by
// root n of it. The choice and the coefficients share epsilon.
TEST(EfpaTest, NoiseIsAskedForAllThatMoves) {
  const Prepared town(busy_town());
  const auto candidates = std::ptrdiff_t{13};  // of 24 epochs
  for (std::size_t u = 0; u < unit_names().size(); ++u) {
    SCOPED_TRACE(unit_names()[u]);
    const double moved = town.draft.reach().roots(static_cast<Unit>(u));
    const RequestedNoise asked;
    make("EFPA", {{"epsilon", "400"}, {"unit", unit_names()[u]}})->apply(town.draft, asked);
    std::size_t most = 0;
    auto next = asked.requests().begin();
    for (std::size_t place = 0; place < town.counts.rois(); ++place) {
      ASSERT_GT(asked.requests().end() - next, candidates);
      const double choice = next->epsilon;
      for (const auto chosen = next + candidates; next != chosen; ++next) {
        EXPECT_GE(next->sensitivity, 2 * moved);
        EXPECT_EQ(next->epsilon, choice);
      }
      const RequestedNoise::Request first = *next;
      std::size_t numbers = 0;
      for (; next != asked.requests().end() && next->sensitivity == first.sensitivity && numbers < 24; ++next)
        ++numbers;
      EXPECT_GE(first.sensitivity, std::sqrt(static_cast<double>(numbers)) * moved);
      EXPECT_LT(first.sensitivity, 1.001 * std::sqrt(static_cast<double>(numbers)) * moved);
      EXPECT_LE(first.epsilon + choice, 400);
      most = std::max(most, numbers);
    }
    EXPECT_EQ(next, asked.requests().end());
    EXPECT_GT(most, 1U);
  }
}

// The grid goes with what is hidden: the noise of a whole user in a large town is still within exact integers.
TEST(EfpaTest, LargeReleasesCanBePublished) {
  const Prepared large(Town{1, 300, 168, {}}, 1);
  const Draft noisy = make("EFPA", {{"epsilon", "1"}, {"unit", "user"}})->apply(large.draft, AsPublished(1));
  double squares = 0;
  for (const double count : noisy.counts().all()) squares += count * count;
  // At places where nobody is, k = 1 is best, and one number of scale 2 r / epsilon is spread over root T'.
  const double scale = 2 * large.draft.reach().roots(Unit::kUser);
  const double deviation = std::sqrt(squares / static_cast<double>(noisy.counts().all().size()));
  EXPECT_GT(deviation, 0.9 * scale * std::sqrt(2.0 / 168));
  EXPECT_LT(deviation, 6 * scale * std::sqrt(2.0 / 168));
}

TEST(EfpaTest, WhatItPromises) {
  const Prepared town(busy_town());
  const Guarantee a_place = make("EFPA", {{"epsilon", "3"}})->guarantee(town.draft);
  EXPECT_EQ(a_place.epsilon, 3);
  EXPECT_EQ(a_place.unit, "a user in one ROI");
  EXPECT_DOUBLE_EQ(*a_place.epsilon_with_null, 6);
  ASSERT_EQ(a_place.others.size(), 5U);
  EXPECT_NEAR(a_place.others[0].epsilon, 3 / std::sqrt(24), 1e-4) << a_place.others[0].unit;
  EXPECT_NEAR(a_place.others[4].epsilon, 3 * 6, 1e-4) << a_place.others[4].unit;
}

// A week of hours at 20 places: most the same at all times, some with the rhythm of the day.
CountMatrix rhythms(std::size_t places, std::size_t with_rhythm) {
  CountMatrix counts(places + 1, 168);
  for (std::size_t place = 0; place < places; ++place) {
    for (std::size_t t = 0; t < 168; ++t) {
      const double phase = 2 * std::numbers::pi * static_cast<double>(t) / 24;
      counts.series(place)[t] =
          std::round(place < with_rhythm ? 3000 + 2000 * std::cos(phase) + 800 * std::cos(2 * phase + 1) : 100);
    }
  }
  return counts;
}

double mean_error(const std::string& name, const Values& values, std::size_t with_rhythm) {
  const std::size_t places = 20;
  const Prepared empty(Town{1, places, 168, {}}, 1);
  const CountMatrix truth = rhythms(places, with_rhythm);
  const Draft draft = empty.draft.with_counts(truth);
  double off = 0;
  for (std::size_t repeat = 0; repeat < 10; ++repeat) {
    const Draft noisy = make(name, values)->apply(draft, *evaluation_noise(9, name, "", repeat));
    for (std::size_t i = 0; i < places * 168; ++i) off += std::fabs(noisy.counts().all()[i] - truth.all()[i]);
  }
  return off / static_cast<double>(10 * places * 168);
}

// FPA has one k for all places: too few for some or too many for others, even the best of all, which is not private to
// look for. Where all places are alike and it is known, FPA needs no half of epsilon to find it.
TEST(EfpaTest, ItIsNearerThanOneKWherePlacesDiffer) {
  const auto fixed = [](const std::string& k, std::size_t with_rhythm) {
    return mean_error("FPA", {{"form", "sound"}, {"k", k}, {"epsilon", "1"}}, with_rhythm);
  };
  const double some = mean_error("EFPA", {{"epsilon", "1"}}, 4);
  for (const char* k : {"1", "8", "15", "20", "85", "best"}) EXPECT_LT(some, 0.6 * fixed(k, 4)) << k;
  const double all = mean_error("EFPA", {{"epsilon", "1"}}, 20);
  for (const char* k : {"1", "8", "85"}) EXPECT_LT(all, 0.6 * fixed(k, 20)) << k;
  EXPECT_GT(all, fixed("15", 20));
}

}  // namespace
}  // namespace hearsay::release
