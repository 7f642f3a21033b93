// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hearsay::look {

// What the values of a column can be.
struct Content {
  bool time = false;
  bool degrees = false;  // numbers with as many decimals as coordinates have
  double largest = 0;    // of the absolute values
  std::size_t different = 0;
};

Content content_of(const std::vector<std::string>& values);

}  // namespace hearsay::look
