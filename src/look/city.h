// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "look/sight.h"
#include "storage/database.h"

namespace hearsay::look {

// Finds the city in the good events of the table `seen`: all of them where they lie within 50 km, else those of the 50
// km about the densest place. An edge of the box goes out to the last event where that is near, else it leaves out 1%
// of the events. Returns nothing where no event has coordinates. Makes several passes over `seen`.
std::optional<City> find_city(storage::Database& database);

// How many kilometres the box is high and wide.
double height_of(const ingest::Grid& box);
double width_of(const ingest::Grid& box);

}  // namespace hearsay::look
