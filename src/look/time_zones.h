// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hearsay::look {

// The nearest of some five hundred towns. Its zone is a guess, wrong near borders.
struct Town {
  std::string time_zone;  // IANA name
  double kilometres = 0;  // as far away as this
};

Town nearest_town(double lat, double lng);

}  // namespace hearsay::look
