// SPDX-License-Identifier: Apache-2.0
#include "storage/csv_text.h"

#include <charconv>

namespace hearsay::storage {
namespace {

constexpr std::string_view kFormulaStarts = "=+-@\t\r\n";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string csv_text(std::string_view text) {
  std::string safe;
  if (!text.empty() && kFormulaStarts.find(text.front()) != std::string_view::npos && !is_number(text)) safe = "'";
  for (const char c : text) {
    if (c == '\0') {
      safe += kReplacement;
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace hearsay::storage
