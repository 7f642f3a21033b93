// SPDX-License-Identifier: Apache-2.0
//
// How numbers go into the report's document.
#pragma once

#include <cmath>
#include <optional>

#include "results/manifest.h"

namespace hearsay::report {

// Six decimals are more than any chart shows.
inline double rounded(double value) {
  return std::round(value * 1e6) / 1e6;
}

inline results::Json optional_number(const std::optional<double>& value) {
  return value ? results::Json(*value) : results::Json();
}

}  // namespace hearsay::report
