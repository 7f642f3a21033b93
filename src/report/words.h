// SPDX-License-Identifier: Apache-2.0
//
// Words that several sentences of an answer use.
#pragma once

#include <string>

namespace hearsay::report {

// "how often each person visited each place, not when": what the prior's own sentence says she knows.
std::string knows(const std::string& prior);

// A share of people or of an error. None and all are said only where they are meant.
std::string share_words(double share);

// A release as sentences name it.
std::string release_words(const std::string& release, const std::string& parameter);

}  // namespace hearsay::report
