// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace hearsay::trajectory {

// Costs of every row with every column, as many of one as of the other. 4 bytes each.
class CostMatrix {
 public:
  explicit CostMatrix(std::size_t size) : size_(size), costs_(size * size) {}
  std::size_t size() const { return size_; }
  std::int32_t* row(std::size_t index) { return costs_.data() + index * size_; }
  const std::int32_t* row(std::size_t index) const { return costs_.data() + index * size_; }

 private:
  std::size_t size_;
  std::vector<std::int32_t> costs_;
};

// The column of each row in the one-to-one matching of least cost in all: shortest augmenting paths. Jonker, Volgenant:
// A Shortest Augmenting Path Algorithm for Dense and Sparse Linear Assignment Problems. Computing 38, 1987. The cube of
// the size at worst. `check` is called now and then, and may throw.
std::vector<std::uint32_t> cheapest_matching(const CostMatrix& costs, const std::function<void()>& check = {});

}  // namespace hearsay::trajectory
