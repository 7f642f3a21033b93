// SPDX-License-Identifier: Apache-2.0
#include "storage/parquet_footer.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/errors.h"
#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

constexpr std::string_view kMagic = "PAR1";
constexpr std::uintmax_t kLeastBytes = 12;           // two magics and a length
constexpr std::uint32_t kLongestFooter = 64U << 20;  // about a million columns or row groups

std::array<char, 8> read_at(std::ifstream& in, std::uintmax_t place) {
  std::array<char, 8> bytes{};
  in.seekg(static_cast<std::streamoff>(place));
  in.read(bytes.data(), bytes.size());
  return bytes;
}

}  // namespace

void check_parquet_footer(const std::string& file) {
  const auto refuse = [&](const std::string& problem) { throw InputError({one_line(file), 0, ""}, problem); };
  std::error_code problem;
  const std::uintmax_t bytes = std::filesystem::file_size(file, problem);
  std::ifstream in(file, std::ios::binary);
  if (problem || !in) refuse("cannot be read");
  if (bytes < kLeastBytes) refuse("too short for a Parquet file");
  const std::array<char, 8> head = read_at(in, 0);
  const std::array<char, 8> tail = read_at(in, bytes - 8);
  if (!std::string_view(head.data(), head.size()).starts_with(kMagic) ||
      !std::string_view(tail.data(), tail.size()).ends_with(kMagic)) {
    refuse("not a Parquet file, or cut off");
  }
  std::uint32_t footer = 0;
  for (int i = 3; i >= 0; --i) footer = footer << 8 | static_cast<unsigned char>(tail[static_cast<std::size_t>(i)]);
  if (footer > bytes - kLeastBytes) refuse("a broken Parquet file: its footer is longer than itself");
  if (footer > kLongestFooter) {
    refuse(
        fmt::format("the list of its columns and parts takes {} bytes; at most {} are read", footer, kLongestFooter));
  }
}

}  // namespace hearsay::storage
