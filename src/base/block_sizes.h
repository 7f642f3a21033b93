// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace hearsay {

// How much is worked on at a time. Sizes change time and memory, never a result; tests make them small, so that a
// handful of users has many blocks.
struct BlockSizes {
  // Users in a range that is inferred and scored by itself: what is known of them stays in the cache.
  std::size_t users = 8192;
  // Least users in such a range where ranges are made for more threads to have work.
  std::size_t least_users = 256;
  // Least users in a range that is summarised by itself.
  std::size_t summarised_users = 4096;
  // Users whose errors are compared at a time.
  std::size_t compared_users = std::size_t{1} << 16;
  // Least users in a range that a seasonal prior is built from.
  std::size_t range_users = 1024;
  // Users whose visits are sorted at a time, and such blocks that one worker goes through one after another.
  std::size_t sorted_users = 4096;
  std::size_t sorted_blocks = 16;

  // Every size the same.
  static constexpr BlockSizes all(std::size_t size) { return {size, size, size, size, size, size, size}; }
};

}  // namespace hearsay
