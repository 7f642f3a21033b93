// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace hearsay {

// Of this program and library, such as "0.2.0".
const char* version();

}  // namespace hearsay
