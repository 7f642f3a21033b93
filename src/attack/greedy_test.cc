// SPDX-License-Identifier: Apache-2.0
#include "attack/greedy.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hearsay::attack
