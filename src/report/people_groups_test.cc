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

results::PeopleGroups tens(std::size_t groups) {
  return {"activity", "reports", results::counts_of(counting(10 * groups)), 10};
}

GroupMeans with_means(const std::vector<double>& by_group, const Compared& compared = kLoss) {
  return with_trend({by_group.begin(), by_group.end()}, compared);
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
  const std::vector<double> values = {6, 5, 4, 3, 2, 1, 0};
  const results::PeopleGroups groups("x", "y", results::counts_of(values), 2, 3);
  ASSERT_EQ(groups.groups().size(), 3U);
  EXPECT_EQ(groups.groups().back().users, 3U);
  EXPECT_EQ(group_medians(groups, values, std::vector<double>{9, 1, 5, 4, 2, 7, 8}), (std::vector<double>{7.5, 3, 5}));
}

}  // namespace
}  // namespace hearsay::report
