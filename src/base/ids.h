// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace hearsay {

// Distinct types, so that a user is never passed where an ROI or an epoch is meant. Each is an index into the data
// set that gave it out.
enum class UserId : std::uint32_t {};
enum class RoiId : std::uint32_t {};
enum class EpochId : std::uint32_t {};

constexpr std::size_t index_of(UserId id) {
  return static_cast<std::size_t>(id);
}
constexpr std::size_t index_of(RoiId id) {
  return static_cast<std::size_t>(id);
}
constexpr std::size_t index_of(EpochId id) {
  return static_cast<std::size_t>(id);
}

}  // namespace hearsay
