// SPDX-License-Identifier: Apache-2.0
//
// Counts that were left out, and noise, for attacks that take a count for how many people were there.
#pragma once

#include <functional>
#include <vector>

#include "attack/attack.h"

namespace hearsay::attack {

// How many people a table of a prior expects at each ROI, null last: of the users at hand, in whole numbers of a small
// unit that add up in any order, and in people.
std::vector<std::uint64_t> expected_units(const belief::Beliefs& table, const dataset::Crowd& crowd);
std::vector<double> people_of_units(std::span<const std::uint64_t> units);

// Whether such an attack would read counts other than as they are printed.
bool reads_otherwise(const release::Published& published, Reads reads);

// The release as it reads it: in the place of a missing count the likeliest that it can have been, and with
// Reads::kLikely the likeliest in the place of every count with noise, rounded or cut. `expected`: by epoch of the
// study, what the prior expects there; counts are taken to vary about that as those of independent people would, and by
// one more. Of a place's own count alone, so that attacks that go by cell still do.
release::Published as_read(const release::Published& published, Reads reads, std::size_t users,
                           const std::function<const std::vector<double>&(EpochId epoch)>& expected);

}  // namespace hearsay::attack
