// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace hearsay {

// Tables of visits and beliefs keep the position at which a row begins in 32 bits: half the memory of what every epoch
// reads. A table that needs more is refused here, where its positions are made, not wrapped around.
inline constexpr std::uint64_t kMostEntries = 0xffffffffU;

namespace detail {
extern std::uint64_t most_entries;
[[noreturn]] void fail_too_many_entries(std::uint64_t entries);
}  // namespace detail

// The position as a table keeps it. Throws ConfigError where it is above kMostEntries.
inline std::uint32_t table_position(std::uint64_t position) {
  if (position > detail::most_entries) [[unlikely]]
    detail::fail_too_many_entries(position);
  return static_cast<std::uint32_t>(position);
}

// For tests: a smaller limit as long as it lives, so that no test needs tens of gigabytes. Not while other threads make
// tables.
class SmallTables {
 public:
  explicit SmallTables(std::uint64_t most) { detail::most_entries = most; }
  SmallTables(const SmallTables&) = delete;
  SmallTables& operator=(const SmallTables&) = delete;
  ~SmallTables() { detail::most_entries = kMostEntries; }
};

}  // namespace hearsay
