// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/row.h"
#include "cluster/told.h"

namespace hearsay::cluster {

// What the values of all rows with one key come to, in whatever order they are: one row with that key or, of summaries
// that are planned of, one for each release and for each person taken out, who take the last number of the key.
std::vector<Row> merge(const Told& told, const std::string& key, std::span<const std::string_view> values);
inline constexpr std::uint32_t kFirstPerson = 1U << 31;

}  // namespace hearsay::cluster
