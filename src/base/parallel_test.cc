// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <vector>

namespace hearsay {
namespace {

TEST(ParallelTest, EveryIndexOnce) {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    std::vector<std::atomic<int>> seen(1000);
    parallel_for(seen.size(), threads, [&](std::size_t index, std::size_t worker) {
      EXPECT_LT(worker, threads);
      ++seen[index];
    });
    for (const auto& count : seen) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelTest, MemoryThatGivesOutInAWorkerReachesTheCaller) {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    std::atomic<int> calls{0};
    const auto fail = [&](std::size_t index, std::size_t) {
      ++calls;
      if (index >= 3) throw std::bad_alloc();
    };
    EXPECT_THROW(parallel_for(100000, threads, fail), std::bad_alloc);
    EXPECT_LT(calls, 100000);
  }
}

}  // namespace
}  // namespace hearsay
