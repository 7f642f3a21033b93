// SPDX-License-Identifier: Apache-2.0
#include "report/words.h"

#include <fmt/format.h>

#include "prior/prior.h"

namespace hearsay::report {

std::string knows(const std::string& prior) {
  for (const prior::PriorEntry* entry : prior::all_priors()) {
    if (entry->info.name != prior) continue;
    std::string text = entry->info.summary;
    const std::string start = "She knows ";
    if (text.starts_with(start)) text.erase(0, start.size());
    if (text.ends_with('.')) text.pop_back();
    return text;
  }
  return prior;
}

std::string share_words(double share) {
  if (share > 0 && share < 0.0005) return "less than 0.1%";
  if (share < 1 && share > 0.9995) return "more than 99.9%";
  return fmt::format("{:.{}f}%", share * 100, share > 0 && (share < 0.0995 || share > 0.995) && share < 1 ? 1 : 0);
}

std::string release_words(const std::string& release, const std::string& parameter) {
  return parameter.empty() ? release : release + " " + parameter;
}

}  // namespace hearsay::report
