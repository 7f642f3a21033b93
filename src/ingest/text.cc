// SPDX-License-Identifier: Apache-2.0
#include "ingest/text.h"

#include <cctype>

namespace hearsay::ingest {
namespace {

constexpr std::size_t kValueLimit = 60;

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t limit) {
  bool cut = false;
  if (limit > 0 && text.size() > limit) {
    while (limit > 0 && continues_character(text[limit])) --limit;
    text = text.substr(0, limit);
    cut = true;
  }
  std::string line(text);
  for (char& c : line) {
    if (std::iscntrl(static_cast<unsigned char>(c))) c = ' ';
  }
  return cut ? line + "..." : line;
}

std::string quoted_value(std::string_view value) {
  return '"' + one_line(value, kValueLimit) + '"';
}

std::string first_line(std::string_view message) {
  message = message.substr(0, message.find('\n'));
  if (const std::size_t kind = message.find(" Error: "); kind != std::string_view::npos && kind < 30) {
    message.remove_prefix(kind + 8);
  }
  return one_line(message, 300);
}

std::string sql_literal(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\'') literal += '\'';
    literal += c;
  }
  return literal + '\'';
}

std::string normalized_name(std::string_view name) {
  while (!name.empty() && std::isspace(static_cast<unsigned char>(name.front()))) name.remove_prefix(1);
  while (!name.empty() && std::isspace(static_cast<unsigned char>(name.back()))) name.remove_suffix(1);
  std::string normalized;
  for (const char c : name) {
    normalized += c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return normalized;
}

}  // namespace hearsay::ingest
