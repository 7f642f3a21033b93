// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hearsay::storage {

// Throws InputError where a file cannot be Parquet, or says so much about itself that reading that alone would take the
// memory: a look at its first and last bytes, before anything else believes them.
void check_parquet_footer(const std::string& file);

}  // namespace hearsay::storage
