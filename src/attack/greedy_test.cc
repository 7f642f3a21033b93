// SPDX-License-Identifier: Apache-2.0
#include "attack/greedy.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "base/table_position.h"

namespace hearsay::attack {
namespace {

// Four users and two ROIs beside null.
const dataset::Crowd kCrowd{4, 3};

TEST(GreedyTest, MoreCandidatesThanPositionsAreRefused) {
  prior::BeliefTable table;
  for (std::uint32_t user = 0; user < 4; ++user) {
    table.add(UserId{user}, RoiId{0}, 1);
    table.add(UserId{user}, RoiId{1}, 1);
  }
  table.close();
  EXPECT_NO_THROW(prepare_greedy(table.rows(), kCrowd, Order::kByPrior));
  const SmallTables limit(7);
  EXPECT_THROW(prepare_greedy(table.rows(), kCrowd, Order::kByPrior), ConfigError);
}

// Users in common with a background are candidates of every ROI: the assignment may be larger than the prior.
TEST(GreedyTest, MoreAssignmentsThanPositionsAreRefused) {
  prior::BeliefTable table;
  for (std::uint32_t user = 0; user < 4; ++user) table.users.push_back(UserId{user});
  const std::vector<double> weights = {1, 1, 1};
  const prior::Background background{weights, 3};
  const prior::Beliefs prior = table.shared(background);
  const auto made = prepare_greedy(prior, kCrowd, Order::kByPrior);
  const std::vector<double> counts = {4, 4, 4};
  const std::vector<RoiId> rois = {RoiId{0}, RoiId{1}, RoiId{2}};
  const release::EpochCounts epoch{counts, rois, 12};
  Workspace workspace;
  EXPECT_EQ(assign_greedy(prior, *made, epoch, kCrowd, workspace).rois.size(), 12U);
  const SmallTables limit(11);
  EXPECT_THROW(assign_greedy(prior, *made, epoch, kCrowd, workspace), ConfigError);
}

}  // namespace
}  // namespace hearsay::attack
