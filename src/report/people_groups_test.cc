// SPDX-License-Identifier: Apache-2.0
#include "report/people_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace hearsay::report {
namespace {

using testing::HasSubstr;

std::vector<double> counting(std::size_t users) {
  std::vector<double> values(users);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

TEST(PeopleGroups, EqualValuesAreInOneGroup) {
  // 60 people have 3 reports, 20 have 7, 20 have 8 to 27.
  std::vector<double> values(60, 3);
  values.insert(values.end(), 20, 7);
  for (int more = 8; more < 28; ++more) values.push_back(more);
  const PeopleGroups people("activity", "reports", values, 10);
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
    const PeopleGroups people("", "", counting(users), 10);
    std::size_t total = 0;
    for (const Group& group : people.groups()) {
      EXPECT_GE(group.users, 10U) << users;
      total += group.users;
    }
    EXPECT_EQ(total, users);
    EXPECT_LE(people.groups().size(), 10U);
  }
  EXPECT_TRUE(PeopleGroups("", "", counting(9), 10).groups().empty());
  EXPECT_TRUE(PeopleGroups("", "", counting(9), 10).means(counting(9), kLoss).means.empty());
  EXPECT_EQ(PeopleGroups("", "", counting(9), 1).groups().size(), 9U);
}

TEST(PeopleGroups, TheEndsAreNobodysOwnNumbers) {
  const PeopleGroups people("", "", counting(100), 10);
  EXPECT_FALSE(people.groups().front().from);
  EXPECT_FALSE(people.groups().back().to);
  EXPECT_EQ(people.groups().front().to, 9);
  EXPECT_EQ(people.groups().back().from, 90);
}

TEST(PeopleGroups, MeansAreOfWhatWasMeasured) {
  const PeopleGroups people("", "", counting(20), 5);
  std::vector<double> numbers(20, 0.25);
  for (std::size_t user = 0; user < 6; ++user) numbers[user] = std::nan("");
  ASSERT_EQ(people.groups().size(), 3U);
  ASSERT_EQ(people.groups()[0].users, 6U);
  const GroupMeans means = people.means(numbers, kOwnPart);
  EXPECT_FALSE(means.means[0]) << "nobody was measured";
  EXPECT_EQ(means.means[1], 0.25);
  EXPECT_EQ(means.means[2], 0.25);
}

PeopleGroups tens(std::size_t groups) {
  return {"activity", "reports", counting(10 * groups), 10};
}

GroupMeans with_means(const std::vector<double>& by_group, const Compared& compared = kLoss) {
  std::vector<double> numbers;
  for (const double mean : by_group) numbers.insert(numbers.end(), 10, mean);
  return tens(by_group.size()).means(numbers, compared);
}

std::string sentence(const std::vector<double>& by_group, const Compared& compared = kLoss) {
  return whom_sentence({tens(by_group.size())}, {with_means(by_group, compared)}, compared);
}

TEST(PeopleGroups, TheTrendIsThatOfAllGroups) {
  const std::vector<double> rises = {.1, .2, .3, .4, .5, .6, .7, .8, .85, .9};
  EXPECT_EQ(with_means(rises).trend, Trend::kRises);
  EXPECT_EQ(sentence(rises),
            "For whom: the paper's mean loss rises with activity, from 10% (up to 9) to 90% (90 and more), reports.");
  const std::vector<double> falls = {.9, .8, .85, .6, .5, .4, .3, .2, .1, .15};
  EXPECT_EQ(with_means(falls).trend, Trend::kFalls);
  EXPECT_EQ(sentence(falls),
            "For whom: the paper's mean loss falls with activity, with exceptions, from 90% (up to 9) to 10% (80 to "
            "89), reports.");
  // The end groups differ, the others say the opposite.
  const std::vector<double> ends_only = {.1, .8, .7, .6, .5, .4, .3, .25, .2, .9};
  EXPECT_EQ(with_means(ends_only).trend, Trend::kNone);
  EXPECT_EQ(sentence(ends_only),
            "For whom: no clear pattern; in groups by activity the paper's mean loss is between 10% and 90%.");
  EXPECT_EQ(whom_sentence({tens(10), tens(10)}, {with_means(ends_only), with_means(rises)}, kLoss), sentence(rises));
  EXPECT_THAT(sentence({.5, .501, .502, .503}), HasSubstr("much the same for everybody"));
  EXPECT_EQ(whom_sentence({}, {}, kLoss), "");
}

// Own parts are small, and no shares.
TEST(PeopleGroups, OwnPartsAreErrors) {
  EXPECT_EQ(sentence({.001, .002, .003, .004, .005, .006, .007, .008, .009, .011}, kOwnPart),
            "For whom: what being counted costs rises with activity, from 0.0010 (up to 9) to 0.011 (90 and more), "
            "reports.");
  EXPECT_THAT(sentence({.0001, .0002, .0003, .0004}, kOwnPart), HasSubstr("much the same for everybody"));
  EXPECT_THAT(sentence({.00001, .00002}, kOwnPart), HasSubstr("what being counted costs is about 0.0000."));
}

TEST(PeopleGroups, PartsAndTheirMedians) {
  const PeopleGroups groups("x", "y", {6, 5, 4, 3, 2, 1, 0}, 2, 3);
  ASSERT_EQ(groups.groups().size(), 3U);
  EXPECT_EQ(groups.groups().back().users, 3U);
  EXPECT_EQ(groups.medians(std::vector<double>{9, 1, 5, 4, 2, 7, 8}), (std::vector<double>{7.5, 3, 5}));
}

}  // namespace
}  // namespace hearsay::report
