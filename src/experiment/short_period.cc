// SPDX-License-Identifier: Apache-2.0
#include "experiment/short_period.h"

#include "base/errors.h"
#include "experiment/registry.h"

namespace hearsay::experiment {

std::vector<std::string> priors_for_short(const dataset::Calendar& calendar) {
  std::vector<std::string> names;
  bool all = true;
  const Registry registry;
  for (const prior::PriorEntry* entry : registry.priors) {
    try {
      entry->check(calendar);
      names.push_back(entry->info.name);
    } catch (const ConfigError&) {
      all = false;
    }
  }
  return all ? std::vector<std::string>{} : names;
}

}  // namespace hearsay::experiment
