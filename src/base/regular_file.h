// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hearsay {

// Throws InputError where `path` is a pipe, a socket or a device: opening a pipe waits until somebody writes to it, and
// what is read from it is gone for whoever reads it again. Call it before a file that the user names is opened. It says
// nothing of files, of directories and of what is not there.
void require_regular_file(const std::string& path);

}  // namespace hearsay
