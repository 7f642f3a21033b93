// SPDX-License-Identifier: Apache-2.0
//
// How wide what is printed may be, and that it is only text.
#pragma once

#include <cstddef>
#include <string_view>

namespace hearsay::cli {

// The columns of standard output between 80 and 200: COLUMNS where that is set, else those of the terminal. Where there
// is neither (a pipe, a file), text has 100 and tables stay whole, for whoever reads them by line.
std::size_t text_width();
std::size_t table_width();

// Prints on standard output what may have names of data in it: those must not tell the terminal what to do.
void print_text(std::string_view text);

}  // namespace hearsay::cli
