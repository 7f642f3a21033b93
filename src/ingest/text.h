// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hearsay::ingest {

// The text on one line: control characters become spaces; cut after `limit` bytes (0: never), at a whole character.
std::string one_line(std::string_view text, std::size_t limit = 0);

// A value from the data as it goes into a message: one line, cut, in double quotes.
std::string quoted_value(std::string_view value);

// DuckDB's message without its kind ("Invalid Input Error: ") and all but its first line.
std::string first_line(std::string_view message);

// 'text' as SQL takes it.
std::string sql_literal(std::string_view text);

// Column names compare without case, and with blanks and hyphens like underscores.
std::string normalized_name(std::string_view name);

}  // namespace hearsay::ingest
