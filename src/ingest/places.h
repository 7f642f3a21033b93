// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/ingest.h"

namespace hearsay::ingest {

// The cells of a grid, row by row from the south-west corner.
std::vector<Roi> grid_rois(const Grid& grid);

// Every pair of places, itself included, in the order of the list. Throws ConfigError where they are too many.
std::vector<Roi> pairs_of(const std::vector<Roi>& places, const std::string& list);

// Places as bytes and back, for another process.
std::string bytes_of(const std::vector<Roi>& rois);
std::vector<Roi> rois_of(std::string_view bytes);

}  // namespace hearsay::ingest
