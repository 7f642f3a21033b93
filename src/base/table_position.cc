// SPDX-License-Identifier: Apache-2.0
#include "base/table_position.h"

#include <fmt/format.h>

#include "base/errors.h"

namespace hearsay::detail {

std::uint64_t most_entries = kMostEntries;

void fail_too_many_entries(std::uint64_t entries) {
  throw ConfigError(
      "data.users", "",
      fmt::format("a table of {} entries or more is needed, and one can have {}; study fewer users, fewer "
                  "places or a shorter period",
                  entries, most_entries));
}

}  // namespace hearsay::detail
