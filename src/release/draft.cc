// SPDX-License-Identifier: Apache-2.0
#include "release/draft.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/errors.h"
#include "base/radix_sort.h"
#include "ingest/visit_list.h"
#include "release/aggregate.h"

namespace hearsay::release {
namespace {

// People declared but not seen.
double unseen_of(std::optional<std::size_t> population, std::size_t users) {
  if (population && *population < users) {
    throw ConfigError("data.population", std::to_string(*population),
                      "the data has more people; state how many there are in all, seen or not");
  }
  return static_cast<double>(population.value_or(users) - users);
}

void add_to_null(CountMatrix& counts, double people) {
  for (double& count : counts.series(counts.rois() - 1)) count += people;
}

std::shared_ptr<const CountMatrix> counted(const dataset::Truth& visits, std::optional<std::size_t> population,
                                           std::size_t left_out, std::size_t threads) {
  const double unseen = unseen_of(population, visits.crowd().users);
  auto counts = std::make_shared<CountMatrix>(aggregate(visits, threads));
  add_to_null(*counts, unseen - static_cast<double>(left_out));
  return counts;
}

// How many of them the largest coarse one has.
std::uint32_t longest(const std::vector<std::uint32_t>& coarse_of) {
  std::map<std::uint32_t, std::uint32_t> sizes;
  std::uint32_t most = 1;
  for (const std::uint32_t at : coarse_of) most = std::max(most, ++sizes[at]);
  return most;
}

}  // namespace

Draft::Draft(const dataset::Truth& truth, std::optional<std::size_t> population, std::size_t threads)
    : geometry_(std::make_shared<Geometry>(Geometry::fine(truth.crowd().rois - 1, truth.epochs()))),
      reach_(truth.crowd().rois - 1, truth.epochs(), truth.epoch_seconds()),
      visits_(truth),
      counts_(counted(truth, population, 0, threads)),
      population_(population),
      threads_(threads) {}

void Draft::replace_visits(std::vector<std::vector<std::uint64_t>> visits) {
  own_visits_ = std::make_shared<dataset::VisitStore>(std::move(visits), threads_);
  dataset::Crowd crowd = visits_.crowd();
  if (crowd.rois != geometry_->places + 1) {
    crowd.rois = geometry_->places + 1;
    crowd.columns = 0;
    crowd.zones = {};
  }
  visits_ = {*own_visits_, {.epochs = static_cast<std::uint32_t>(geometry_->epochs)}, crowd};
  answers_.reset();
  counts_ = counted(visits_, population_, left_out_, threads_);
}

Draft Draft::with_visits(std::vector<std::vector<std::uint64_t>> visits) const {
  Draft next = *this;
  next.replace_visits(std::move(visits));
  return next;
}

Draft Draft::bounded(std::vector<std::vector<std::uint64_t>> visits, Window window, std::uint64_t most) const {
  Draft next = with_visits(std::move(visits));
  next.reach_.bound(window, most);
  return next;
}

Draft Draft::sampled(std::vector<std::vector<std::uint64_t>> visits, double rate) const {
  Draft next = with_visits(std::move(visits));
  auto geometry = std::make_shared<Geometry>(*geometry_);
  geometry->share *= rate;
  next.geometry_ = std::move(geometry);
  return next;
}

Draft Draft::merged(const std::vector<std::uint32_t>& place_of, std::size_t places,
                    const std::vector<std::uint32_t>& epoch_of, std::size_t epochs) const {
  std::vector<std::vector<std::uint64_t>> visits(epochs);
  for (std::size_t e = 0; e < epoch_of.size(); ++e) {
    const dataset::EpochVisits epoch = visits_.at(static_cast<EpochId>(e));
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      for (const RoiId roi : epoch.rois_of(row)) {
        visits[epoch_of[e]].push_back(
            ingest::VisitList::key(static_cast<std::uint32_t>(epoch.users[row]), place_of[index_of(roi)]));
      }
    }
  }
  std::vector<std::uint64_t> scratch;
  for (std::vector<std::uint64_t>& keys : visits) {
    radix_sort(keys, scratch);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }
  Draft next = *this;
  auto geometry = std::make_shared<Geometry>(*geometry_);
  geometry->places = places;
  geometry->epochs = epochs;
  for (std::uint32_t& place : geometry->place_of) place = place_of[place];
  for (std::uint32_t& epoch : geometry->epoch_of) epoch = epoch_of[epoch];
  next.geometry_ = std::move(geometry);
  next.reach_.coarsen(places, epochs, longest(epoch_of) * reach_.epoch_seconds());
  next.replace_visits(std::move(visits));
  return next;
}

Draft Draft::with_counts(CountMatrix counts, std::vector<Missing> missing) const {
  Draft next = *this;
  next.counts_ = std::make_shared<CountMatrix>(std::move(counts));
  next.missing_.insert(next.missing_.end(), missing.begin(), missing.end());
  std::sort(next.missing_.begin(), next.missing_.end(),
            [](const Missing& a, const Missing& b) { return std::tie(a.epoch, a.place) < std::tie(b.epoch, b.place); });
  return next;
}

Draft Draft::without(UserId user, bool visits) const {
  Draft next = *this;
  next.left_out_ = left_out_ + 1;
  CountMatrix counts = *counts_;
  std::vector<std::vector<std::uint64_t>> others(visits ? visits_.epochs() : 0);
  for (std::size_t e = 0; e < visits_.epochs(); ++e) {
    const dataset::EpochVisits epoch = visits_.at(static_cast<EpochId>(e));
    const auto found = std::lower_bound(epoch.users.begin(), epoch.users.end(), user);
    const auto own = static_cast<std::size_t>(found - epoch.users.begin());
    if (found == epoch.users.end() || *found != user) {
      counts.series(counts.rois() - 1)[e] -= 1;
    } else {
      for (const RoiId roi : epoch.rois_of(own)) counts.series(index_of(roi))[e] -= 1;
    }
    for (std::size_t row = 0; visits && row < epoch.users.size(); ++row) {
      if (epoch.users[row] == user) continue;
      for (const RoiId roi : epoch.rois_of(row)) {
        others[e].push_back(
            ingest::VisitList::key(static_cast<std::uint32_t>(epoch.users[row]), static_cast<std::uint32_t>(roi)));
      }
    }
  }
  if (visits) next.replace_visits(std::move(others));
  next.counts_ = std::make_shared<CountMatrix>(std::move(counts));
  return next;
}

Draft Draft::of_everybody(CountMatrix counts, Answers answers, std::optional<std::size_t> population) const {
  Draft next = *this;
  dataset::Crowd crowd = visits_.crowd();
  crowd.users = crowd.people();
  crowd.others = 0;
  crowd.ranks = {};
  crowd.numbers = {};
  const double unseen = unseen_of(population, crowd.users);
  next.own_visits_ =
      std::make_shared<dataset::VisitStore>(std::vector<std::vector<std::uint64_t>>(geometry_->epochs), threads_);
  next.visits_ = {*next.own_visits_, {.epochs = static_cast<std::uint32_t>(geometry_->epochs)}, crowd};
  next.population_ = population;
  add_to_null(counts, unseen);
  if (answers.reports) add_to_null(*answers.reports, unseen);
  next.counts_ = std::make_shared<CountMatrix>(std::move(counts));
  next.answers_ = std::make_shared<Answers>(std::move(answers));
  return next;
}

Draft Draft::less(const CountMatrix& counts, const Answers& answers) const {
  Draft next = *this;
  next.left_out_ = left_out_ + 1;
  CountMatrix left = *counts_;
  std::transform(left.all().begin(), left.all().end(), counts.all().begin(), left.all().begin(), std::minus<>());
  next.counts_ = std::make_shared<CountMatrix>(std::move(left));
  if (answers_ == nullptr) return next;
  Answers others = *answers_;
  others.remove(answers);
  next.answers_ = std::make_shared<Answers>(std::move(others));
  return next;
}

std::shared_ptr<const dataset::VisitStore> Draft::fine_visits() const {
  std::vector<std::vector<std::uint32_t>> places(geometry_->places);  // fine ones, of each
  for (std::uint32_t fine = 0; fine < geometry_->place_of.size(); ++fine) {
    places[geometry_->place_of[fine]].push_back(fine);
  }
  std::vector<std::vector<std::uint64_t>> visits(geometry_->epoch_of.size());
  for (std::size_t e = 0; e < visits.size(); ++e) {
    const dataset::EpochVisits epoch = visits_.at(static_cast<EpochId>(geometry_->epoch_of[e]));
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      for (const RoiId roi : epoch.rois_of(row)) {
        for (const std::uint32_t fine : places[index_of(roi)]) {
          visits[e].push_back(ingest::VisitList::key(static_cast<std::uint32_t>(epoch.users[row]), fine));
        }
      }
    }
    std::sort(visits[e].begin(), visits[e].end());
  }
  return std::make_shared<dataset::VisitStore>(std::move(visits), threads_);
}

Published Draft::publish(Guarantee guarantee, Rule rule) const {
  return {*counts_, *geometry_, users(), missing_, std::move(guarantee), rule};
}

}  // namespace hearsay::release
