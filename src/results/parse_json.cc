// SPDX-License-Identifier: Apache-2.0
#include "results/parse_json.h"

namespace hearsay::results {

std::optional<Json> parse_json(const std::string& text) {
  constexpr int kDeepest = 64;
  bool too_deep = false;
  const auto limit_depth = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  Json json = Json::parse(text, limit_depth, false);
  if (too_deep || json.is_discarded()) return std::nullopt;
  return json;
}

}  // namespace hearsay::results
