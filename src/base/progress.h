// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace hearsay {

// Told how far a stage is: `done` of `total` units (total 0: not known yet). Called from one thread at a time, at most
// a few times a second. The library never prints; whoever runs it may.
using Progress = std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)>;

}  // namespace hearsay
