// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hearsay::look {

// The IANA name of the zone of the nearest of some five hundred towns: a guess, wrong near borders.
std::string nearest_time_zone(double lat, double lng);

}  // namespace hearsay::look
