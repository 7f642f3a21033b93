// SPDX-License-Identifier: Apache-2.0
#include "report/people_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  const Grouping grouping = group_people("activity", "reports", values, std::vector<double>(100, 0.5), 10);
  ASSERT_EQ(grouping.groups.size(), 4U);
  EXPECT_EQ(grouping.groups[0].users, 60U);
  EXPECT_EQ(grouping.groups[0].to, 3);
  EXPECT_EQ(grouping.groups[1].users, 20U);
  EXPECT_EQ(grouping.groups[1].from, 7);
  EXPECT_EQ(grouping.groups[1].to, 7);
  EXPECT_EQ(grouping.groups[2].from, 8);
  EXPECT_EQ(grouping.groups[3].users, 10U);
}

TEST(PeopleGroups, NoGroupIsSmallerThanTheLeast) {
  for (const std::size_t users : {10U, 19U, 25U, 57U, 99U, 100U, 1234U}) {
    const Grouping grouping = group_people("", "", counting(users), counting(users), 10);
    std::size_t total = 0;
    for (const Group& group : grouping.groups) {
      EXPECT_GE(group.users, 10U) << users;
      total += group.users;
    }
    EXPECT_EQ(total, users);
    EXPECT_LE(grouping.groups.size(), 10U);
  }
  EXPECT_TRUE(group_people("", "", counting(9), counting(9), 10).groups.empty());
  EXPECT_EQ(group_people("", "", counting(9), counting(9), 1).groups.size(), 9U);
}

TEST(PeopleGroups, TheEndsAreNobodysOwnNumbers) {
  const Grouping grouping = group_people("", "", counting(100), counting(100), 10);
  EXPECT_FALSE(grouping.groups.front().from);
  EXPECT_FALSE(grouping.groups.back().to);
  EXPECT_EQ(grouping.groups.front().to, 9);
  EXPECT_EQ(grouping.groups.back().from, 90);
}

Grouping with_losses(const std::vector<double>& by_group) {
  std::vector<double> losses;
  for (const double loss : by_group) losses.insert(losses.end(), 10, loss);
  return group_people("activity", "reports", counting(losses.size()), losses, 10);
}

TEST(PeopleGroups, TheTrendIsThatOfAllGroups) {
  const Grouping rises = with_losses({.1, .2, .3, .4, .5, .6, .7, .8, .85, .9});
  EXPECT_EQ(rises.trend, Trend::kRises);
  EXPECT_EQ(whom_sentence({rises}),
            "For whom: the mean loss rises with activity, from 10% (up to 9) to 90% (90 and more), reports.");
  const Grouping falls = with_losses({.9, .8, .85, .6, .5, .4, .3, .2, .1, .15});
  EXPECT_EQ(falls.trend, Trend::kFalls);
  EXPECT_EQ(whom_sentence({falls}),
            "For whom: the mean loss falls with activity, with exceptions, from 90% (up to 9) to 10% (80 to 89), "
            "reports.");
  // The end groups differ, the others say the opposite.
  const Grouping ends_only = with_losses({.1, .8, .7, .6, .5, .4, .3, .25, .2, .9});
  EXPECT_EQ(ends_only.trend, Trend::kNone);
  EXPECT_EQ(whom_sentence({ends_only}),
            "For whom: no clear pattern; in groups by activity the mean loss is between 10% and 90%.");
  EXPECT_EQ(whom_sentence({ends_only, rises}), whom_sentence({rises}));
  EXPECT_THAT(whom_sentence({with_losses({.5, .501, .502, .503})}), HasSubstr("much the same for everybody"));
  EXPECT_EQ(whom_sentence({}), "");
}

}  // namespace
}  // namespace hearsay::report
