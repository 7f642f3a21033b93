// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ingest/id_table.h"

namespace hearsay::ingest {

// Visits of people that come in pieces, in any order and with repeats, put together: 20 bytes a visit.
class Gatherer {
 public:
  // Visits are epoch << 32 | place.
  void add(std::string_view user, std::span<const std::uint64_t> visits);

  // Ends the adding. Then people are numbered by id in byte order, and visits of each are distinct and ascending.
  void finish();
  std::size_t users() const { return order_.size(); }
  std::string_view user(std::size_t number) const { return ids_.at(order_[number]); }
  std::span<const std::uint64_t> visits(std::size_t number) const {
    return std::span(keys_).subspan(begin_[number], end_[number] - begin_[number]);
  }

 private:
  IdTable ids_;
  std::vector<std::uint32_t> owners_;  // of keys_, until the end
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint64_t> end_;
};

// How many of ascending visits are in the first epochs.
std::size_t visits_before(std::span<const std::uint64_t> visits, std::uint32_t epoch);

}  // namespace hearsay::ingest
