// SPDX-License-Identifier: Apache-2.0
#include "prior/learned_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/errors.h"
#include "prior/learned.h"

namespace hearsay::prior {
namespace {

// Somebody is there where two of four features have the same sign.
Examples products(std::size_t count) {
  Examples examples;
  examples.features = 4;
  std::mt19937 random(1);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, 4> row = {};
    for (double& value : row) value = static_cast<double>(random() % 2001) / 1000 - 1;
    examples.rows.insert(examples.rows.end(), row.begin(), row.end());
    examples.labels.push_back(row[1] * row[3] > 0 ? 1 : 0);
  }
  return examples;
}

TEST(ChanceGridTest, RoundsLogits) {
  const ChanceGrid grid;
  EXPECT_EQ(grid.chance(grid.of_logit(0)), 0.5);
  EXPECT_EQ(grid.chance(grid.of_logit(1.0 / 130)), 0.5);
  EXPECT_EQ(grid.of_logit(1.0 / 64), grid.of_logit(0) + 1);
  EXPECT_NEAR(grid.chance(grid.of_chance(0.01)), 0.01, 0.01 / 128);
  EXPECT_GE(grid.chance(grid.of_logit(-1000)), ChanceGrid::kLeast);
  EXPECT_LT(grid.chance(grid.of_logit(-1000)), 1.02 * ChanceGrid::kLeast);
  EXPECT_LE(grid.chance(grid.of_chance(1)), 1 - ChanceGrid::kLeast);
  EXPECT_EQ(grid.of_chance(-3), 0U);
}

TEST(ProductModelTest, LearnsProducts) {
  const Examples examples = products(2000);
  const ProductModel model(examples);
  std::size_t right = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    right += (model.logit(examples.row(i)) > 0) == (examples.labels[i] == 1) ? 1 : 0;
  }
  EXPECT_GT(right, 1900U);
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  const std::vector<belief::Lesson> lessons = importances(model, examples, names, 1);
  ASSERT_EQ(lessons.size(), 4U);
  EXPECT_GT(lessons[1].importance, 1);
  EXPECT_GT(lessons[3].importance, 1);
  EXPECT_LT(std::fabs(lessons[0].importance), 0.1);
}

// Values in closed form: a polynomial of degree 2 is known from its values at few points.
TEST(ProductModelTest, IsAPolynomialHoweverItIsSplit) {
  const Examples examples = products(500);
  const ProductModel model(examples);
  const std::vector<double> x = {0.3, -0.7, 0.9, 0.2};
  for (std::size_t first = 0; first <= 4; ++first) {
    ProductModel::Rest rest;
    rest.open(model, std::span(x).first(first));
    EXPECT_NEAR(rest.logit(std::span(x).subspan(first)), model.logit(x), 1e-12);
  }
  const auto at = [&](double scale) {
    std::vector<double> scaled = x;
    for (double& value : scaled) value *= scale;
    return model.logit(scaled);
  };
  EXPECT_NEAR(at(3) - 3 * at(2) + 3 * at(1) - at(0), 0, 1e-10);
  EXPECT_GT(std::fabs(at(2) - 2 * at(1) + at(0)), 1e-3);
}

TEST(ProductModelTest, LabelsStandForAsManyAsTheyWereDrawnFrom) {
  Examples examples;
  examples.features = 1;
  for (std::size_t i = 0; i < 2000; ++i) {
    examples.rows.push_back(static_cast<double>(i % 10));
    examples.labels.push_back(i % 2 == 0 ? 1 : 0);
  }
  examples.weights = {9, 1};
  const ProductModel model(examples);
  double sum = 0;
  for (double x = 0; x < 10; ++x) sum += 1 / (1 + std::exp(-model.logit(std::vector{x})));
  EXPECT_NEAR(sum / 10, 0.1, 0.02);
}

TEST(ProductModelTest, OneLabelMakesAConstant) {
  Examples examples = products(99);
  examples.labels.assign(99, 0);
  EXPECT_NEAR(ProductModel(examples).logit(examples.row(3)), std::log(0.5 / 99.5), 1e-12);
  EXPECT_EQ(ProductModel(Examples{4, {}, {}, {1, 1}}).logit(examples.row(3)), 0);
}

TEST(LearnedPeriodTest, TheLastWeekIsLearnedOrHalfOfTheDays) {
  EXPECT_EQ(earlier_part({3600, 600, 336}), 168U);
  EXPECT_EQ(earlier_part({3600, 600, 504}), 336U);
  EXPECT_EQ(earlier_part({3600, 600, 7 * 24 + 3}), 4U * 24 + 3);
  EXPECT_EQ(earlier_part({1800, 600, 96}), 48U);
}

TEST(LearnedPeriodTest, TooShortAPeriodIsRefused) {
  check_learned({1800, 600, 96}, "HISTORY");
  try {
    check_learned({1800, 600, 95}, "HISTORY");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.parameter(), "period.observe");
    EXPECT_THAT(error.what(), testing::HasSubstr("HISTORY"));
    EXPECT_THAT(error.what(), testing::HasSubstr("at least 2 days, 96 epochs"));
  }
}

}  // namespace
}  // namespace hearsay::prior
