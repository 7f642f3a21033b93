// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace hearsay::storage {

struct InputFile {
  std::string name;  // as given, or the path relative to a directory given
  std::uint64_t bytes = 0;
  std::string sha256;   // in hex; for a directory of cabs one entry, the digest of its sorted `sha256  name` lines
  bool places = false;  // the list of ROIs; the others are data about people
};

}  // namespace hearsay::storage
