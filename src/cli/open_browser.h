// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hearsay::cli {

// Shows a link in the user's browser, where there is a screen and one is known. The link, which may hold a secret, goes
// through a file in `folder` that nobody else can read, not over the command line, which everybody can.
void open_in_browser(const std::string& link, const std::string& folder);

}  // namespace hearsay::cli
