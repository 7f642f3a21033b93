// SPDX-License-Identifier: Apache-2.0
#include "attack/greedy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/errors.h"
#include "base/table_position.h"

namespace hearsay::attack {
namespace {

// Four users and two ROIs beside null.
const dataset::Crowd kCrowd{4, 3, {}};
const GreedyAttack kAttack{GreedyRule{}};

TEST(GreedyTest, MoreCandidatesThanPositionsAreRefused) {
  belief::RowTable table;
  for (std::uint32_t user = 0; user < 4; ++user) {
    table.add(UserId{user}, RoiId{0}, 1);
    table.add(UserId{user}, RoiId{1}, 1);
  }
  table.close();
  EXPECT_NO_THROW(kAttack.summarise(table.rows(), kCrowd));
  const SmallTables limit(6);
  EXPECT_THROW(kAttack.summarise(table.rows(), kCrowd), ConfigError);
}

// Users in common with a background are candidates of every ROI: the assignment may be larger than the prior.
TEST(GreedyTest, MoreAssignmentsThanPositionsAreRefused) {
  const std::vector<UserId> users = {UserId{0}, UserId{1}, UserId{2}, UserId{3}};
  const std::vector<double> weights = {1, 1, 1};
  const belief::Beliefs prior = belief::Shared{users, {weights, 3}};
  const std::vector<double> counts = {4, 4, 4};
  const std::vector<RoiId> rois = {RoiId{0}, RoiId{1}, RoiId{2}};
  const release::EpochCounts epoch{counts, rois, 12};
  const auto plan = kAttack.plan_places(*kAttack.summarise(prior, kCrowd), epoch, {0, kCrowd.rois}, kCrowd);
  Workspace workspace;
  const auto assign = [&] {
    kAttack.enter_table(prior, {UserId{0}, UserId{4}}, 1, kCrowd, workspace);
    return std::get<belief::Assignment>(
        kAttack.infer_epoch(prior, {UserId{0}, UserId{4}}, epoch, plan.get(), kCrowd, workspace));
  };
  EXPECT_EQ(assign().rois.size(), 12U);
  const SmallTables limit(11);
  EXPECT_THROW(assign(), ConfigError);
}

// Ranges that are summarised apart and put together are one.
TEST(GreedyTest, SummariesOfRangesAddUp) {
  belief::RowTable table;
  for (std::uint32_t user = 0; user < 4; ++user) {
    table.add(UserId{user}, RoiId{user % 2}, user + 1);
    table.add(UserId{user}, RoiId{2}, 1);
  }
  table.close();
  const std::vector<double> counts = {1, 2, 3};
  const std::vector<RoiId> rois = {RoiId{0}, RoiId{1}, RoiId{2}};
  const release::EpochCounts epoch{counts, rois, 6};
  Workspace workspace;
  const auto assigned = [&](const Summary& everybody) {
    const auto plan = kAttack.plan_places(everybody, epoch, {0, kCrowd.rois}, kCrowd);
    kAttack.enter_table(table.rows(), {UserId{0}, UserId{4}}, 1, kCrowd, workspace);
    const auto made = std::get<belief::Assignment>(
        kAttack.infer_epoch(table.rows(), {UserId{0}, UserId{4}}, epoch, plan.get(), kCrowd, workspace));
    return std::pair(std::vector<UserId>(made.users.begin(), made.users.end()),
                     std::vector<RoiId>(made.rois.begin(), made.rois.end()));
  };
  const auto part = [&](std::uint32_t begin, std::uint32_t end) {
    return kAttack.summarise(belief::of_range(table.rows(), {UserId{begin}, UserId{end}}), kCrowd);
  };
  const auto whole = part(0, 4);
  const auto in_parts = part(0, 1);
  in_parts->add(part(1, 3));
  in_parts->add(part(3, 4));
  EXPECT_EQ(assigned(*whole), assigned(*in_parts));
}

// A few people in a few places, by chance; some in no row.
class GreedyParts : public testing::TestWithParam<GreedyRule> {
 protected:
  static constexpr std::size_t kUsers = 12;
  static constexpr std::size_t kRois = 5;  // and null

  GreedyParts() {
    for (std::uint32_t user = 0; user < kUsers; ++user) {
      ranks_.push_back((user * 7 + 3) % kUsers);
      if (below(5) == 0) continue;
      for (std::uint32_t roi = 0; roi < kRois; ++roi) {
        if (below(2) == 0) table_.add(UserId{user}, RoiId{roi}, 1 + below(3));
      }
      table_.add(UserId{user}, RoiId{kRois}, 1 + below(2));
    }
    table_.close();
    crowd_ = {kUsers, kRois + 1, ranks_};
  }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  // Summaries of ranges of users and places, by way of their bytes.
  std::unique_ptr<Summary> travelled(const Summary& summary, PlaceRange places) const {
    BytesWriter writer;
    summary.write(places, writer);
    const std::string bytes = writer.take();
    BytesReader reader(bytes);
    return attack_.read_summary(reader);
  }
  std::unique_ptr<Summary> everybody(PlaceRange places) const {
    const auto part = [&](std::uint32_t begin, std::uint32_t end) {
      return travelled(*attack_.summarise(belief::of_range(table_.rows(), {UserId{begin}, UserId{end}}), crowd_),
                       places);
    };
    auto all = part(7, kUsers);
    all->add(part(0, 4));
    all->add(part(4, 7));
    return all;
  }
  // The places of each user, null among them.
  std::vector<std::vector<RoiId>> assigned(const Plan& plan, const release::EpochCounts& counts) {
    Workspace workspace;
    attack_.enter_table(table_.rows(), {UserId{0}, UserId{kUsers}}, 1, crowd_, workspace);
    const auto made = std::get<belief::Assignment>(
        attack_.infer_epoch(table_.rows(), {UserId{0}, UserId{kUsers}}, counts, &plan, crowd_, workspace));
    std::vector<std::vector<RoiId>> places(kUsers);
    for (std::size_t row = 0; row < made.users.size(); ++row) {
      const auto rois = made.rois_of(row);
      places[index_of(made.users[row])].assign(rois.begin(), rois.end());
    }
    for (std::size_t user = 0; user < kUsers; ++user) {
      for (std::size_t roi = 0; roi < made.limits.size(); ++roi) {
        if (made.limits[roi] > made.place_of(static_cast<UserId>(user)))
          places[user].push_back(static_cast<RoiId>(roi));
      }
      std::sort(places[user].begin(), places[user].end());
    }
    return places;
  }

  std::mt19937 random_{5};
  GreedyAttack attack_{GetParam()};
  std::vector<std::uint32_t> ranks_;
  belief::RowTable table_;
  dataset::Crowd crowd_;
};

TEST_P(GreedyParts, RangesOfPlacesAndPersonsPlanAsEverybodyDoes) {
  const std::vector<PlaceRange> ranges = {{0, 2}, {2, 3}, {3, kRois + 1}};
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> dense;
    std::vector<RoiId> rois;
    for (std::uint32_t roi = 0; roi <= kRois; ++roi) {
      dense.push_back(below(kUsers + 3));
      if (dense.back() > 0) rois.push_back(RoiId{roi});
    }
    const release::EpochCounts counts{dense, rois, 0};
    const auto whole = attack_.plan_places(*attack_.summarise(table_.rows(), crowd_), counts, {0, kRois + 1}, crowd_);
    const auto expected = assigned(*whole, counts);
    std::vector<std::string> parts;
    for (const PlaceRange& range : ranges) {
      BytesWriter bytes;
      attack_.plan_places(*everybody(range), counts, range, crowd_)->write(bytes);
      parts.push_back(bytes.take());
    }
    const std::vector<std::string_view> views(parts.begin(), parts.end());
    EXPECT_EQ(assigned(*attack_.read_plan(views, crowd_), counts), expected) << trial;
    for (std::uint32_t user = 0; user < kUsers; ++user) {
      const PersonKey person{user, ranks_[user]};
      std::vector<std::string> standing;
      for (const PlaceRange& range : ranges) {
        BytesWriter bytes;
        everybody(range)->write_person(person, range, bytes);
        standing.push_back(bytes.take());
      }
      const std::vector<std::string_view> own(standing.begin(), standing.end());
      const auto alone = attack_.plan_places(*attack_.read_person(person, own), counts, {0, kRois + 1}, crowd_);
      EXPECT_EQ(assigned(*alone, counts)[user], expected[user]) << trial << " user " << user;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, GreedyParts,
                         testing::Values(GreedyRule{}, GreedyRule{.by_reports = true},
                                         GreedyRule{.by_probability = false, .by_reports = true, .beyond = false}));

}  // namespace
}  // namespace hearsay::attack
