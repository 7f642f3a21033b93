// SPDX-License-Identifier: Apache-2.0
#include "base/regular_file.h"

#include <filesystem>

#include "base/errors.h"
#include "base/text.h"

namespace hearsay {

void require_regular_file(const std::string& path) {
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(path, problem);
  const char* what = nullptr;
  switch (status.type()) {
    case std::filesystem::file_type::fifo:
      what = "a pipe";
      break;
    case std::filesystem::file_type::socket:
      what = "a socket";
      break;
    case std::filesystem::file_type::character:
    case std::filesystem::file_type::block:
      what = "a device";
      break;
    default:
      return;
  }
  throw InputError({one_line(path), 0, ""},
                   std::string("is ") + what + ", which is not read; write what it gives to a file, and name that file");
}

}  // namespace hearsay
