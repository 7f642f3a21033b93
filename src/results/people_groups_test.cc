// SPDX-License-Identifier: Apache-2.0
#include "results/people_groups.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace hearsay::results {
namespace {

std::vector<double> counting(std::size_t users) {
  std::vector<double> values(users);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

PeopleGroups groups_of(const std::vector<double>& values, std::size_t least) {
  return {"", "", counts_of(values), least};
}

TEST(PeopleGroups, EqualValuesAreInOneGroup) {
  // 60 people have 3 reports, 20 have 7, 20 have 8 to 27.
  std::vector<double> values(60, 3);
  values.insert(values.end(), 20, 7);
  for (int more = 8; more < 28; ++more) values.push_back(more);
  const PeopleGroups people = groups_of(values, 10);
  const std::vector<Group>& groups = people.groups();
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0].users, 60U);
  EXPECT_EQ(groups[0].to, 3);
  EXPECT_EQ(groups[1].users, 20U);
  EXPECT_EQ(groups[1].from, 7);
  EXPECT_EQ(groups[1].to, 7);
  EXPECT_EQ(groups[2].from, 8);
  EXPECT_EQ(groups[3].users, 10U);
}

TEST(PeopleGroups, NoGroupIsSmallerThanTheLeast) {
  for (const std::size_t users : {10U, 19U, 25U, 57U, 99U, 100U, 1234U}) {
    const PeopleGroups people = groups_of(counting(users), 10);
    std::size_t total = 0;
    for (const Group& group : people.groups()) {
      EXPECT_GE(group.users, 10U) << users;
      total += group.users;
    }
    EXPECT_EQ(total, users);
    EXPECT_LE(people.groups().size(), 10U);
  }
  EXPECT_TRUE(groups_of(counting(9), 10).groups().empty());
  EXPECT_TRUE(groups_of(counting(9), 10).groups_of(counting(9)).empty());
  EXPECT_EQ(groups_of(counting(9), 1).groups().size(), 9U);
}

TEST(PeopleGroups, TheEndsAreNobodysOwnNumbers) {
  const PeopleGroups people = groups_of(counting(100), 10);
  EXPECT_FALSE(people.groups().front().from);
  EXPECT_FALSE(people.groups().back().to);
  EXPECT_EQ(people.groups().front().to, 9);
  EXPECT_EQ(people.groups().back().from, 90);
}

TEST(PeopleGroups, MeansAreOfWhatWasMeasured) {
  const PeopleGroups people = groups_of(counting(20), 5);
  std::vector<double> numbers(20, 0.25);
  for (std::size_t user = 0; user < 6; ++user) numbers[user] = std::nan("");
  ASSERT_EQ(people.groups().size(), 3U);
  ASSERT_EQ(people.groups()[0].users, 6U);
  const auto means = group_means(group_sums(people, people.groups_of(counting(20)), numbers), 5);
  EXPECT_FALSE(means[0]) << "nobody was measured";
  EXPECT_EQ(means[1], 0.25);
  EXPECT_EQ(means[2], 0.25);
}

TEST(PeopleGroups, TheGroupOfAUserFollowsFromItsValue) {
  std::mt19937 random(1);
  for (const std::size_t users : {1U, 7U, 100U, 1000U}) {
    std::vector<double> values(users);
    for (double& value : values) value = std::uniform_int_distribution<int>(0, 40)(random);
    const PeopleGroups people = groups_of(values, 1);
    std::vector<std::size_t> counts(people.groups().size());
    for (const double value : values) {
      const std::size_t group = people.group_of(value);
      EXPECT_GE(value, people.groups()[group].from);
      EXPECT_LE(value, people.groups()[group].to);
      ++counts[group];
    }
    for (std::size_t g = 0; g < counts.size(); ++g) EXPECT_EQ(counts[g], people.groups()[g].users);
  }
}

TEST(PeopleGroups, CountsOfSharesAddUp) {
  std::mt19937 random(2);
  std::vector<double> values(500);
  for (double& value : values) value = std::uniform_int_distribution<int>(0, 90)(random) / 7.0;
  std::vector<ValueCount> sum;
  for (std::size_t begin = 0; begin < values.size(); begin += 100) {
    sum = added(sum, counts_of(std::span(values).subspan(begin, 100)));
  }
  const std::vector<ValueCount> all = counts_of(values);
  ASSERT_EQ(sum.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(sum[i].value, all[i].value);
    EXPECT_EQ(sum[i].users, all[i].users);
  }
}

}  // namespace
}  // namespace hearsay::results
