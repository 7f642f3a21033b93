// SPDX-License-Identifier: Apache-2.0
#include "storage/library_versions.h"

#include <duckdb.h>
#include <openssl/crypto.h>

namespace hearsay::storage {

std::string duckdb_version() {
  return duckdb_library_version();
}

std::string openssl_version() {
  return OpenSSL_version(OPENSSL_VERSION_STRING);
}

}  // namespace hearsay::storage
