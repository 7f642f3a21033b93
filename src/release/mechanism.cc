// SPDX-License-Identifier: Apache-2.0
#include "release/mechanism.h"

#include "base/errors.h"

namespace hearsay::release {

CountMatrix with_population(CountMatrix counts, std::optional<std::size_t> population, std::size_t users) {
  if (!population) return counts;
  if (*population < users) {
    throw ConfigError("data.population", std::to_string(*population),
                      "the data has more people; state how many there are in all, seen or not");
  }
  for (double& count : counts.series(counts.rois() - 1)) count += static_cast<double>(*population - users);
  return counts;
}

}  // namespace hearsay::release
