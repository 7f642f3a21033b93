// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace hearsay::release {

// What is known of how published counts come about of true ones, in every cell alike: the steps and their parameters
// are no secret.
struct Rule {
  bool exact = true;                         // no noise: but for what the rest says, counts are the true ones
  double variance = 0;                       // of the noise added
  double scale = 0;                          // of Laplace noise, where that is all that was added; else 0
  std::optional<std::uint64_t> hidden = {};  // counts up to this are not published
  std::uint64_t base = 1;                    // counts are rounded to the nearest multiple of this, halves up
  std::optional<std::uint64_t> top = {};     // stands for this many and more
};

}  // namespace hearsay::release
