// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stop_token>
#include <vector>

#include "base/errors.h"
#include "base/stop_scope.h"

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

// The loops inside are started by helper threads, which never saw the scope themselves.
TEST(ParallelTest, ARequestToStopEndsLoopsWithinLoops) {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    std::stop_source source;
    const StopScope scope(source.get_token());
    std::atomic<int> calls{0};
    const auto inner = [&](std::size_t, std::size_t) {
      if (++calls == 10) source.request_stop();
    };
    const auto outer = [&](std::size_t, std::size_t) { parallel_for(1000, threads, inner); };
    EXPECT_THROW(parallel_for(100, threads, outer), Cancelled);
    EXPECT_LT(calls, 100);
  }
}

TEST(ParallelTest, AScopeEndsWithItsBlock) {
  std::stop_source source;
  source.request_stop();
  int calls = 0;
  const auto count = [&](std::size_t, std::size_t) { ++calls; };
  {
    const StopScope scope(source.get_token());
    EXPECT_THROW(parallel_for(3, 1, count), Cancelled);
    {
      const StopScope inner(std::stop_token{});
      parallel_for(3, 1, count);
    }
    EXPECT_THROW(parallel_for(3, 1, count), Cancelled);
  }
  parallel_for(3, 1, count);
  EXPECT_EQ(calls, 6);
}

}  // namespace
}  // namespace hearsay
