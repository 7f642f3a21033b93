// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hearsay::trajectory {

// One way to go, for any number of people.
struct Way {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t cost = 0;
};

// How many go each way, at the least cost in all. `supply`: by node, how many start there; less than 0: how many end
// there; the sum is 0. `ways` by ascending from. Exact (network simplex, LEMON); the same for the same question. There
// must be a way for everybody.
std::vector<std::int64_t> cheapest_flow(std::span<const std::int64_t> supply, std::span<const Way> ways);

}  // namespace hearsay::trajectory
