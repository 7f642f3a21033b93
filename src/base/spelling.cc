// SPDX-License-Identifier: Apache-2.0
#include "base/spelling.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace hearsay {
namespace {

constexpr std::size_t kSpellingLimit = 100;

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// The optimal string alignment distance: Levenshtein's, with two swapped neighbours as one slip.
std::size_t slips_between(std::string_view a, std::string_view b) {
  a = a.substr(0, kSpellingLimit);
  b = b.substr(0, kSpellingLimit);
  std::vector<std::size_t> before;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::size_t> nearest(std::string_view given, const std::vector<std::string>& known, std::size_t most) {
  std::optional<std::size_t> found;
  std::size_t fewest = most;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::size_t slips = slips_between(given, known[i]);
    if (slips > fewest || (found && slips == fewest)) continue;
    fewest = slips;
    found = i;
  }
  return found;
}

}  // namespace hearsay
