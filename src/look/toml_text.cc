// SPDX-License-Identifier: Apache-2.0
#include "look/toml_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>

#include "base/text.h"

namespace hearsay::look {
namespace {

// The code of one character of valid UTF-8.
std::uint32_t code_of(const std::string& character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  std::uint32_t code = lead & (0xFFU >> (character.size() + 1));
  for (std::size_t i = 1; i < character.size(); ++i) {
    code = code << 6 | (static_cast<unsigned char>(character[i]) & 0x3FU);
  }
  return code;
}

// Each character as `shown` has it.
template <typename Shown>
std::string mapped(const std::string& text, const Shown& shown) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    result += shown(text.substr(i, end - i));
    i = end;
  }
  return result;
}

std::string escaped(const std::string& character) {
  const bool acts = is_utf8(character) && one_line(character) != character;
  return acts ? fmt::format("\\u{:04X}", code_of(character)) : character;
}

}  // namespace

std::string toml_text(const std::string& text) {
  return '"' +
         mapped(text,
                [](const std::string& character) {
                  return character == "\"" || character == "\\" ? "\\" + character : escaped(character);
                }) +
         '"';
}

std::string with_escapes(const std::string& text) {
  return mapped(text,
                [](const std::string& character) { return character.size() > 1 ? escaped(character) : character; });
}

std::string toml_texts(const std::vector<std::string>& texts) {
  if (texts.size() == 1) return toml_text(texts.front());
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(toml_text(text));
  return fmt::format("[{}]", fmt::join(all, ", "));
}

}  // namespace hearsay::look
