// SPDX-License-Identifier: Apache-2.0
//
// What a result of inference is about. The fields are listed here and nowhere else: whoever takes results goes through
// kKeyFields or the key of a measurement.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "goal/ground.h"
#include "goal/measurement.h"

namespace hearsay::goal {

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

  // As the entries say that it names; not columns of their own.
  bool uses_release = true;  // false: the same whatever was published
  bool uses_prior = true;    // false: the same whatever she knew
  bool paper = true;         // knowledge, attack and decision are the paper's

  // The prior itself, which losses are measured against.
  bool is_prior() const { return uses_prior && !uses_release; }
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

// The fields, in order, but the one named.
inline Key key_of(const Combination& combination, std::string_view left_out = "") {
  Key key;
  for (const KeyField& field : kKeyFields) {
    if (field.name != left_out) key.push_back({field.name, field.as_text(combination), field.text == nullptr});
  }
  return key;
}

// Sets what the entries that a combination names say of it.
inline void mark(Combination& combination, const AdversarySpec& adversary) {
  const auto named = [](const auto& entries, const std::string& name) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const auto* entry) { return entry->info.name == name; });
    return found == entries.end() ? nullptr : *found;
  };
  const attack::AttackEntry* attack = named(adversary.attacks, combination.attack);
  if (attack != nullptr) {
    combination.uses_release = attack->uses_release;
    combination.uses_prior = attack->uses_prior;
  }
  const auto is_paper = [](const auto* entry) { return entry == nullptr || entry->info.is_paper(); };
  combination.paper = is_paper(attack) && is_paper(named(adversary.priors, combination.prior)) &&
                      is_paper(named(adversary.decisions, combination.decision));
}

// What key_of was made of.
inline Combination combination_of(const Key& key, const AdversarySpec& adversary) {
  Combination combination;
  for (const KeyField& field : kKeyFields) {
    for (const Field& given : key) {
      if (given.name != field.name) continue;
      if (field.text != nullptr) {
        combination.*field.text = given.value;
      } else {
        combination.*field.number = std::stoull(given.value);
      }
    }
  }
  mark(combination, adversary);
  return combination;
}

inline bool same_adversary(const Combination& a, const Combination& b) {
  return std::all_of(kKeyFields.begin(), kKeyFields.begin() + kAdversaryFields,
                     [&](const KeyField& field) { return a.*field.text == b.*field.text; });
}

}  // namespace hearsay::goal
