// SPDX-License-Identifier: Apache-2.0
#include "release/published.h"

#include <utility>

namespace hearsay::release {

Published::Published(Release counts)
    : geometry_(Geometry::fine(counts.rois() - 1, counts.epochs())),
      counts_(std::make_shared<const Release>(std::move(counts))),
      fine_(counts_) {}

Published::Published(const CountMatrix& counts, Geometry geometry, std::size_t users, std::vector<Missing> missing,
                     Guarantee guarantee, Rule rule)
    : geometry_(std::move(geometry)),
      counts_(std::make_shared<const Release>(counts.to_release())),
      fine_(geometry_.is_fine() ? counts_
                                : std::make_shared<const Release>(expanded(counts, geometry_, users).to_release())),
      missing_(std::move(missing)),
      guarantee_(std::move(guarantee)),
      rule_(rule) {}

}  // namespace hearsay::release
