// SPDX-License-Identifier: Apache-2.0
#include "base/radix_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/sort/spreadsort/float_sort.hpp>
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
  boost::sort::spreadsort::float_sort(values.begin(), values.end());
}

}  // namespace hearsay
