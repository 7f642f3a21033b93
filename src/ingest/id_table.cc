// SPDX-License-Identifier: Apache-2.0
#include "ingest/id_table.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>

namespace hearsay::ingest {
namespace {

constexpr std::size_t kFirstSlots = 256;
constexpr std::size_t kTextBlock = std::size_t{1} << 16;
constexpr std::uint64_t kLowHalf = 0xffffffffU;

// The first 8 bytes as a number that orders like them.
std::uint64_t prefix_of(std::string_view id) {
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    prefix = prefix << 8 | (i < id.size() ? static_cast<unsigned char>(id[i]) : 0U);
  }
  return prefix;
}

}  // namespace

std::uint64_t IdTable::hash(std::string_view id) {
  return std::hash<std::string_view>()(id);
}

std::uint32_t IdTable::find(std::string_view id, std::uint64_t hash) const {
  if (slots_.empty()) return kNone;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask; slots_[i] != 0; i = (i + 1) & mask) {
    if (slots_[i] >> 32 != hash >> 32) continue;
    const auto number = static_cast<std::uint32_t>((slots_[i] & kLowHalf) - 1);
    if (ids_[number] == id) return number;
  }
  return kNone;
}

std::uint32_t IdTable::add(std::string_view id, std::uint64_t hash) {
  if (const std::uint32_t number = find(id, hash); number != kNone) return number;
  if (ids_.size() >= kNone - 1) throw std::length_error("more than 4,294,967,294 ids");
  if (ids_.size() * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  while (slots_[i] != 0) i = (i + 1) & mask;
  ids_.push_back(keep(id));
  slots_[i] = (hash >> 32 << 32) | ids_.size();
  return static_cast<std::uint32_t>(ids_.size() - 1);
}

void IdTable::grow() {
  slots_.assign(std::max(kFirstSlots, slots_.size() * 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t number = 0; number < ids_.size(); ++number) {
    const std::uint64_t text_hash = hash(ids_[number]);
    std::size_t i = text_hash & mask;
    while (slots_[i] != 0) i = (i + 1) & mask;
    slots_[i] = (text_hash >> 32 << 32) | (number + 1);
  }
}

std::string_view IdTable::keep(std::string_view id) {
  if (id.size() > room_) {
    room_ = std::max(kTextBlock, id.size());
    texts_.push_back(std::make_unique_for_overwrite<char[]>(room_));
    next_ = texts_.back().get();
  }
  std::memcpy(next_, id.data(), id.size());
  const std::string_view kept(next_, id.size());
  next_ += id.size();
  room_ -= id.size();
  return kept;
}

std::vector<std::uint32_t> IdTable::in_byte_order() const {
  struct Key {
    std::uint64_t prefix;
    std::uint32_t number;
  };
  std::vector<Key> keys(ids_.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = {prefix_of(ids_[i]), static_cast<std::uint32_t>(i)};
  std::sort(keys.begin(), keys.end(), [this](const Key& a, const Key& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : ids_[a.number] < ids_[b.number];
  });
  std::vector<std::uint32_t> order(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) order[i] = keys[i].number;
  return order;
}

}  // namespace hearsay::ingest
