// SPDX-License-Identifier: Apache-2.0
//
// How numbers go into the report's document.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "goal/combination.h"
#include "results/manifest.h"

namespace hearsay::report {

// Whether a percentile of so many people's numbers may be told: at least `least` of them lie on either side.
inline bool tells_percentile(double share, std::size_t people, std::size_t least) {
  const double beyond = std::floor(std::min(share, 1 - share) * static_cast<double>(people) + 1e-9);
  return least <= 1 || beyond >= static_cast<double>(least);
}

// Six decimals are more than any chart shows.
inline double rounded(double value) {
  return std::round(value * 1e6) / 1e6;
}

inline results::Json optional_number(const std::optional<double>& value) {
  return value ? results::Json(*value) : results::Json();
}

// Null for what is not a number.
inline results::Json rounded_list(const std::vector<double>& values) {
  results::Json list = results::Json::array();
  for (const double value : values) list.push_back(std::isnan(value) ? results::Json() : results::Json(rounded(value)));
  return list;
}

// Who the adversary is, and after what.
inline results::Json key_json(const goal::Combination& key) {
  results::Json json;
  for (std::size_t i = 0; i < goal::kAdversaryFields; ++i) {
    const goal::KeyField& field = goal::kKeyFields[i];
    json[field.name] = key.*field.text;
  }
  return json;
}

}  // namespace hearsay::report
