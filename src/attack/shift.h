// SPDX-License-Identifier: Apache-2.0
//
// How far the odds of many people must be shifted for their chances to add up to a count.
#pragma once

#include <span>

#include "release/published.h"

namespace hearsay::attack {

// Chances are kept this far from 0 and 1, which no count could move.
inline constexpr double kLeastChance = 1e-5;
double odds_of(double chance);

// People with the same odds of being in a place.
struct OddsGroup {
  double odds = 0;
  double people = 0;
};

// Of several lists of people, for a count of all of them together.
using OddsGroups = std::span<const std::span<const OddsGroup>>;

// What is expected of their number before it is known.
struct Expected {
  double mean = 0;
  double variance = 0;
};
Expected expected_of(OddsGroups groups);

// The count most likely given what was published of it, the rule by which that came about and what is expected.
// `missing`: where it was not published; `share`: of all people, of whom those counted were drawn.
double likely_count(double published, const release::Missing* missing, const release::Rule& rule,
                    const Expected& expected, double share = 1);

// The factor of all odds with which chances add up to a count: 0 for a count of 0, infinite where nobody is left to be
// counted, so that everybody is in.
double shift_for(OddsGroups groups, double count);

// odds * shift / (1 + odds * shift).
inline double shifted_chance(double odds, double shift) {
  const double shifted = odds * shift;
  return shifted / (1 + shifted);
}

}  // namespace hearsay::attack
