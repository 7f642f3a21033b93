// SPDX-License-Identifier: Apache-2.0
#include "attack/likely_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace hearsay::attack {
namespace {

// Five users and two ROIs beside null.
const dataset::Crowd kNoiseCrowd{5, 3, {}};

belief::RowTable some_rows() {
  belief::RowTable table;
  table.add(UserId{0}, RoiId{0}, 1);
  table.add(UserId{0}, RoiId{2}, 3);
  table.add(UserId{3}, RoiId{0}, 2);
  table.add(UserId{3}, RoiId{1}, 2);
  table.close();
  return table;
}

void expect_counts(const belief::Beliefs& table, const std::vector<double>& people) {
  const std::vector<double> expected = people_of_units(expected_units(table, kNoiseCrowd));
  ASSERT_EQ(expected.size(), people.size());
  for (std::size_t roi = 0; roi < people.size(); ++roi) EXPECT_NEAR(expected[roi], people[roi], 1e-9) << roi;
}

TEST(ExpectedCountsTest, AreTheSumsOfWhatIsBelievedOfEachPerson) {
  const belief::RowTable table = some_rows();
  expect_counts(table.rows(), {0.75, 0.5, 3.75});
  belief::Rows counts = table.rows();
  counts.trials = 10;
  expect_counts(counts, {0.3, 0.2, 3.3});
  expect_counts(table.assignment(), {2, 1, 4});
  const std::vector<UserId> users = {UserId{1}, UserId{4}};
  const std::vector<double> weights = {1, 3, 0};
  expect_counts(belief::Shared{users, {weights, 4}}, {0.5, 1.5, 3});
  expect_counts(belief::Shared{users, {weights, 4}, true}, {1.25, 3.75, 0});
}

TEST(ExpectedCountsTest, OfRatesHaveThoseWithoutAnEntry) {
  belief::RowTable table;
  table.add(UserId{0}, RoiId{0}, 0.5);
  table.add(UserId{0}, RoiId{2}, 0.25);
  table.add(UserId{3}, RoiId{2}, 0.5);
  table.close();
  const std::vector<double> elsewhere = {0.1, 0.2, 0.9};
  expect_counts(table.rates(elsewhere), {0.5 + 4 * 0.1, 5 * 0.2, 0.75 + 3 * 0.9});
}

struct Printed {
  release::CountMatrix counts{3, 2};
  std::vector<release::Missing> missing;
  release::Rule rule;
  release::Geometry geometry = release::Geometry::fine(2, 2);

  release::Published published() const { return {counts, geometry, 5, missing, {}, rule}; }
};

release::CountMatrix read(const Printed& printed, Reads reads, const std::vector<double>& expected) {
  return release::CountMatrix(
      as_read(printed.published(), reads, 5, [&](EpochId) -> const std::vector<double>& { return expected; }).counts());
}

TEST(AsReadTest, OnlyMissingCountsAreOtherThanPrinted) {
  Printed printed;
  const std::vector<double> numbers = {0, 7, 3, 0, 2, 5};  // by place: 0, 1 and null
  std::copy(numbers.begin(), numbers.end(), printed.counts.all().begin());
  EXPECT_FALSE(reads_otherwise(printed.published(), Reads::kPrinted));
  printed.missing = {{0, 0, 0, 2}, {1, 1, 0, 2}};
  EXPECT_TRUE(reads_otherwise(printed.published(), Reads::kPrinted));
  EXPECT_FALSE(reads_otherwise(printed.published(), Reads::kRule));
  const release::CountMatrix counts = read(printed, Reads::kPrinted, {1.5, 4, 0});
  const std::vector<double> likely = {1.5, 7, 3, 2, 2, 5};
  EXPECT_TRUE(std::equal(likely.begin(), likely.end(), counts.all().begin()));
}

TEST(AsReadTest, NoiseIsWeighedAgainstWhatIsExpected) {
  Printed printed;
  printed.rule = {.exact = false, .variance = 12};
  for (double& count : printed.counts.all()) count = 8;
  EXPECT_FALSE(reads_otherwise(printed.published(), Reads::kPrinted));
  EXPECT_TRUE(reads_otherwise(printed.published(), Reads::kLikely));
  const release::CountMatrix counts = read(printed, Reads::kLikely, {3, 11, 0});
  EXPECT_DOUBLE_EQ(counts.series(0)[0], 3 + 4.0 / 16 * 5);    // a variance of 3 and 1, beside 12
  EXPECT_DOUBLE_EQ(counts.series(1)[1], 11 - 12.0 / 24 * 3);  // of 11 and 1
  EXPECT_DOUBLE_EQ(counts.series(2)[0], 1.0 / 13 * 8);
}

// Of a count of several cells together she expects as many as of all of them.
TEST(AsReadTest, CoarseCountsAreExpectedTogether) {
  Printed printed;
  printed.geometry = {1, 1, {0, 0}, {0, 0}};
  printed.counts = release::CountMatrix(2, 1);
  printed.missing = {{0, 0, 0, 9}};
  const release::CountMatrix counts = read(printed, Reads::kPrinted, {0.5, 1.25, 0});
  EXPECT_DOUBLE_EQ(counts.series(0)[0], 3.5);
}

}  // namespace
}  // namespace hearsay::attack
