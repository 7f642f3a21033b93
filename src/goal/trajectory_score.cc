// SPDX-License-Identifier: Apache-2.0
#include "goal/trajectory_score.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "base/random.h"
#include "trajectory/matching.h"

namespace hearsay::goal {
namespace {

// Who of the recovered is at each place, in one epoch.
class WhoIsWhere {
 public:
  explicit WhoIsWhere(std::span<const std::uint32_t> places) : people_(places.size()) {
    std::iota(people_.begin(), people_.end(), 0U);
    std::stable_sort(people_.begin(), people_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return places[a] < places[b]; });
    for (std::size_t i = 0; i < people_.size(); ++i) {
      const std::uint32_t place = places[people_[i]];
      if (places_.empty() || places_.back() != place) {
        places_.push_back(place);
        begins_.push_back(i);
      }
    }
    begins_.push_back(people_.size());
  }
  std::span<const std::uint32_t> at(std::uint32_t place) const {
    const auto found = std::lower_bound(places_.begin(), places_.end(), place);
    if (found == places_.end() || *found != place) return {};
    const auto row = static_cast<std::size_t>(found - places_.begin());
    return std::span(people_).subspan(begins_[row], begins_[row + 1] - begins_[row]);
  }

 private:
  std::vector<std::uint32_t> people_;  // by place
  std::vector<std::uint32_t> places_;
  std::vector<std::size_t> begins_;
};

}  // namespace

TrajectoryScore score_paths(const trajectory::Paths& paths, const Traces& truth, std::uint32_t null,
                            std::size_t threads, const std::function<void()>& check) {
  const std::size_t people = paths.people();
  const std::size_t epochs = paths.epochs();
  std::vector<WhoIsWhere> where;
  where.reserve(epochs);
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) where.emplace_back(paths.at(epoch));
  // Hours right, less than 0: a cost.
  trajectory::CostMatrix costs(people);
  std::vector<std::uint32_t> active(people);
  parallel_for(people, threads, [&](std::size_t person, std::size_t) {
    std::int32_t* row = costs.row(person);
    std::vector<bool> out(epochs);
    for (const std::uint32_t cell : truth.of(person)) {
      const std::size_t epoch = cell % epochs;
      out[epoch] = true;
      for (const std::uint32_t one : where[epoch].at(static_cast<std::uint32_t>(cell / epochs))) --row[one];
    }
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
      active[person] += out[epoch] ? 1 : 0;
      if (out[epoch]) continue;
      for (const std::uint32_t one : where[epoch].at(null)) --row[one];
    }
  });
  check();
  const std::vector<std::uint32_t> match = trajectory::cheapest_matching(costs, check);

  TrajectoryScore score;
  for (std::size_t person = 0; person < people; ++person) {
    std::size_t right = 0;
    for (const std::uint32_t cell : truth.of(person)) {
      right += paths.at(cell % epochs)[match[person]] == cell / epochs ? 1 : 0;
    }
    score.right.push_back(-costs.row(person)[match[person]] / static_cast<double>(epochs));
    score.right_active.push_back(active[person] > 0 ? static_cast<double>(right) / active[person]
                                                    : std::numeric_limits<double>::quiet_NaN());
  }
  return score;
}

trajectory::Paths shuffled(const trajectory::Paths& paths, std::uint64_t seed) {
  trajectory::Paths dealt = paths;
  for (std::size_t epoch = 0; epoch < paths.epochs(); ++epoch) {
    SeededBits bits(mix(mix(seed, "shuffled"), epoch));
    shuffle(dealt.at(epoch), bits);
  }
  return dealt;
}

}  // namespace hearsay::goal
