// SPDX-License-Identifier: Apache-2.0
#include "base/radix_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace hearsay {
namespace {

constexpr unsigned kDigitBits = 11;  // the counters of a pass stay in the first cache
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr std::size_t kFewKeys = 768;

}  // namespace

void radix_sort(std::span<std::uint64_t> keys, std::vector<std::uint64_t>& scratch) {
  if (keys.size() <= kFewKeys) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  std::uint64_t different = 0;
  bool sorted = true;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    different |= keys[i] ^ keys[0];
    sorted &= keys[i - 1] <= keys[i];
  }
  if (sorted) return;
  if (scratch.size() < keys.size()) scratch.resize(keys.size());
  std::uint64_t* from = keys.data();
  std::uint64_t* to = scratch.data();
  while (different != 0) {
    const auto shift = static_cast<unsigned>(std::countr_zero(different));
    std::array<std::size_t, kDigits> next{};
    for (std::size_t i = 0; i < keys.size(); ++i) ++next[from[i] >> shift & (kDigits - 1)];
    std::size_t position = 0;
    for (std::size_t& count : next) position += std::exchange(count, position);
    for (std::size_t i = 0; i < keys.size(); ++i) to[next[from[i] >> shift & (kDigits - 1)]++] = from[i];
    std::swap(from, to);
    different = shift + kDigitBits >= 64 ? 0 : different >> (shift + kDigitBits) << (shift + kDigitBits);
  }
  if (from != keys.data()) std::copy(from, from + keys.size(), keys.data());
}

void sort_numbers(std::vector<double>& values) {
  if (values.size() <= kFewKeys) {
    std::sort(values.begin(), values.end());
    return;
  }
  // Bits that order as the numbers do: the sign turned, and all others of negative ones too.
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  std::vector<std::uint64_t> keys(values.size());
  std::vector<std::uint64_t> scratch;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(values[i]);
    keys[i] = (bits & kSign) != 0 ? ~bits : bits | kSign;
  }
  radix_sort(keys, scratch);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    values[i] = std::bit_cast<double>((keys[i] & kSign) != 0 ? keys[i] & ~kSign : ~keys[i]);
  }
}

}  // namespace hearsay
