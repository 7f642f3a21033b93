// SPDX-License-Identifier: Apache-2.0
//
// Limits and what was measured: what keeps to them, what is nearest, what no other candidate is better than.
#pragma once

#include <vector>

#include "advice/advice.h"

namespace hearsay::advice {

inline constexpr double kBlindGuess = 0.5;  // of membership

// Throws ConfigError where none is given or one is out of range.
void check_limits(const Limits& limits);

// Whether it is beyond a limit even by the lower ends of what was measured.
bool clearly_over(const Priced& priced, const Limits& limits);
// Whether everything that a limit binds was measured, and keeps to it by the upper end.
bool keeps_to(const Priced& priced, const Limits& limits);
// Whether the means of what was measured keep to the limits.
bool probably_keeps_to(const Priced& priced, const Limits& limits);
// The limits that it does not keep to by the upper end, of those measured.
std::vector<Miss> misses_of(const Priced& priced, const Limits& limits);
// How far it is beyond them: the largest of (found - allowed) / room, room being the limit itself, of membership what
// it allows above a blind guess. Below 0 where it keeps to all by some distance. What was not measured does not count.
double distance_from(const Priced& priced, const Limits& limits);

// Numbers of those of `all` with the same things measured as the most of them that no other is at least as good as in
// MAE, own loss and membership, and better in one; by MAE.
std::vector<std::size_t> frontier_of(const std::vector<Priced>& all, bool with_membership);

}  // namespace hearsay::advice
