// SPDX-License-Identifier: Apache-2.0
//
// What this program is: for `hearsay --version`, hs.build_info() and whoever reports a bug.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hearsay::about {

// Version, commit (where it was built from a git tree), compiler, build type, system, the versions of libraries that
// are loaded, and the schema of every kind of file that it writes, each by name. The same tree, compiler and settings
// give the same; the date is there where SOURCE_DATE_EPOCH was set for the build.
std::vector<std::pair<std::string, std::string>> facts();

// The facts as lines. The first is "hearsay X.Y.Z", for scripts.
std::string facts_text();

}  // namespace hearsay::about
