// SPDX-License-Identifier: Apache-2.0
#include "dataset/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.h"
#include "base/table_position.h"
#include "dataset/people.h"
#include "dataset/statistics.h"

namespace hearsay::dataset {
namespace {

using testing::ElementsAre;

// a: epoch 0 in r0; b: epochs 0 and 1 in r0 and r1; c: only in the inference epoch 2, in r1.
ingest::Visits three_users() {
  ingest::Visits visits;
  visits.users = {"a", "b", "c"};
  visits.rois = {{"r0", "", {}, {}}, {"r1", "", {}, {}}};
  visits.visits = {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {2, 2, 1}};
  return visits;
}

constexpr Calendar kCalendar = {3600, 3, 2};

std::vector<std::uint32_t> numbers(std::span<const UserId> users) {
  std::vector<std::uint32_t> list;
  for (const UserId user : users) list.push_back(static_cast<std::uint32_t>(user));
  return list;
}

TEST(DatasetTest, NumbersUsersByReportsObserved) {
  const Dataset data(three_users(), kCalendar, 0);
  EXPECT_THAT(data.user_ids(), ElementsAre("b", "a", "c"));
  EXPECT_EQ(data.crowd().users, 3U);
  EXPECT_EQ(data.crowd().rois, 3U);
  const EpochVisits first = data.observation().at(EpochId{0});
  EXPECT_THAT(numbers(first.users), ElementsAre(0, 1));
  EXPECT_EQ(first.rois_of(0).size(), 2U);
  EXPECT_THAT(numbers(data.truth().at(EpochId{0}).users), ElementsAre(2));
  EXPECT_THAT(numbers(data.past().before(EpochId{0}, 1).users), ElementsAre(0));
}

TEST(DatasetTest, UserLimitKeepsTheMostActiveOfTheWholePeriod) {
  const Dataset data(three_users(), kCalendar, 2);
  EXPECT_THAT(data.user_ids(), ElementsAre("b", "a"));  // a and c have one visit each; a comes first
  EXPECT_TRUE(data.truth().at(EpochId{0}).users.empty());
  EXPECT_EQ(data.visits().size(), 4U);
}

TEST(DatasetTest, RefusesImpossibleCalendars) {
  EXPECT_THROW(Dataset(three_users(), {7000, 3, 2}, 0), ConfigError);
  EXPECT_THROW(Dataset(three_users(), {3600, 3, 3}, 0), ConfigError);
  EXPECT_THROW(Dataset(three_users(), {3600, 3, 0}, 0), ConfigError);
}

TEST(DatasetTest, MoreVisitsThanPositionsAreRefused) {
  const std::vector<std::vector<std::uint64_t>> visits = {
      {ingest::VisitList::key(0, 0), ingest::VisitList::key(0, 1), ingest::VisitList::key(1, 0)},
      {ingest::VisitList::key(0, 0)}};
  const SmallTables enough(3);
  EXPECT_EQ(VisitStore(visits, 1).size(), 4U);  // positions are by epoch
  const SmallTables limit(2);
  EXPECT_THROW(VisitStore(visits, 1), ConfigError);
}

TEST(DatasetTest, MoreVisitsOfAUserThanCanBeCountedAreRefused) {
  const SmallTables limit(2);
  EXPECT_THROW(Dataset(three_users(), kCalendar, 0), ConfigError);  // b has three
}

TEST(StatisticsTest, CountsReports) {
  const Statistics statistics = describe(Dataset(three_users(), kCalendar, 0));
  EXPECT_EQ(statistics.users, 3U);
  EXPECT_EQ(statistics.rois, 2U);
  EXPECT_EQ(statistics.reports, 5U);
  EXPECT_DOUBLE_EQ(statistics.reports_per_user.mean, 5.0 / 3);
  EXPECT_NEAR(statistics.reports_per_user.deviation, 0.942809, 1e-6);  // of 1, 3, 1
  EXPECT_DOUBLE_EQ(statistics.rois_per_user.mean, 4.0 / 3);
  EXPECT_DOUBLE_EQ(statistics.active_epochs_per_user.mean, 4.0 / 3);
  EXPECT_DOUBLE_EQ(statistics.reports_per_roi.mean, 0.5);
  EXPECT_DOUBLE_EQ(statistics.active_epochs_per_roi.mean, 1);
  EXPECT_EQ(statistics.largest_inference_reports, 1U);
}

TEST(PeopleTest, RegularityIsTheShareOfReportsThatRepeatAnEarlierWeek) {
  // Epochs of a day: two weeks observed, two days of the third inferred.
  ingest::Visits visits;
  visits.users = {"a", "b"};
  visits.rois = {{"r0", "", {}, {}}, {"r1", "", {}, {}}};
  // a is in r0 on Mondays; in the third week also in r1, and in r0 on Tuesday. b is never inferred.
  visits.visits = {{0, 0, 0}, {7, 0, 0}, {8, 1, 1}, {14, 0, 0}, {14, 0, 1}, {15, 0, 0}};
  const Dataset data(std::move(visits), {86400, 16, 14}, 0);
  const People people = describe_people(data);
  EXPECT_THAT(data.user_ids(), ElementsAre("a", "b"));
  EXPECT_THAT(people.reports, ElementsAre(5, 1));
  EXPECT_THAT(people.rois, ElementsAre(2, 1));
  EXPECT_NEAR(people.regularity[0], 1.0 / 3, 1e-12);
  EXPECT_EQ(people.regularity[1], 0);
}

TEST(VisitStoreTest, KeepsEmptyEpochs) {
  const VisitStore store(
      {{}, {ingest::VisitList::key(0, 4), ingest::VisitList::key(0, 5), ingest::VisitList::key(2, 4)}, {}}, 2);
  EXPECT_EQ(store.size(), 3U);
  EXPECT_TRUE(store.at(EpochId{0}).users.empty());
  EXPECT_THAT(numbers(store.at(EpochId{1}).users), ElementsAre(0, 2));
  EXPECT_EQ(store.at(EpochId{1}).rois_of(0).size(), 2U);
  EXPECT_TRUE(store.at(EpochId{2}).users.empty());
}

}  // namespace
}  // namespace hearsay::dataset
