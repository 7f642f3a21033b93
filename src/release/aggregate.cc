// SPDX-License-Identifier: Apache-2.0
#include "release/aggregate.h"

#include "base/parallel.h"

namespace hearsay::release {

Release aggregate(const dataset::Truth& truth, std::size_t threads) {
  const std::size_t rois = truth.crowd().rois;
  Release release(rois, truth.epochs());
  std::vector<std::vector<double>> counts(threads, std::vector<double>(rois));
  parallel_for(truth.epochs(), threads, [&](std::size_t e, std::size_t worker) {
    const auto epoch = static_cast<EpochId>(e);
    const dataset::EpochVisits visits = truth.at(epoch);
    std::vector<double>& count = counts[worker];
    count.assign(rois, 0.0);
    for (const RoiId roi : visits.rois) ++count[index_of(roi)];
    count.back() = static_cast<double>(truth.crowd().users - visits.users.size());
    release.set(epoch, count);
  });
  return release;
}

}  // namespace hearsay::release
