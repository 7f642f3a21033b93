// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace hearsay {
namespace {

constexpr std::size_t kQuotedLimit = 60;

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues_character(text[i])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, bytes};
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x2028 || code == 0x2029;
}

bool turns_direction(std::uint32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string one_line(std::string_view text, std::size_t limit) {
  const bool cut = limit > 0 && text.size() > limit;
  if (cut) {
    while (limit > 0 && continues_character(text[limit])) --limit;
    text = text.substr(0, limit);
  }
  std::string line;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    if (character.bytes == 0) {
      line += '?';
    } else if (is_control(character.code)) {
      line += ' ';
    } else if (turns_direction(character.code)) {
      line += fmt::format("<U+{:04X}>", character.code);
    } else {
      line += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return cut ? line + "..." : line;
}

std::string clean_lines(std::string_view text) {
  std::string lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines += one_line(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    lines += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string quoted_value(std::string_view value) {
  return '"' + one_line(value, kQuotedLimit) + '"';
}

bool is_utf8(std::string_view text) {
  return utf8_name(text) == text;
}

std::string utf8_name(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const std::size_t bytes = first_character(name).bytes;
    text += bytes > 0 ? std::string(name.substr(0, bytes)) : fmt::format("%{:02X}", name.front() & 0xFF);
    name.remove_prefix(std::max<std::size_t>(1, bytes));
  }
  return text;
}

}  // namespace hearsay
