// SPDX-License-Identifier: Apache-2.0
//
// What becomes of noisy counts before anybody sees them. Studies, publications and Python share this list, so that a
// study measures what would be published.
#pragma once

#include <string>
#include <vector>

#include "release/count_matrix.h"

namespace hearsay::release {

enum class PostProcess {
  kNone,         // as the mechanism gives them
  kRound,        // whole numbers
  kNonnegative,  // whole numbers, those below 0 set to 0
  kProjected,    // whole numbers not below 0 that keep each epoch's noisy total
  kPaper,        // whole numbers in 0..users; not for publication, as the number of users is read off the data
};

inline constexpr PostProcess kDefaultPostProcess = PostProcess::kNonnegative;

// "none", "round", "nonnegative", "projected", "paper": in the order of the list above.
const std::vector<std::string>& post_process_names();
const std::string& name_of(PostProcess how);
// One sentence, as publications state it.
const char* meaning_of(PostProcess how);
// By name; "true" is the default and "false" is none. Throws ConfigError, naming `key`, for any other.
PostProcess post_process_named(const std::string& key, const std::string& name);

// `users`: what kPaper clamps to. Null, the last row, is no part of an epoch's total: kProjected treats it as
// kNonnegative does. Where an epoch's noisy total is at or below 0, kProjected sets all its counts to 0.
void post_process(CountMatrix& counts, PostProcess how, std::size_t users);

}  // namespace hearsay::release
