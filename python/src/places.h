// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/ingest.h"

namespace hearsay::python {

// The places of a study, in the order of their numbers.
struct Places {
  std::vector<ingest::Roi> rois;
  std::uint32_t columns = 0;  // of the grid; 0: ids
};

}  // namespace hearsay::python
