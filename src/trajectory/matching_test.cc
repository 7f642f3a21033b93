// SPDX-License-Identifier: Apache-2.0
#include "trajectory/matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

#include "trajectory/transport.h"

namespace hearsay::trajectory {
namespace {

CostMatrix random_costs(std::size_t size, std::int32_t most, std::mt19937& bits) {
  CostMatrix costs(size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      costs.row(row)[column] = std::uniform_int_distribution<std::int32_t>(-most, most)(bits);
    }
  }
  return costs;
}

std::int64_t cost_of(const CostMatrix& costs, const std::vector<std::uint32_t>& columns) {
  std::int64_t sum = 0;
  for (std::size_t row = 0; row < columns.size(); ++row) sum += costs.row(row)[columns[row]];
  return sum;
}

std::int64_t least_of_all(const CostMatrix& costs) {
  std::vector<std::uint32_t> columns(costs.size());
  std::iota(columns.begin(), columns.end(), 0U);
  std::int64_t least = cost_of(costs, columns);
  while (std::next_permutation(columns.begin(), columns.end())) least = std::min(least, cost_of(costs, columns));
  return least;
}

void expect_one_to_one(std::vector<std::uint32_t> columns) {
  std::sort(columns.begin(), columns.end());
  for (std::size_t i = 0; i < columns.size(); ++i) ASSERT_EQ(columns[i], i);
}

TEST(MatchingTest, IsTheCheapestOfAll) {
  std::mt19937 bits(3);
  for (int round = 0; round < 400; ++round) {
    const std::int32_t most = round % 2 == 0 ? 2 : 1000;  // with many equal ones, and few
    const CostMatrix costs = random_costs(1 + bits() % 7, most, bits);
    const std::vector<std::uint32_t> columns = cheapest_matching(costs);
    expect_one_to_one(columns);
    ASSERT_EQ(cost_of(costs, columns), least_of_all(costs)) << round;
  }
}

// Two that have nothing in common but the answer.
TEST(MatchingTest, AgreesWithNetworkSimplex) {
  std::mt19937 bits(5);
  for (const std::int32_t most : {3, 70, 1'000'000}) {
    const std::size_t size = 80;
    const CostMatrix costs = random_costs(size, most, bits);
    std::vector<std::int64_t> supply(2 * size, 1);
    std::fill(supply.begin() + static_cast<std::ptrdiff_t>(size), supply.end(), -1);
    std::vector<Way> ways;
    for (std::uint32_t row = 0; row < size; ++row) {
      for (std::uint32_t column = 0; column < size; ++column) {
        ways.push_back({row, static_cast<std::uint32_t>(size) + column, costs.row(row)[column]});
      }
    }
    const std::vector<std::int64_t> flow = cheapest_flow(supply, ways);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < ways.size(); ++i) sum += flow[i] * ways[i].cost;
    const std::vector<std::uint32_t> columns = cheapest_matching(costs);
    expect_one_to_one(columns);
    EXPECT_EQ(cost_of(costs, columns), sum) << most;
  }
}

TEST(MatchingTest, NobodyIsMatchedWithNobody) {
  EXPECT_THAT(cheapest_matching(CostMatrix(0)), testing::IsEmpty());
  EXPECT_THAT(cheapest_matching(CostMatrix(1)), testing::ElementsAre(0));
}

TEST(MatchingTest, CanBeStopped) {
  std::mt19937 bits(7);
  const CostMatrix costs = random_costs(60, 1, bits);
  EXPECT_THROW(cheapest_matching(costs, [] { throw std::runtime_error("stop"); }), std::runtime_error);
}

}  // namespace
}  // namespace hearsay::trajectory
