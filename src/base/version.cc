// SPDX-License-Identifier: Apache-2.0
#include "base/version.h"

namespace hearsay {

const char* version() {
  return HEARSAY_VERSION;
}

}  // namespace hearsay
