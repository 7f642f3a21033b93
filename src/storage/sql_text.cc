// SPDX-License-Identifier: Apache-2.0
#include "storage/sql_text.h"

#include <cctype>

namespace hearsay::storage {

std::string_view kind_of(std::string_view message) {
  constexpr std::string_view kEnd = " Error: ";
  const std::size_t end = message.find(kEnd);
  return end < 30 ? message.substr(0, end + kEnd.size()) : std::string_view();
}

std::string first_line(std::string_view message) {
  message = message.substr(0, message.find('\n'));
  message.remove_prefix(kind_of(message).size());
  return message.starts_with("File is not latin-1 encoded") ? kNotLatin : one_line(message, 300);
}

namespace {

// The text between two such marks, those in it doubled.
std::string between(char mark, std::string_view text) {
  std::string quoted(1, mark);
  for (const char c : text) {
    if (c == mark) quoted += mark;
    quoted += c;
  }
  return quoted + mark;
}

}  // namespace

std::string sql_literal(std::string_view text) {
  return between('\'', text);
}

std::string sql_name(std::string_view name) {
  return between('"', name);
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

}  // namespace hearsay::storage
