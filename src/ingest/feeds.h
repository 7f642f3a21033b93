// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ingest/ingest.h"

namespace hearsay::ingest {

// A feed that is known by name: how its files are laid out, so that a study need not say it (docs/feeds.md).
struct Feed {
  std::string name;
  Source source;  // without paths and time zone
};

// Those that data.format may name besides events, trips and cabs.
const std::vector<Feed>& known_feeds();

}  // namespace hearsay::ingest
