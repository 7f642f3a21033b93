// SPDX-License-Identifier: Apache-2.0
//
// Limits and what was measured: what keeps to them, what is nearest, what no other candidate is better than.
#pragma once

#include <vector>

#include "advice/advice.h"

namespace hearsay::advice {

inline constexpr double kBlindGuess = 0.5;   // of membership
inline constexpr std::size_t kLastRung = 3;  // of a search; 0 is that of errors

// Throws ConfigError where none is given or one is out of range.
void check_limits(const Limits& limits);
// Throws ConfigError where it is no time that a search can take.
void check_budget(double seconds);

// Whether own loss was measured, and membership where it is limited.
bool is_measured(const Priced& priced, const Limits& limits);
// Whether it is beyond a limit even by the lower ends of what was measured. What publishes nothing is beyond any.
bool clearly_over(const Priced& priced, const Limits& limits);
// Whether everything that a limit binds was measured, and keeps to it by the upper end. What publishes nothing does
// not.
bool keeps_to(const Priced& priced, const Limits& limits);
// Whether the means of what was measured keep to the limits.
bool probably_keeps_to(const Priced& priced, const Limits& limits);
// The limits that it does not keep to by the upper end, of those measured.
std::vector<Miss> misses_of(const Priced& priced, const Limits& limits);
// How far it is beyond them: the largest of (found - allowed) / room, room being the limit itself, of membership what
// it allows above a blind guess. Below 0 where it keeps to all by some distance. What was not measured does not count.
double distance_from(const Priced& priced, const Limits& limits);

// The number of the most useful of those that keep to the limits; those measured best are asked first.
std::optional<std::size_t> most_useful(const std::vector<Priced>& all, const Limits& limits);
// Of those measured against every limit and own loss, the one that is least far beyond the limits; those measured best
// are asked first.
std::optional<std::size_t> nearest_to(const std::vector<Priced>& all, const Limits& limits);
// The limits, each by itself, that nothing measured keeps to.
std::vector<std::string> met_by_none(const std::vector<Priced>& all, const Limits& limits);

// Numbers of those of `all` with the same things measured as the most of them that no other is at least as good as in
// MAE, own loss and membership, and better in one; by MAE.
std::vector<std::size_t> frontier_of(const std::vector<Priced>& all, bool with_membership);

}  // namespace hearsay::advice
