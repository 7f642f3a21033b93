// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace hearsay {

// How much is worked on at a time. Sizes change time and memory, never an error by more than the rounding of a sum;
// tests make them small, so that a handful of users has many blocks.
struct BlockSizes {
  // Rows of a table inferred and scored at a time: what an attack makes of them stays in the cache.
  std::size_t rows = 4096;
  // Epochs that one worker goes through with one table: long enough that what is made for the table serves many
  // epochs, short enough that workers share few tables evenly.
  std::size_t epochs = 12;
  // Users whose errors are compared at a time.
  std::size_t compared_users = std::size_t{1} << 16;
  // Least users in a range that a seasonal prior is built from.
  std::size_t range_users = 1024;
  // Users whose visits are sorted at a time, and such blocks that one worker goes through one after another.
  std::size_t sorted_users = 4096;
  std::size_t sorted_blocks = 16;

  // Every size the same.
  static constexpr BlockSizes all(std::size_t size) { return {size, size, size, size, size, size}; }
};

}  // namespace hearsay
