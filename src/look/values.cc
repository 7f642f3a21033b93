// SPDX-License-Identifier: Apache-2.0
#include "look/values.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace hearsay::look {
namespace {

constexpr std::size_t kDecimals = 3;  // prices and distances have fewer

bool is_like_time(const std::string& text) {
  const auto digits = std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const auto marks = std::count_if(text.begin(), text.end(), [](char c) { return c == ':' || c == '-' || c == '/'; });
  if (digits >= 6 && marks >= 2) return true;
  return digits == std::ssize(text) && (digits == 10 || digits == 13) && text[0] == '1';  // Unix time since 2001
}

}  // namespace

Content content_of(const std::vector<std::string>& values) {
  Content content{!values.empty(), !values.empty()};
  std::set<std::string> different;
  std::size_t precise = 0;
  for (const std::string& value : values) {
    different.insert(value);
    content.time = content.time && is_like_time(value);
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    const std::size_t point = value.find('.');
    const bool whole = point == std::string::npos;
    if (value.empty() || *end != '\0' || (whole && std::isfinite(number) && number != 0)) content.degrees = false;
    if (!whole && value.size() - point > kDecimals) ++precise;
    if (std::isfinite(number)) content.largest = std::max(content.largest, std::abs(number));
  }
  if (2 * precise < values.size()) content.degrees = false;
  content.different = different.size();
  return content;
}

}  // namespace hearsay::look
