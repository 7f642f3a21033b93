// SPDX-License-Identifier: Apache-2.0
//
// Files that users name. Only ordinary files are read: a named pipe would make the program wait for ever for somebody
// who writes into it, and what is read from it is gone for whoever reads it again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/descriptor.h"

namespace hearsay {

// Throws InputError where `path` is a pipe, a socket or a device. Call it before a library opens a file that the user
// names. It says nothing of files, of folders and of what is not there.
void require_regular_file(const std::string& path);

// Returns the text of a small file, read whole, or nothing where no file of that name exists. Throws InputError for
// `path` where the file is not an ordinary one, cannot be read, or has more than `most` bytes.
std::optional<std::string> read_regular_file(const std::string& path, std::uint64_t most);

// Does the same for a file that is open already. `path` is for messages.
std::string read_regular_file(const Descriptor& file, const std::string& path, std::uint64_t most);

}  // namespace hearsay
