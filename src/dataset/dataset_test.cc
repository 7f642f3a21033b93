// SPDX-License-Identifier: Apache-2.0
#include "dataset/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <random>
#include <set>

#include "base/errors.h"
#include "base/table_position.h"
#include "dataset/by_user.h"
#include "dataset/observed_counts.h"
#include "dataset/people.h"
#include "dataset/statistics.h"
#include "dataset/test_shares.h"

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

TEST(DatasetTest, NumbersUsersByIdAndRanksThemByReportsObserved) {
  const Dataset data(three_users(), kCalendar, 0);
  EXPECT_THAT(data.user_ids(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(data.crowd().ranks, ElementsAre(1, 0, 2));
  EXPECT_EQ(data.crowd().users, 3U);
  EXPECT_EQ(data.crowd().rois, 3U);
  const EpochVisits first = data.observation().at(EpochId{0});
  EXPECT_THAT(numbers(first.users), ElementsAre(0, 1));
  EXPECT_EQ(first.rois_of(1).size(), 2U);
  EXPECT_THAT(numbers(data.truth().at(EpochId{0}).users), ElementsAre(2));
  EXPECT_THAT(numbers(data.past().before(EpochId{0}, 1).users), ElementsAre(1));
}

TEST(DatasetTest, UserLimitKeepsTheMostActiveOfTheWholePeriod) {
  const Dataset data(three_users(), kCalendar, 2);
  EXPECT_THAT(data.user_ids(), ElementsAre("a", "b"));  // a and c have one visit each; a comes first
  EXPECT_TRUE(data.truth().at(EpochId{0}).users.empty());
  EXPECT_EQ(data.visits().size(), 4U);
  // c again in the inference period: now more active than a, though never observed.
  ingest::Visits busier = three_users();
  busier.visits.push_back({2, 2, 0});
  EXPECT_THAT(Dataset(busier, kCalendar, 2).user_ids(), ElementsAre("b", "c"));
}

TEST(DatasetTest, AShareKnowsWhoItsUsersAreAmongEverybody) {
  const Dataset all(three_users(), kCalendar, 0);
  std::vector<Dataset> shares = shares_of(all, 2);  // a; b and c
  const Dataset last = std::move(shares.back());
  EXPECT_THAT(last.user_ids(), ElementsAre("b", "c"));
  EXPECT_EQ(last.crowd().users, 2U);
  EXPECT_EQ(last.crowd().people(), 3U);
  EXPECT_EQ(last.crowd().rois, 3U);
  EXPECT_EQ(last.crowd().number_of(UserId{0}), 1U);
  EXPECT_EQ(last.crowd().number_of(UserId{1}), 2U);
  EXPECT_THAT(last.crowd().ranks, ElementsAre(0, 2));
  EXPECT_THAT(numbers(last.observation().at(EpochId{0}).users), ElementsAre(0));
  EXPECT_EQ(last.observation().at(EpochId{0}).rois.size(), 2U);
  EXPECT_THAT(numbers(last.truth().at(EpochId{0}).users), ElementsAre(1));
  EXPECT_EQ(last.truth().crowd().people(), 3U);
  EXPECT_THAT(shares.front().user_ids(), ElementsAre("a"));
  EXPECT_EQ(shares.front().visits().size(), 1U);
  EXPECT_EQ(shares_of(last, 4).size(), 4U);  // two of them empty
  EXPECT_EQ(shares_of(last, 4).front().crowd().people(), 3U);
}

TEST(DatasetTest, ObservedCountsOfSharesAddUp) {
  std::mt19937 random(7);
  ingest::Visits visits;
  for (std::size_t u = 0; u < 20; ++u) visits.users.push_back(std::to_string(100 + u));
  visits.rois = {{"r0", "", {}, {}}, {"r1", "", {}, {}}};
  std::vector<std::uint64_t> expected(4 * 3);
  std::uint64_t total = 0;
  for (std::uint32_t e = 0; e < 6; ++e) {
    for (std::uint32_t u = 0; u < 20; ++u) {
      const unsigned where = random() % 8;  // 1 and 2: one place; 3: both; else null
      for (std::uint32_t s = 0; s < 2; ++s) {
        if (where < 4 && (where >> s & 1U) != 0) visits.visits.push_back({e, u, s});
      }
      if (e >= 4) continue;
      const bool out = where > 0 && where < 4;
      for (std::uint32_t s = 0; s < 2; ++s) {
        expected[e * 3 + s] += out && (where >> s & 1U) != 0 ? 1 : 0;
        total += out && (where >> s & 1U) != 0 ? 1 : 0;
      }
      expected[e * 3 + 2] += out ? 0 : 1;
    }
  }
  const Dataset all(std::move(visits), {3600, 6, 4}, 0);
  for (const std::size_t shares : {1U, 3U, 30U}) {
    ObservedCounts counts{all.calendar(), 0, 3, std::vector<std::uint64_t>(4 * 3), 0};
    for (const Dataset& share : shares_of(all, shares)) {
      counts.add(ObservedCounts::from_bytes(observed_counts(share.observation(), 2).to_bytes()));
    }
    EXPECT_EQ(counts.people, 20U);
    EXPECT_EQ(counts.visits, expected);
    EXPECT_EQ(counts.total, total);
    EXPECT_THAT(counts.at(1), testing::ElementsAreArray(std::span(expected).subspan(3, 3)));
  }
  const ObservedCounts back = ObservedCounts::from_bytes(observed_counts(all.observation()).to_bytes());
  EXPECT_EQ(back.rois, 3U);
  EXPECT_EQ(back.calendar.epochs, 6U);
  EXPECT_EQ(back.calendar.observe, 4U);
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

// 500 users, of whom every seventh has no visit.
ingest::Visits many_users() {
  std::mt19937 random(3);
  ingest::Visits visits;
  for (std::uint32_t user = 0; user < 500; ++user) visits.users.push_back("u" + std::to_string(1000 + user));
  for (std::uint32_t roi = 0; roi < 6; ++roi) visits.rois.push_back({"r" + std::to_string(roi), "", {}, {}});
  for (std::uint32_t epoch = 0; epoch < 20; ++epoch) {
    for (std::uint32_t user = 0; user < 500; ++user) {
      for (std::uint32_t roi = 0; roi < 6; ++roi) {
        if (user % 7 != 0 && random() % 8 == 0) visits.visits.push_back({epoch, user, roi});
      }
    }
  }
  return visits;
}

// User, ROI, epoch: the order in which a user's visits come.
using Walked = std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>>;

TEST(ByUserTest, GivesEveryUserAllItsVisitsOnceInAnyBlocks) {
  const Dataset data(many_users(), {3600, 20, 12}, 0);
  Walked expected;
  for (std::size_t e = 0; e < 20; ++e) {
    const EpochVisits epoch = data.visits().at(static_cast<EpochId>(e));
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      for (const RoiId roi : epoch.rois_of(row)) {
        expected.emplace_back(index_of(epoch.users[row]), index_of(roi), static_cast<std::uint32_t>(e));
      }
    }
  }
  std::sort(expected.begin(), expected.end());
  for (const BlockSizes& blocks : {BlockSizes{}, BlockSizes::all(1), BlockSizes::all(3), BlockSizes::all(16)}) {
    for (const std::size_t threads : {1U, 2U, 3U, 7U}) {
      std::mutex mutex;
      Walked walked;
      std::set<std::size_t> users;
      walk_by_user(
          data.visits(), data.crowd().users, data.crowd().rois, threads,
          [&](std::size_t user, std::span<const OwnVisit> visits) {
            const std::lock_guard lock(mutex);
            EXPECT_TRUE(users.insert(user).second) << user << " comes twice";
            const auto earlier = [](const OwnVisit& a, const OwnVisit& b) {
              return std::tie(a.roi, a.epoch) < std::tie(b.roi, b.epoch);
            };
            EXPECT_TRUE(std::is_sorted(visits.begin(), visits.end(), earlier)) << user;
            for (const OwnVisit& visit : visits) walked.emplace_back(user, visit.roi, visit.epoch);
          },
          blocks);
      std::sort(walked.begin(), walked.end());
      EXPECT_EQ(walked, expected) << blocks.sorted_users << " users at a time, " << threads << " threads";
    }
  }
}

TEST(ByUserTest, StatisticsAreTheSameInAnyBlocks) {
  const Dataset data(many_users(), {3600, 20, 12}, 0);
  const Statistics statistics = describe(data);
  const People people = describe_people(data);
  const Statistics small = describe(data, 3, BlockSizes::all(3));
  const People people_small = describe_people(data, 3, BlockSizes::all(3));
  EXPECT_GT(statistics.rois_per_user.mean, 1);
  EXPECT_EQ(statistics.rois_per_user.mean, small.rois_per_user.mean);
  EXPECT_EQ(statistics.rois_per_user.deviation, small.rois_per_user.deviation);
  EXPECT_EQ(people.reports, people_small.reports);
  EXPECT_EQ(people.rois, people_small.rois);
  EXPECT_EQ(people.regularity, people_small.regularity);
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
