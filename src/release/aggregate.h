// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/dataset.h"
#include "release/release.h"

namespace hearsay::release {

// The raw aggregates A[s,t'] of the inference period (paper, section 3.1), null included.
Release aggregate(const dataset::Truth& truth, std::size_t threads);

}  // namespace hearsay::release
