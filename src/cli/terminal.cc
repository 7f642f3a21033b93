// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "base/text_table.h"

namespace hearsay::cli {
namespace {

constexpr std::size_t kLeast = 80;
constexpr std::size_t kMost = 200;
constexpr std::size_t kPipedText = 100;

std::optional<std::size_t> columns() {
  std::size_t found = 0;
  if (const char* set = std::getenv("COLUMNS")) {
    const std::string_view text(set);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found);
    if (error == std::errc() && end == text.data() + text.size() && found > 0) return std::clamp(found, kLeast, kMost);
  }
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0) return std::nullopt;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kLeast;
  return std::clamp<std::size_t>(size.ws_col, kLeast, kMost);
}

}  // namespace

std::size_t text_width() {
  return columns().value_or(kPipedText);
}

std::size_t table_width() {
  return columns().value_or(kAnyWidth);
}

void print_text(std::string_view text) {
  fmt::print("{}", clean_lines(text));
}

}  // namespace hearsay::cli
