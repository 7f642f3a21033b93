// SPDX-License-Identifier: Apache-2.0
#include "base/stage_clock.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace hearsay {
namespace {

TEST(StageClock, GivesTimeAndMemoryByStage) {
  StageClock clock;
  clock.start("large");
  // Straight from the system, so that it is really given back.
  constexpr std::size_t kBytes = 101 << 20;
  void* block = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  munmap(block, kBytes);
  clock.start("small");
  clock.stop();
  ASSERT_EQ(clock.stages().size(), 2U);
  EXPECT_EQ(clock.stages()[0].name, "large");
  EXPECT_GT(clock.stages()[0].seconds, 0);
  EXPECT_GT(clock.stages()[0].peak_bytes, 100ULL << 20);
  EXPECT_EQ(clock.peak_bytes(), clock.stages()[0].peak_bytes);
  EXPECT_GE(clock.seconds(), clock.stages()[0].seconds);
}

}  // namespace
}  // namespace hearsay
