// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/entry.h"

namespace hearsay::cli {

// A registered prior, attack, decision, mechanism, metric or goal, or a term of answers, as `list` and `explain` show
// it.
struct CatalogueItem {
  const EntryInfo* info = nullptr;
  std::string kind;   // "prior", "attack", "term"
  std::string notes;  // what else to know, one sentence; may be empty
};

// All of them, kind by kind, each in the paper's order.
std::vector<CatalogueItem> catalogue();

// Words in lines of at most `width` characters, each line indented.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = 100);

}  // namespace hearsay::cli
