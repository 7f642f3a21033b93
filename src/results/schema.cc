// SPDX-License-Identifier: Apache-2.0
#include "results/schema.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>

#include "base/errors.h"
#include "base/regular_file.h"
#include "base/text.h"
#include "results/parse_json.h"

namespace hearsay::results {

void check_schema(const Schema& schema, const Json& file, const std::string& path) {
  const auto found = file.is_object() ? file.find("schema") : file.end();
  if (found == file.end() || !found->is_number_unsigned()) {
    throw InputError({path, 0, ""}, fmt::format("not {}: it has no number of its version", schema.what));
  }
  const auto number = found->get<std::uint64_t>();
  if (number >= static_cast<std::uint64_t>(schema.oldest) && number <= static_cast<std::uint64_t>(schema.newest)) {
    return;
  }
  const auto by = file.find("hearsay");
  const std::string maker =
      by != file.end() && by->is_string() ? ", made by hearsay " + one_line(by->get<std::string>()) : "";
  const std::string read = schema.oldest == schema.newest
                               ? fmt::format("version {}", schema.newest)
                               : fmt::format("versions {} to {}", schema.oldest, schema.newest);
  const bool newer = number > static_cast<std::uint64_t>(schema.newest);
  throw InputError({path, 0, ""},
                   fmt::format("{} of version {}{}; this is hearsay {}, which reads {}: {}", schema.what, number, maker,
                               version(), read, newer ? "upgrade hearsay" : schema.remedy));
}

void check_results(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / kManifestName).string();
  const auto text = read_regular_file(path, kMostManifestBytes);
  if (!text) throw InputError({folder, 0, ""}, fmt::format("not a folder of results: it has no {}", kManifestName));
  check_schema({"results", 1, kManifestSchema, "run the study again"}, parse_json(*text).value_or(Json()), path);
}

}  // namespace hearsay::results
