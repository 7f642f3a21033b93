// SPDX-License-Identifier: Apache-2.0
#include "base/output_name.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/errors.h"
#include "base/text.h"

namespace hearsay {

void check_output_name(const std::string& parameter, const std::string& path) {
  constexpr std::size_t kLongest = 200;  // bytes; file systems take 255
  if (!is_utf8(path)) throw ConfigError(parameter, path, "is not UTF-8; choose a name that is");
  if (std::filesystem::path(path).lexically_normal().filename().string().size() > kLongest) {
    throw ConfigError(parameter, path, fmt::format("has a name of more than {} bytes; choose a shorter one", kLongest));
  }
}

}  // namespace hearsay
