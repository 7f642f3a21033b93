// SPDX-License-Identifier: Apache-2.0
#include "publication/protected_unit.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "release/reach.h"
#include "storage/file_digest.h"

namespace hearsay::publication {
namespace {

using release::name_of;
using release::Unit;

constexpr std::uint64_t kDay = 86400;
constexpr std::string_view kAnyEpochs = "a user in any ";
constexpr std::string_view kEpochs = " epochs";

// Returns a whole number of the largest unit of time that gives one.
std::string duration_text(std::uint64_t seconds) {
  struct Size {
    std::uint64_t seconds;
    const char* name;
  };
  constexpr std::array kSizes = {Size{kDay, "day"}, Size{3600, "hour"}, Size{60, "minute"}, Size{1, "second"}};
  std::size_t size = 0;
  while (seconds % kSizes[size].seconds != 0) ++size;
  const std::uint64_t number = seconds / kSizes[size].seconds;
  return fmt::format("{} {}{}", number, kSizes[size].name, number == 1 ? "" : "s");
}

// Returns the number of epochs in "a user in any 24 epochs", the unit of W_EVENT.
std::optional<std::uint64_t> epochs_in_a_row(std::string_view unit) {
  if (!unit.starts_with(kAnyEpochs) || !unit.ends_with(kEpochs)) return std::nullopt;
  unit.remove_prefix(kAnyEpochs.size());
  unit.remove_suffix(kEpochs.size());
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(unit.data(), unit.data() + unit.size(), number);
  if (problem != std::errc() || end != unit.data() + unit.size()) return std::nullopt;
  return number;
}

// Returns text that differs where the published places do: by their ids, by where they are, or by how they are merged.
std::string places_text(const release::Geometry& geometry, const std::vector<ingest::Roi>& rois) {
  std::string text;
  for (std::size_t fine = 0; fine < rois.size(); ++fine) {
    const ingest::Roi& roi = rois[fine];
    text += fmt::format("{} {} {} {} {}\n", roi.id.size(), roi.id, geometry.place_of[fine], roi.lat.value_or(0),
                        roi.lng.value_or(0));
  }
  constexpr std::size_t kShown = 8;
  return fmt::format("{} (set {})", geometry.places, storage::sha256(text).substr(0, kShown));
}

}  // namespace

std::string protected_unit(const std::string& unit, const release::Draft& prepared,
                           const std::vector<ingest::Roi>& rois) {
  const std::uint64_t epoch = prepared.reach().epoch_seconds();
  if (unit == name_of(Unit::kUserEpoch)) {
    if (epoch == kDay) return name_of(Unit::kUserDay);
    if (epoch == 7 * kDay) return name_of(Unit::kUserWeek);
    return fmt::format("{} of {}", unit, duration_text(epoch));
  }
  if (const auto epochs = epochs_in_a_row(unit)) {
    return fmt::format("a user in any {} in a row", duration_text(*epochs * epoch));
  }
  if (unit == name_of(Unit::kUserPlace)) {
    return fmt::format("{} of {}", unit, places_text(prepared.geometry(), rois));
  }
  return unit;
}

bool leaves_size_open(const std::string& unit) {
  return unit == name_of(Unit::kUserEpoch) || unit == name_of(Unit::kUserPlace) || epochs_in_a_row(unit).has_value();
}

}  // namespace hearsay::publication
