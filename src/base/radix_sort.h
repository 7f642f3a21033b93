// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hearsay {

// Sorts ascending, by the bits that differ between the keys only. `scratch` grows to the number of keys and may be kept
// from call to call.
void radix_sort(std::span<std::uint64_t> keys, std::vector<std::uint64_t>& scratch);

// Sorts ascending; no value may be a NaN.
void sort_numbers(std::vector<double>& values);

}  // namespace hearsay
