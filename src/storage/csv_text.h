// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hearsay::storage {

// Text from the data as it goes into a CSV file: a spreadsheet takes a cell that begins with = + - @, a tab or a
// line break for a formula, so that such text, unless it is a number, gets a ' before it. A zero byte becomes
// U+FFFD. Quotes and line breaks are the writer's business.
std::string csv_text(std::string_view text);

}  // namespace hearsay::storage
