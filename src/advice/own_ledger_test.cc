// SPDX-License-Identifier: Apache-2.0
#include "advice/own_ledger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hearsay::advice {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Five people, of whom three were measured and two of these taken out.
TEST(OwnLedgerTest, CountsThosePeopleWhoWereMeasured) {
  goal::AdversarySpec adversary;
  adversary.attacks = attack::all_attacks();
  OwnLedger ledger(adversary);
  const std::vector<double> with = {kNone, 0.5, 0.75, kNone, 1.0};
  const std::vector<double> without = {kNone, 1.0, kNone, kNone, 1.25};
  const std::vector<double> worse = {kNone, 2, 2, kNone, 2};
  goal::Combination combination;
  combination.goal = "profiling";
  combination.prior = "FREQ_ROI";
  combination.attack = "BAYES";
  combination.release = "LAPLACE";
  combination.parameter = "epsilon=1";
  combination.repeat = 1;
  ledger.take({goal::key_of(combination), goal::Unit::kUser, {{"error", with}, {"without", without}}});
  goal::Combination ignoring = combination;
  ignoring.attack = "PRIOR";
  ignoring.release = goal::kRaw;
  ignoring.parameter = "";
  ignoring.repeat = 0;
  ledger.take({goal::key_of(ignoring), goal::Unit::kUser, {{"error", worse}}});
  ledger.take({goal::key_of(combination), goal::Unit::kEpoch, {{"error", with}}});  // not by user
  const std::vector<OwnPart> parts = ledger.parts();
  ASSERT_EQ(parts.size(), 1U);
  // They differ by 0.5 and 0.25, which is added to the mean of the three.
  EXPECT_DOUBLE_EQ(parts[0].share, 0.375 / (0.75 + 0.375));
  EXPECT_EQ(parts[0].people, 2U);
  // A deviation of 0.125 * sqrt(2), over two of five people.
  EXPECT_NEAR(parts[0].half_width, 1.959963984540054 * 0.125 * std::sqrt(0.6) / 1.125, 1e-12);
  EXPECT_EQ(own_loss_of(parts, "LAPLACE", "epsilon=1").people, 2U);
}

}  // namespace
}  // namespace hearsay::advice
