// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "dataset/dataset.h"
#include "release/draft.h"

namespace hearsay::publication {

// Returns the unit that a guarantee protects, in words that mean the same in every release. The name of a unit can
// leave its size open: "a user in one epoch" depends on how long an epoch is, and "a user in one ROI" on which places
// there are. This text says both, so two releases protect the same unit exactly where their texts are equal. `prepared`
// is the draft that the guarantee was asked of, and `rois` are the study's places.
std::string protected_unit(const std::string& unit, const release::Draft& prepared,
                           const std::vector<ingest::Roi>& rois);

// Returns true where a ledger of an earlier version has the bare name of a unit, which leaves its size open.
bool leaves_size_open(const std::string& unit);

}  // namespace hearsay::publication
