// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace hearsay::look {

// Returns text as a basic string of TOML. Control characters and marks that change the direction of writing are
// escaped, so that the study can be printed.
std::string toml_text(const std::string& text);

// Returns text with such characters beyond ASCII as \uXXXX, which is their escape in JSON, too.
std::string with_escapes(const std::string& text);

// Returns one text so, or several as an array.
std::string toml_texts(const std::vector<std::string>& texts);

}  // namespace hearsay::look
