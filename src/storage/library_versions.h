// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hearsay::storage {

// Of the libraries that are loaded, which need not be those it was compiled with.
std::string duckdb_version();
std::string openssl_version();

}  // namespace hearsay::storage
