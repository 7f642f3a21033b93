// SPDX-License-Identifier: Apache-2.0
#include "base/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace hearsay {
namespace {

TEST(RadixSortTest, SortsWhateverBitsDiffer) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> scratch;
  for (const std::uint64_t mask : {~0ULL, 0xffULL, 0xfffff00000ULL, 1ULL << 63, 0x8000000000000001ULL, 0ULL}) {
    for (const std::size_t size : {0U, 1U, 255U, 257U, 5000U}) {
      std::vector<std::uint64_t> keys(size);
      for (std::uint64_t& key : keys) key = (random() & mask) | 0x100;
      std::vector<std::uint64_t> expected = keys;
      std::sort(expected.begin(), expected.end());
      radix_sort(keys, scratch);
      EXPECT_EQ(keys, expected) << mask << " " << size;
    }
  }
}

TEST(SortNumbers, AgreesWithTheStandardSort) {
  std::mt19937_64 random(2);
  for (const std::size_t size : {0U, 1U, 5U, 1000U, 1001U, 20000U}) {
    std::vector<double> values(size);
    for (double& value : values)
      value = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 64) - 100) - 0.25;
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    sort_numbers(values);
    EXPECT_EQ(values, sorted);
  }
}

}  // namespace
}  // namespace hearsay
