// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/entry.h"

namespace hearsay::cli {

// A registered prior, attack, decision, mechanism, metric or goal, a term of answers, or the head of a column, as
// `list` and `explain` show it.
struct CatalogueItem {
  const EntryInfo* info = nullptr;
  std::string kind;   // "prior", "attack", "term"
  std::string notes;  // what else to know, one sentence; may be empty
};

// All of them, kind by kind, each in the paper's order.
std::vector<CatalogueItem> catalogue();

// Words in lines of at most text_width() characters, each line indented. A longer word has a line of its own.
std::string wrapped(const std::string& text, std::size_t indent);

}  // namespace hearsay::cli
