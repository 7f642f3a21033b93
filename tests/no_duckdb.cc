// SPDX-License-Identifier: Apache-2.0
//
// Preloaded, it ends whoever opens a database.
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) int duckdb_open_ext() {
  std::abort();
}
