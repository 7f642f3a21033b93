// SPDX-License-Identifier: Apache-2.0
#include "results/ordered.h"

#include <algorithm>
#include <cassert>

namespace hearsay::results {
namespace {

// Enough for a curve that is exact to the eye.
constexpr std::size_t kSteps = 401;

// Ends of steps of about equal size.
std::vector<std::size_t> step_ends(std::size_t users, std::size_t least) {
  const std::size_t count = std::min(kSteps, users / std::max<std::size_t>(least, 1));
  std::vector<std::size_t> ends(count);
  for (std::size_t i = 0; i < count; ++i) ends[i] = users * (i + 1) / count;
  return ends;
}

}  // namespace

double percentile(const Ordered& numbers, double share) {
  assert(numbers.size() > 0);
  const double place = share * static_cast<double>(numbers.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, numbers.size() - 1);
  return std::lerp(numbers.at(below), numbers.at(above), place - static_cast<double>(below));
}

std::vector<double> step_means(const Ordered& numbers, std::size_t least) {
  std::vector<double> means;
  std::size_t begin = 0;
  for (const std::size_t end : step_ends(numbers.size(), least)) {
    means.push_back(numbers.sum(begin, end).mean());
    begin = end;
  }
  return means;
}

std::vector<double> step_shares(std::size_t users, std::size_t least) {
  std::vector<double> shares;
  std::size_t begin = 0;
  for (const std::size_t end : step_ends(users, least)) {
    shares.push_back(static_cast<double>(begin + end) / 2 / static_cast<double>(users));
    begin = end;
  }
  return shares;
}

}  // namespace hearsay::results
