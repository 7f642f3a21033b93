// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace hearsay::cli {

// From now on SIGINT and SIGTERM remove what is half written and end the program with 128 + the signal's number;
// SIGABRT does so with 1, where there is still memory for it. Call before any other thread is started.
void end_cleanly_on_signals();

}  // namespace hearsay::cli
