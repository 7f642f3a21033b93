// SPDX-License-Identifier: Apache-2.0
#include "report/trajectories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "goal/combination.h"

namespace hearsay::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct TriedPaths {
  std::string method = "memory";
  std::string release = goal::kRaw;
  std::string parameter = {};
  double right = 0.3;
  double shuffled = 0.1;
  double right_active = 0.25;
  double shuffled_active = 0.05;
  std::string repeat = "0";
};

std::vector<results::MeasuredGoal> goals_of(const std::vector<TriedPaths>& all, std::size_t people = 20) {
  goal::GoalEntry entry;
  entry.info.name = kTrajectories;
  std::vector<results::MeasuredGoal> goals;
  for (const TriedPaths& one : all) {
    std::vector<std::vector<double>> columns;
    for (const double value : {one.right, one.shuffled, one.right_active, one.shuffled_active}) {
      columns.emplace_back(people, value);
    }
    results::take_measured(
        goals, entry,
        {{{"method", one.method}, {"release", one.release}, {"parameter", one.parameter}, {"repeat", one.repeat, true}},
         goal::Unit::kUser,
         {{"right", columns[0]},
          {"shuffled", columns[1]},
          {"right_active", columns[2]},
          {"shuffled_active", columns[3]}}});
  }
  return goals;
}

TEST(TrajectorySentencesTest, NoneWhereNobodyAsked) {
  EXPECT_THAT(trajectory_sentences({}, 1), IsEmpty());
}

TEST(TrajectorySentencesTest, SayWhatTheBestMethodFoundBesideShuffledPeople) {
  const auto sentences = trajectory_sentences(goals_of({{}, {.method = "published", .right = 0.2}}), 10);
  EXPECT_THAT(
      sentences,
      ElementsAre(
          "Paths: from the counts alone, with no knowledge of anybody, paths of 20 people were rebuilt that are "
          "right 30% of the time; paths with shuffled people are right 10% of it. While people were somewhere, "
          "that is 25% and 5%. The difference is what linking the hours gives away; the rest is there without "
          "it. Whose path it is the counts do not say: each is held against the person whom it fits best, one "
          "to one (method memory)."));
}

TEST(TrajectorySentencesTest, SayWhereNothingWasFound) {
  const auto nothing = trajectory_sentences(
      goals_of({{.right = 0.101, .shuffled = 0.1, .right_active = 0.05, .shuffled_active = 0.05}}), 10);
  ASSERT_THAT(nothing, SizeIs(1));
  EXPECT_THAT(nothing.front(), HasSubstr("So hours could not be linked to whole paths."));
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto nowhere =
      trajectory_sentences(goals_of({{.right = 1, .shuffled = 1, .right_active = none, .shuffled_active = none}}), 10);
  ASSERT_THAT(nowhere, SizeIs(1));
  EXPECT_THAT(nowhere.front(), Not(HasSubstr("While people were somewhere")));
  EXPECT_THAT(nowhere.front(), HasSubstr("could not be linked"));
}

TEST(TrajectorySentencesTest, SayWhatDefencesChangeOverTheirRepeats) {
  const auto sentences = trajectory_sentences(
      goals_of({{},
                {.release = "NOISE", .parameter = "epsilon=1", .right = 0.2, .repeat = "1"},
                {.release = "NOISE", .parameter = "epsilon=1", .right = 0.1, .repeat = "2"},
                {.method = "published", .release = "NOISE", .parameter = "epsilon=1", .right = 0.12, .repeat = "1"}}),
      10);
  ASSERT_THAT(sentences, SizeIs(2));
  EXPECT_EQ(sentences[1],
            "Paths, defended: the share of the time that is right becomes 15% (10% shuffled) with NOISE epsilon=1.");
}

TEST(TrajectorySentencesTest, HoldBackWhatFewPeopleAreIn) {
  const auto sentences = trajectory_sentences(goals_of({{}}, 9), 10);
  EXPECT_THAT(sentences, ElementsAre("Paths: there are fewer than 10 people, too few to tell of "
                                     "(results.least_people)."));
}

}  // namespace
}  // namespace hearsay::report
