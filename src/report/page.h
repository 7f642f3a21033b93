// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/manifest.h"

namespace hearsay::report {

inline constexpr const char* kDocumentName = "report.json";
inline constexpr const char* kPageName = "report.html";

// The report of a document as one self-contained page. No text of the document can end the element it stands in.
std::string page_html(const results::Json& document);

// Makes report.html of a result folder anew from its report.json and returns its path. Throws InputError where the
// folder has none, or one of another version.
std::string write_page(const std::string& folder);

}  // namespace hearsay::report
