// SPDX-License-Identifier: Apache-2.0
#include "look/encoding.h"

#include <fmt/format.h>

#include <fstream>

#include "base/text.h"

namespace hearsay::look {
namespace {

// Runs of characters beyond ASCII.
struct Runs {
  std::size_t characters = 0;
  std::size_t in_company = 0;  // characters in runs of at least two
  std::size_t in_pairs = 0;    // characters in runs of an even length
};

void add(std::size_t length, Runs& runs) {
  runs.characters += length;
  if (length > 1) runs.in_company += length;
  if (length % 2 == 0) runs.in_pairs += length;
}

// What was one byte is one character of Latin-1, which UTF-8 begins with a byte of the form 11xxxxxx.
Runs runs_of(const std::vector<std::string>& texts) {
  Runs runs;
  for (const std::string& text : texts) {
    std::size_t length = 0;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80) {
        add(length, runs);
        length = 0;
      } else if (byte >= 0xC0) {
        ++length;
      }
    }
    add(length, runs);
  }
  return runs;
}

}  // namespace

// A word of a western language has an accented letter here and there. Characters of several bytes come in runs of an
// even length, letters of another alphabet in runs of any.
std::string better_encoding(const std::vector<std::string>& texts, const std::string& file) {
  const Runs runs = runs_of(texts);
  if (runs.characters == 0 || 10 * runs.in_company < 8 * runs.characters) return "";
  const bool pairs = 10 * runs.in_pairs >= 9 * runs.characters;
  return fmt::format(
      "the text is not UTF-8 and looks like {}, so names come out garbled: convert it, such as by `iconv -f {} -t "
      "UTF-8 {} > utf8.csv`",
      pairs ? "GB18030 or another encoding with two bytes a character" : "another alphabet, such as windows-1251",
      pairs ? "GB18030" : "WINDOWS-1251", one_line(file));
}

std::string encoding_of_file(const std::string& file) {
  constexpr std::size_t kHead = std::size_t{1} << 16;
  std::ifstream in(file, std::ios::binary);
  std::string head(kHead, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  if (head.find('\0') != std::string::npos) return "";  // compressed, or no text at all
  std::string latin;
  for (const char c : head) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      latin += c;
    } else {
      latin += static_cast<char>(0xC0 | byte >> 6);
      latin += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return better_encoding({latin}, file);
}

}  // namespace hearsay::look
