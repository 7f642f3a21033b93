// SPDX-License-Identifier: Apache-2.0
//
// What is known of people at the study's places and epochs, at the larger places and longer epochs of a release.
#pragma once

#include "goal/membership_players.h"
#include "release/geometry.h"

namespace hearsay::goal {

// Cells of the study's grid as cells of a release: place_of and epoch_of of its geometry, ascending, each once.
std::vector<std::uint32_t> coarse_cells(std::span<const std::uint32_t> cells, const release::Geometry& geometry);

// A person is in a coarse cell if in one of its fine ones, each by itself. A longer epoch is known where all of it is.
KnownTarget coarse_target(const KnownTarget& target, const release::Geometry& geometry);
// The people stay who they are.
KnownCrowd coarse_crowd(const KnownCrowd& crowd, const release::Geometry& geometry);

}  // namespace hearsay::goal
