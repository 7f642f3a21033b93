// SPDX-License-Identifier: Apache-2.0
#include "cluster/row.h"

#include <stdexcept>

namespace hearsay::cluster {

std::string Key::bytes() const {
  std::string bytes = {static_cast<char>(merge), static_cast<char>(subject)};
  for (const std::uint32_t number : of) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xffU);
  }
  return bytes;
}

Key Key::read(std::string_view bytes) {
  Key key;
  if (bytes.size() != 2 + 4 * key.of.size()) throw std::invalid_argument("not a key of a row");
  key.merge = static_cast<Merge>(bytes[0]);
  key.subject = static_cast<Subject>(bytes[1]);
  std::size_t at = 2;
  for (std::uint32_t& number : key.of) {
    for (int i = 0; i < 4; ++i) number = number << 8 | static_cast<std::uint8_t>(bytes[at++]);
  }
  return key;
}

}  // namespace hearsay::cluster
