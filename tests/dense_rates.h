// SPDX-License-Identifier: Apache-2.0
//
// Rates, TILT, BEST and COMMIT by their plain formulas: bisection and sums over every user, place and epoch.
#pragma once

#include "dense_reference.h"

namespace hearsay::reference {

// In how many of the observed epochs at the same position of the season a user was in each place.
Chances rates_of(const World& world, std::size_t season);

// By epoch, place and count: what bends the same rates to it.
using Shifts = std::map<std::vector<std::int64_t>, long double>;

// Rates bent to meet the counts.
Chances tilt(const World& world, const Chances& rates, const Counts& counts, Shifts& known);

// Of each of the users the places and epochs with the largest expected F1, among all numbers of them; others empty.
Assignments best(const Chances& chances, const std::vector<std::size_t>& users);

// Null or the profile expected to be least far, for each of the users and epoch.
Chances commit(const Chances& chances, const std::vector<std::size_t>& users);

}  // namespace hearsay::reference
