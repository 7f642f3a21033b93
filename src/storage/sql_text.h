// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"

namespace hearsay::storage {

using hearsay::one_line;
using hearsay::quoted_value;

// How DuckDB's message begins, such as "Invalid Input Error: "; empty where it does not say its kind.
std::string_view kind_of(std::string_view message);

// What is said of text that should be Latin-1 and is not.
inline constexpr const char* kNotLatin =
    "not Latin-1: data.encoding may be \"utf-8\", \"latin-1\" or \"utf-16\"; convert a file in another encoding, such "
    "as "
    "GB18030, Shift JIS or Windows-1252, to UTF-8 (iconv -f GB18030 -t UTF-8)";

// DuckDB's message without its kind and all but its first line; kNotLatin in our words.
std::string first_line(std::string_view message);

// 'text' as SQL takes it.
std::string sql_literal(std::string_view text);

// "name" as SQL takes it.
std::string sql_name(std::string_view name);

// Column names compare without case, and with blanks and hyphens like underscores.
std::string normalized_name(std::string_view name);

}  // namespace hearsay::storage
