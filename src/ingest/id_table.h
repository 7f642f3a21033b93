// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

namespace hearsay::ingest {

// Texts and the numbers they got, 0, 1, 2, ... in the order they came. Hashes are given, so that those of many texts
// can be made and fetched first: a table of millions does not fit the cache.
class IdTable {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  static std::uint64_t hash(std::string_view id);
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  // kNone where it is not there.
  std::uint32_t find(std::string_view id, std::uint64_t hash) const;
  // Its number, a new one where it is not there yet. Throws std::length_error past 2^32 - 2 ids.
  std::uint32_t add(std::string_view id, std::uint64_t hash);

  std::size_t size() const { return ids_.size(); }
  std::string_view at(std::size_t number) const { return ids_[number]; }
  // The numbers in byte order of their texts.
  std::vector<std::uint32_t> in_byte_order() const;

 private:
  void grow();
  std::string_view keep(std::string_view id);

  // The number plus 1 in the low half, 0 for an empty slot; the upper half of the hash in the upper.
  std::vector<std::uint64_t> slots_;
  std::vector<std::string_view> ids_;
  std::vector<std::unique_ptr<char[]>> texts_;
  std::size_t room_ = 0;  // left in the last of texts_
  char* next_ = nullptr;
};

}  // namespace hearsay::ingest
