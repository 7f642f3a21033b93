// SPDX-License-Identifier: Apache-2.0
#include "ingest/gatherer.h"

#include <algorithm>

namespace hearsay::ingest {

void Gatherer::add(std::string_view user, std::span<const std::uint64_t> visits) {
  const std::uint32_t number = ids_.add(user, IdTable::hash(user));
  owners_.insert(owners_.end(), visits.size(), number);
  keys_.insert(keys_.end(), visits.begin(), visits.end());
}

void Gatherer::finish() {
  order_ = ids_.in_byte_order();
  std::vector<std::uint32_t> rank(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) rank[order_[i]] = static_cast<std::uint32_t>(i);
  begin_.assign(order_.size() + 1, 0);
  for (const std::uint32_t owner : owners_) ++begin_[rank[owner] + std::size_t{1}];
  for (std::size_t i = 0; i < order_.size(); ++i) begin_[i + 1] += begin_[i];
  end_.assign(begin_.begin(), begin_.end() - 1);
  std::vector<std::uint64_t> sorted(keys_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) sorted[end_[rank[owners_[i]]]++] = keys_[i];
  keys_ = std::move(sorted);
  owners_ = {};
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(begin_[i]);
    const auto last = keys_.begin() + static_cast<std::ptrdiff_t>(end_[i]);
    std::sort(first, last);
    end_[i] = static_cast<std::uint64_t>(std::unique(first, last) - keys_.begin());
  }
}

std::size_t visits_before(std::span<const std::uint64_t> visits, std::uint32_t epoch) {
  return static_cast<std::size_t>(std::lower_bound(visits.begin(), visits.end(), std::uint64_t{epoch} << 32) -
                                  visits.begin());
}

}  // namespace hearsay::ingest
