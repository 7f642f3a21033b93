// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "base/errors.h"
#include "base/logistic_regression.h"
#include "membership/test_practice.h"

namespace hearsay::membership {
namespace {

constexpr double kNotPublished = std::numeric_limits<double>::quiet_NaN();

// Straight from the definitions, place by place.
std::vector<double> plain_features(const Question& question, const Target& target, const std::vector<double>& counts) {
  std::vector<double> features;
  for (std::size_t place = 0; place < question.grid.places; ++place) {
    std::vector<double> series;
    for (std::size_t epoch = 0; epoch < question.grid.epochs; ++epoch) {
      const double count = counts[place * question.grid.epochs + epoch];
      if (target.knows(epoch)) series.push_back(std::isnan(count) ? 0 : count);
    }
    std::sort(series.begin(), series.end());
    const auto n = static_cast<double>(series.size());
    const double sum = std::accumulate(series.begin(), series.end(), 0.0);
    double variance = 0;
    for (const double count : series) variance += (count - sum / n) * (count - sum / n) / n;
    const double median = (series[(series.size() - 1) / 2] + series[series.size() / 2]) / 2;
    for (const double value : {variance, series.front(), series.back(), median, sum / n, std::sqrt(variance), sum}) {
      features.push_back(value);
    }
  }
  return features;
}

std::vector<double> changed_counts(std::vector<double> counts, const std::vector<Changed>& changed) {
  for (const auto& [cell, count] : changed) counts[cell] = count;
  return counts;
}

TEST(Logistic, FindsTheSideOfALine) {
  std::vector<double> rows;
  std::vector<std::uint8_t> labels;
  SeededBits bits(1);
  for (int i = 0; i < 200; ++i) {
    const double x = bits.unit() * 10;
    rows.insert(rows.end(), {x, 4, bits.unit()});
    labels.push_back(x > 5 ? 1 : 0);
  }
  for (const Penalty penalty : {Penalty::kAbsolute, Penalty::kSquare}) {
    const LinearModel model = fit_logistic(rows, labels, penalty, 1);
    ASSERT_EQ(model.weights.size(), 3U);
    EXPECT_GT(model.weights[0], 0);
    EXPECT_EQ(model.weights[1], 0);
    EXPECT_NEAR(-(model.intercept + 0.5 * model.weights[2]) / model.weights[0], 5, 0.2);
  }
  std::vector<std::uint8_t> turned = labels;
  for (std::uint8_t& label : turned) label = 1 - label;
  EXPECT_LT(fit_logistic(rows, turned, Penalty::kSquare, 1).weights[0], 0);
}

TEST(Logistic, LeavesRandAsItWas) {
  const std::vector<double> rows = {1, 2, 3, 4, 2, 1, 0, 3};
  const std::vector<std::uint8_t> labels = {1, 1, 0, 0};
  std::srand(5);
  const int first = std::rand();
  const int second = std::rand();
  std::srand(5);
  EXPECT_EQ(std::rand(), first);
  const LinearModel one = fit_logistic(rows, labels, Penalty::kAbsolute, 1);
  EXPECT_EQ(std::rand(), second);
  EXPECT_EQ(fit_logistic(rows, labels, Penalty::kAbsolute, 1).weights, one.weights);
}

// The decision value on plain features, fitted on plain features.
TEST(Learned, ScoresLikeThePlainFormula) {
  for (const std::size_t epochs : {5U, 6U}) {
    Town town(6, epochs, 40, 8, 0.2);
    const std::vector<Presence> trace = presences(town.people[3]);
    std::vector<std::uint8_t> known(epochs, 1);
    known[1] = 0;
    const Target target{trace, known};
    const TownPractice practice(town, town.people[3], 20);
    std::vector<double> rows;
    std::vector<std::uint8_t> labels;
    std::vector<double> counts(town.question.grid.cells());
    for (std::size_t row = 0; row < 40; ++row) {
      practice.group(row / 2, row % 2 == 0, counts);
      const std::vector<double> features = plain_features(town.question, target, counts);
      rows.insert(rows.end(), features.begin(), features.end());
      labels.push_back(row % 2 == 0 ? 1 : 0);
    }
    const LinearModel model = fit_logistic(rows, labels, Penalty::kSquare, 0.5);

    const auto learned = make_distinguisher("LEARNED", town.question, {{"cost", "0.5"}});
    const auto lesson = learned->learn(target, practice);
    const auto reader = learned->reader();
    counts = town.counts(1234, nullptr);
    counts[2] = kNotPublished;
    counts[epochs] = 1.5;
    reader->open(counts);
    const std::vector<double> features = plain_features(town.question, target, counts);
    const double plain = std::inner_product(features.begin(), features.end(), model.weights.begin(), model.intercept);
    EXPECT_NEAR(scored(*reader, target, {}, lesson.get()), plain, 1e-9);
  }
}

TEST(Learned, ChangedCountsScoreAsIfOpened) {
  for (const char* name : {"LEARNED", "ZERO_KNOWLEDGE"}) {
    Town town(6, 6, 40, 8, 0.2);
    const Trace& target = town.people[3];
    const TownPractice practice(town, target, 20);
    const auto distinguisher = make_distinguisher(name, town.question);
    const std::vector<Presence> trace = presences(target);
    const std::vector<std::uint8_t> all_but_one = {1, 1, 0, 1, 1, 1};
    const Target whole{trace};
    const Target part{trace, all_but_one};
    const auto lesson = distinguisher->learn(part, practice);
    const auto reader = distinguisher->reader();
    SeededBits bits(3);
    for (std::uint64_t trial = 0; trial < 50; ++trial) {
      const std::vector<double> counts = town.counts(trial, trial % 2 == 0 ? &target : nullptr);
      std::vector<Changed> changed;
      for (std::uint32_t cell = 0; cell < counts.size(); ++cell) {
        if (bits.below(5) == 0) changed.push_back({cell, bits.below(9) == 0 ? kNotPublished : counts[cell] + 1});
      }
      reader->open(counts);
      const double score = scored(*reader, part, changed, lesson.get());
      const double score_of_whole = scored(*reader, whole, changed, lesson.get());
      const std::vector<double> other = changed_counts(counts, changed);
      reader->open(other);
      EXPECT_EQ(score, scored(*reader, part, {}, lesson.get())) << name;
      EXPECT_EQ(score_of_whole, scored(*reader, whole, {}, lesson.get())) << name;
    }
  }
}

// LEARNED sees places and not cells, so it takes places of her own.
TEST(Learned, TellsAPersonWhoIsAlone) {
  Town town(8, 6, 60, 10, 0.1);
  const Trace target = {0, 3, 20};
  for (Trace& trace : town.people) {
    std::erase_if(trace, [](std::uint32_t cell) { return cell / 6 == 0 || cell / 6 == 3; });
  }
  const TownPractice practice(town, target, 100);
  for (const char* name : {"LEARNED", "ZERO_KNOWLEDGE"}) {
    EXPECT_GT(play(town, target, practice, *make_distinguisher(name, town.question), 100).auc(), 0.99) << name;
  }
}

TEST(Learned, DoesNotTellWhoNeverDiffers) {
  Town town(8, 6, 60, 10, 0.1);
  for (Trace& trace : town.people) trace = town.people[0];
  const TownPractice practice(town, town.people[0], 100);
  EXPECT_EQ(play(town, town.people[0], practice, *make_distinguisher("LEARNED", town.question), 50).auc(), 0.5);
  const GameScores made_up =
      play(town, town.people[0], practice, *make_distinguisher("ZERO_KNOWLEDGE", town.question), 50);
  EXPECT_EQ(made_up.auc(), 0.5);
}

TEST(Learned, LearnsThroughNoise) {
  Town town(8, 6, 60, 10, 0.05);
  town.question.rule.variance = 0.5;
  const Trace target = {0, 3, 5, 9, 14, 20, 22, 30, 31, 40};
  const TownPractice practice(town, target, 200);
  EXPECT_GT(play(town, target, practice, *make_distinguisher("ZERO_KNOWLEDGE", town.question), 100).auc(), 0.9);
}

TEST(Learned, ThreadsChangeNothing) {
  const Town town(8, 6, 60, 10, 0.1);
  for (const char* name : {"LEARNED", "ZERO_KNOWLEDGE"}) {
    const auto distinguisher = make_distinguisher(name, town.question);
    const auto found = [&](std::size_t threads) {
      std::vector<GameScores> scores(8);
      std::vector<std::jthread> workers;
      for (std::size_t worker = 0; worker < threads; ++worker) {
        workers.emplace_back([&, worker] {
          for (std::size_t i = worker; i < scores.size(); i += threads) {
            const TownPractice practice(town, town.people[i], 30);
            scores[i] = play(town, town.people[i], practice, *distinguisher, 10);
          }
        });
      }
      workers.clear();
      return scores;
    };
    const std::vector<GameScores> alone = found(1);
    const std::vector<GameScores> together = found(4);
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(alone[i].with, together[i].with) << name;
      EXPECT_EQ(alone[i].without, together[i].without) << name;
    }
  }
}

TEST(Learned, RefusesWhatCannotBe) {
  const Town town(8, 6, 60, 10, 0.1);
  const auto refuse = [&](const char* name, const char* parameter, const char* value) {
    EXPECT_THROW(make_distinguisher(name, town.question, {{parameter, value}}), ConfigError) << parameter << value;
  };
  refuse("LEARNED", "cost", "0");
  refuse("LEARNED", "cost", "-1");
  refuse("ZERO_KNOWLEDGE", "cost", "0");
  refuse("ZERO_KNOWLEDGE", "groups", "1");
  refuse("ZERO_KNOWLEDGE", "groups", "10000000");
  refuse("ZERO_KNOWLEDGE", "people", "0");
  refuse("ZERO_KNOWLEDGE", "people", "many");
}

TEST(Learned, SaysWhatItIs) {
  EXPECT_TRUE(named_entry("LEARNED").needs_groups);
  EXPECT_FALSE(named_entry("ZERO_KNOWLEDGE").needs_groups);
  for (const char* name : {"LEARNED", "ZERO_KNOWLEDGE"}) {
    EXPECT_TRUE(named_entry(name).takes_noise);
  }
}

// Nothing is learned where there is no group to practise on.
TEST(Learned, HasNothingToSayWithoutGroups) {
  const Town town(3, 4, 20, 5, 0.3);
  const TownPractice practice(town, town.people[0], 0);
  const GameScores scores = play(town, town.people[0], practice, *make_distinguisher("LEARNED", town.question), 5);
  EXPECT_THAT(scores.with, testing::Each(0.0));
  EXPECT_THAT(scores.without, testing::Each(0.0));
}

TEST(Synthetic, TrueCountsRuleTheTargetOut) {
  Town town(3, 4, 20, 5, 0.3);
  const Trace target = {1, 6};
  const TownPractice practice(town, target, 10);
  const auto distinguisher = make_distinguisher("ZERO_KNOWLEDGE", town.question);
  const std::vector<Presence> trace = presences(target);
  const Target known{trace};
  const auto lesson = distinguisher->learn(known, practice);
  const auto reader = distinguisher->reader();
  std::vector<double> counts(12, 2);
  reader->open(counts);
  EXPECT_TRUE(std::isfinite(scored(*reader, known, {}, lesson.get())));
  const std::vector<Changed> nobody = {{6, 0}};
  EXPECT_TRUE(std::isinf(scored(*reader, known, nobody, lesson.get())));
  const std::vector<Changed> everybody = {{7, 5}};
  EXPECT_TRUE(std::isinf(scored(*reader, known, everybody, lesson.get())));
  const std::vector<std::uint8_t> not_then = {1, 1, 1, 0};
  EXPECT_TRUE(std::isfinite(scored(*reader, Target{trace, not_then}, everybody, lesson.get())));
  const std::vector<Changed> hers = {{6, 5}};
  EXPECT_TRUE(std::isfinite(scored(*reader, known, hers, lesson.get())));
  const std::vector<Presence> habits = {{1, 0.5}, {6, 0.5}};
  EXPECT_TRUE(std::isfinite(scored(*reader, Target{habits}, nobody, lesson.get())));
}

}  // namespace
}  // namespace hearsay::membership
