// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cluster/told.h"

namespace hearsay::cluster {

// What the values of all rows with one key come to, in whatever order they are.
std::string merge(const Told& told, std::string_view key, std::span<const std::string_view> values);

}  // namespace hearsay::cluster
