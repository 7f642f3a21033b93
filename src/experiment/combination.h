// SPDX-License-Identifier: Apache-2.0
//
// What a result of the grid of adversaries is about. The fields are listed here and nowhere else: tables, resumed parts
// and the report go through kKeyFields.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay::experiment {

inline constexpr const char* kRaw = "RAW";

// What one row of summary.csv is about.
struct Combination {
  std::string goal;
  std::string prior;
  std::string attack;
  std::string decision;  // empty for a goal that reads beliefs as they are
  std::string release;   // RAW, or a mechanism
  std::string parameter;
  std::size_t repeat = 0;  // 0 for RAW, from 1 for a mechanism
  std::string baseline;    // what errors are compared with: a reading of the prior (loss) or RAW (gain); or nothing

  // Of the attack, as its entry says; not columns of their own.
  bool uses_release = true;  // false: the prior itself, which losses are measured against
  bool uses_prior = true;    // false: the same whatever she knew
};

struct KeyField {
  const char* name;
  std::string Combination::*text;
  std::size_t Combination::*number = nullptr;  // where it is not text

  std::string as_text(const Combination& key) const {
    return text != nullptr ? key.*text : std::to_string(key.*number);
  }
};

// In the order of columns. The first four say who the adversary is, and after what.
inline constexpr std::array<KeyField, 8> kKeyFields = {{{"goal", &Combination::goal},
                                                        {"prior", &Combination::prior},
                                                        {"attack", &Combination::attack},
                                                        {"decision", &Combination::decision},
                                                        {"release", &Combination::release},
                                                        {"parameter", &Combination::parameter},
                                                        {"repeat", nullptr, &Combination::repeat},
                                                        {"baseline", &Combination::baseline}}};
inline constexpr std::size_t kAdversaryFields = 4;

// The fields as text, in order, but the one named.
inline std::vector<std::string> fields_but(const Combination& key, std::string_view left_out) {
  std::vector<std::string> texts;
  for (const KeyField& field : kKeyFields) {
    if (field.name != left_out) texts.push_back(field.as_text(key));
  }
  return texts;
}

inline bool same_adversary(const Combination& a, const Combination& b) {
  return std::all_of(kKeyFields.begin(), kKeyFields.begin() + kAdversaryFields,
                     [&](const KeyField& field) { return a.*field.text == b.*field.text; });
}

}  // namespace hearsay::experiment
