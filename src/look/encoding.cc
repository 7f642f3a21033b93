// SPDX-License-Identifier: Apache-2.0
#include "look/encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/text.h"

namespace hearsay::look {
namespace {

// How the bytes beyond ASCII stand together.
struct Company {
  std::size_t bytes = 0;
  std::size_t beside = 0;  // bytes beside another one
  std::size_t paired = 0;  // bytes that a reader of GB18030 takes for parts of a character
};

bool is_high(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

// The bytes of the character of GB18030 that begins at `i`; 0 where none does.
std::size_t character_at(const std::string& text, std::size_t i) {
  const auto at = [&](std::size_t place) -> unsigned char {
    return place < text.size() ? static_cast<unsigned char>(text[place]) : 0;
  };
  const auto is_lead = [](unsigned char byte) { return byte >= 0x81 && byte <= 0xFE; };
  const auto is_digit = [](unsigned char byte) { return byte >= '0' && byte <= '9'; };
  if (!is_lead(at(i))) return 0;
  const unsigned char next = at(i + 1);
  if (next >= 0x40 && next <= 0xFE && next != 0x7F) return 2;
  return is_digit(next) && is_lead(at(i + 2)) && is_digit(at(i + 3)) ? 4 : 0;
}

Company company_of(const std::string& text) {
  Company company;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_high(text[i])) continue;
    ++company.bytes;
    if ((i > 0 && is_high(text[i - 1])) || (i + 1 < text.size() && is_high(text[i + 1]))) ++company.beside;
  }
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_at(text, i);
    for (std::size_t j = i; j < i + length; ++j) company.paired += is_high(text[j]) ? 1 : 0;
    i += std::max<std::size_t>(1, length);
  }
  return company;
}

}  // namespace

// A word of a western language has an accented letter here and there. Characters of several bytes can all be read as
// such; of the words of another alphabet, those with an odd number of letters cannot.
std::string better_encoding(const std::string& bytes, const std::string& file) {
  const Company company = company_of(bytes);
  if (company.bytes == 0 || 10 * company.beside < 8 * company.bytes) return "";
  const bool pairs = 100 * company.paired >= 98 * company.bytes;
  return fmt::format(
      "the text is not UTF-8 and looks like {}, so names come out garbled: convert it, such as by `iconv -f {} -t "
      "UTF-8 {} > utf8.csv`",
      pairs ? "GB18030 or another encoding with two bytes a character" : "another alphabet, such as windows-1251",
      pairs ? "GB18030" : "WINDOWS-1251", one_line(file));
}

std::string bytes_of_latin(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead >= 0xC0 && i + 1 < text.size()) {
      bytes += static_cast<char>((lead & 0x03) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
    } else {
      bytes += text[i];
    }
  }
  return bytes;
}

std::string encoding_of_file(const std::string& file) {
  constexpr std::size_t kHead = std::size_t{1} << 16;
  std::ifstream in(file, std::ios::binary);
  std::string head(kHead, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  if (head.find('\0') != std::string::npos) return "";  // compressed, or no text at all
  return better_encoding(head, file);
}

}  // namespace hearsay::look
