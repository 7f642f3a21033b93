// SPDX-License-Identifier: Apache-2.0
#include "dataset/observed_counts.h"

#include <cassert>

#include "base/bytes.h"
#include "base/parallel.h"

namespace hearsay::dataset {

void ObservedCounts::add(const ObservedCounts& others) {
  assert(rois == others.rois && visits.size() == others.visits.size());
  people += others.people;
  total += others.total;
  for (std::size_t i = 0; i < visits.size(); ++i) visits[i] += others.visits[i];
}

std::string ObservedCounts::to_bytes() const {
  BytesWriter bytes;
  bytes.put(calendar);
  bytes.put(static_cast<std::uint64_t>(people));
  bytes.put(static_cast<std::uint64_t>(rois));
  bytes.put(visits);
  bytes.put(total);
  return bytes.take();
}

ObservedCounts ObservedCounts::from_bytes(std::string_view bytes) {
  BytesReader reader(bytes);
  ObservedCounts counts;
  reader.get(counts.calendar);
  counts.people = reader.get<std::uint64_t>();
  counts.rois = reader.get<std::uint64_t>();
  reader.get(counts.visits);
  reader.get(counts.total);
  return counts;
}

ObservedCounts observed_counts(const Observation& observation, std::size_t threads) {
  const Calendar& calendar = observation.calendar();
  const Crowd& crowd = observation.crowd();
  ObservedCounts counts{calendar, crowd.users, crowd.rois,
                        std::vector<std::uint64_t>(std::size_t{calendar.observe} * crowd.rois), 0};
  parallel_for(calendar.observe, threads, [&](std::size_t e, std::size_t) {
    const EpochVisits epoch = observation.at(static_cast<EpochId>(e));
    const std::span<std::uint64_t> own = std::span(counts.visits).subspan(e * crowd.rois, crowd.rois);
    for (const RoiId roi : epoch.rois) ++own[index_of(roi)];
    own.back() = crowd.users - epoch.users.size();
  });
  for (std::uint32_t e = 0; e < calendar.observe; ++e) {
    counts.total += observation.at(static_cast<EpochId>(e)).rois.size();
  }
  return counts;
}

}  // namespace hearsay::dataset
