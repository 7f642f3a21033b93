// SPDX-License-Identifier: Apache-2.0
//
// What goals find, in one form: tables, resumed parts, the report and Python read it without knowing the goal.
#pragma once

#include <compare>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hearsay::goal {

// What there is a number for.
enum class Unit { kUser, kEpoch, kPlace, kGroup, kTarget, kFeature };

inline const char* name_of(Unit unit) {
  constexpr const char* kNames[] = {"user", "epoch", "place", "group", "target", "feature"};
  return kNames[static_cast<std::size_t>(unit)];
}

// What a measurement is about: fields by name, in the order of columns. Those that count something are numbers.
struct Field {
  std::string name;
  std::string value;
  bool number = false;
  auto operator<=>(const Field&) const = default;
};
using Key = std::vector<Field>;

// The value of a field; empty where there is none of that name.
inline const std::string& field_of(const Key& key, std::string_view name) {
  static const std::string kNone;
  for (const Field& field : key) {
    if (field.name == name) return field.value;
  }
  return kNone;
}

// The name of the numbers that say which user a target is.
inline constexpr const char* kUserNumber = "user";

struct Numbers {
  std::string name;  // what they are: "error"
  std::span<const double> values;
  std::span<const double> sorted = {};  // the same, ascending, where whoever emits them has that at hand
};

// Spans are valid during the call that hands it over.
struct Measurement {
  Key key;
  Unit unit = Unit::kUser;
  // Of the same length: one for each user by number, epoch of the inference period, place but null (not a number where
  // there is nothing to say), group, target (one of the users, whose number is among the numbers as kUserNumber) or
  // feature of a prior that was fitted: one, which the key names.
  std::vector<Numbers> numbers;

  // Empty where there are none of that name.
  const Numbers& of(std::string_view name) const {
    static const Numbers kNone;
    for (const Numbers& one : numbers) {
      if (one.name == name) return one;
    }
    return kNone;
  }
};

using Emit = std::function<void(const Measurement& measurement)>;

}  // namespace hearsay::goal
