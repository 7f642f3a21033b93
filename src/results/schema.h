// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/manifest.h"

namespace hearsay::results {

// A kind of JSON file of ours, and which versions of it are read.
struct Schema {
  std::string what;  // such as "a report"
  int oldest = 1;
  int newest = 1;
  std::string remedy;  // what to do about an older one
};

// Throws InputError for `path` where the file's `schema` is none that is read: it says who made it (`hearsay`, where
// the file has it) and what to do.
void check_schema(const Schema& schema, const Json& file, const std::string& path);

// Throws InputError where a folder holds no results, or results that this version does not read.
void check_results(const std::string& folder);

}  // namespace hearsay::results
