// SPDX-License-Identifier: Apache-2.0
#include "goal/group_publisher.h"

#include <algorithm>
#include <limits>

#include "ingest/visit_list.h"
#include "release/noise_source.h"

namespace hearsay::goal {

GroupPublisher::GroupPublisher(const Ground& ground, const Defence* defence, const membership::Grid& grid,
                               std::size_t group)
    : ground_(ground),
      defence_(defence),
      grid_(grid),
      group_(group),
      geometry_(release::Geometry::fine(grid.places, grid.epochs)) {
  if (raw()) return;
  nobody_.emplace(std::vector<std::vector<std::uint64_t>>(grid.epochs), 1);
  const dataset::Truth truth(
      *nobody_,
      {.epoch_seconds = ground.dataset.calendar().epoch_seconds, .epochs = static_cast<std::uint32_t>(grid.epochs)},
      {.users = group,
       .rois = grid.places + 1,
       .columns = ground.dataset.crowd().columns,
       .zones = ground.dataset.crowd().zones});
  empty_.emplace(truth, group, 1);
  const release::Chain& chain = defence->chain;
  const release::Draft prepared = chain.prepare(*empty_, *defence->noise(ground.seed, 0));
  geometry_ = prepared.geometry();
  rule_ = chain.rule(prepared);
  guarantee_ = chain.guarantee(prepared);
}

bool GroupPublisher::by_cell() const {
  return raw() || (defence_->chain.by_cell() && defence_->post_process != release::PostProcess::kProjected);
}

release::Draft GroupPublisher::draft_of(People people, std::span<const double> counts) const {
  if (reads_visits()) {
    std::vector<std::vector<std::uint64_t>> visits(grid_.epochs);
    for (std::size_t member = 0; member < people.size(); ++member) {
      for (const std::uint32_t cell : people[member]) {
        visits[cell % grid_.epochs].push_back(ingest::VisitList::key(static_cast<std::uint32_t>(member),
                                                                     static_cast<std::uint32_t>(cell / grid_.epochs)));
      }
    }
    for (std::vector<std::uint64_t>& keys : visits) std::sort(keys.begin(), keys.end());
    return empty_->with_visits(std::move(visits));
  }
  release::CountMatrix matrix(grid_.places + 1, grid_.epochs);
  std::copy(counts.begin(), counts.end(), matrix.all().begin());
  return empty_->with_counts(std::move(matrix));
}

void GroupPublisher::publish(People people, std::span<const double> counts, std::uint64_t draw,
                             std::span<double> published) const {
  if (raw()) {
    std::copy(counts.begin(), counts.end(), published.begin());
    return;
  }
  publish(draft_of(people, counts), draw, published);
}

void GroupPublisher::publish(const release::Draft& group, std::uint64_t draw, std::span<double> published) const {
  const release::Chain& chain = defence_->chain;
  const auto noise = defence_->noise(mix(ground_.seed, "membership"), draw);
  const release::Draft draft = chain.run(group, *noise);
  release::CountMatrix matrix = draft.counts();
  release::post_process(matrix, defence_->post_process, group_);
  for (const release::Missing& missing : draft.missing()) {
    matrix.series(missing.place)[missing.epoch] = std::numeric_limits<double>::quiet_NaN();
  }
  const double share = draft.geometry().share;
  std::transform(matrix.all().begin(), matrix.all().begin() + static_cast<std::ptrdiff_t>(published.size()),
                 published.begin(), [&](double count) { return count / share; });
}

}  // namespace hearsay::goal
