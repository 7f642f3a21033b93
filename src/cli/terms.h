// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/entry.h"

namespace hearsay::cli {

// The words in which an answer is given, as `list` and `explain` show them.
const std::vector<EntryInfo>& terms();

}  // namespace hearsay::cli
