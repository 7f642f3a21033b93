// SPDX-License-Identifier: Apache-2.0
//
// Text from outside, made fit for one line of a message.
#pragma once

#include <string>
#include <string_view>

namespace hearsay {

// No line breaks or other control characters (a blank each), no marks that change the direction of writing (shown as
// <U+202E>), no bytes that are not UTF-8 (a ? each); cut after `limit` bytes (0: whole).
std::string one_line(std::string_view text, std::size_t limit = 0);

// Several lines, each made so: for what is printed on a terminal, which obeys control characters in names from outside.
std::string clean_lines(std::string_view text);

// One line in quotes, cut after 60 bytes: at most this much of a value is ever shown.
std::string quoted_value(std::string_view value);

bool is_utf8(std::string_view text);

// A name, each byte of which that is not UTF-8 is %XX: what were different names still are.
std::string utf8_name(std::string_view name);

}  // namespace hearsay
