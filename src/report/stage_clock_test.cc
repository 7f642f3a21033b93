// SPDX-License-Identifier: Apache-2.0
#include "report/stage_clock.h"

#include <gtest/gtest.h>

#include <numeric>

namespace hearsay::report {
namespace {

TEST(StageClock, GivesTimeAndMemoryByStage) {
  StageClock clock;
  clock.start("large");
  {
    std::vector<char> block(100 << 20, 1);
    EXPECT_GT(std::accumulate(block.begin(), block.end(), 0), 0);
  }
  clock.start("small");
  clock.stop();
  ASSERT_EQ(clock.stages().size(), 2U);
  EXPECT_EQ(clock.stages()[0].name, "large");
  EXPECT_GT(clock.stages()[0].seconds, 0);
  EXPECT_GT(clock.stages()[0].peak_bytes, 100ULL << 20);
  EXPECT_EQ(clock.peak_bytes(), clock.stages()[0].peak_bytes);
  EXPECT_GE(clock.seconds(), clock.stages()[0].seconds);
}

TEST(StageClock, KnowsHowMuchMemoryThereIs) {
  EXPECT_GT(available_memory_bytes(), 1ULL << 26);
}

}  // namespace
}  // namespace hearsay::report
