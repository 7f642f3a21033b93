// SPDX-License-Identifier: Apache-2.0
#include "prior/seasonal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.h"
#include "base/parallel.h"

namespace hearsay::prior {
namespace {

// Tables by position in a season; inference epoch t' is at position (observe + t') mod season.
class SeasonPrior final : public Prior {
 public:
  SeasonPrior(const dataset::Calendar& calendar, std::uint32_t season)
      : observe_(calendar.observe), tables_(season), beliefs_(season) {}
  std::size_t tables() const override { return tables_.size(); }
  std::size_t table_of(EpochId epoch) const override { return (observe_ + index_of(epoch)) % tables_.size(); }
  Beliefs table(std::size_t index) const override { return beliefs_[index]; }

  BeliefTable& own(std::size_t index) { return tables_[index]; }
  void publish(std::size_t index, const Beliefs& beliefs) { beliefs_[index] = beliefs; }
  const Background& make_uniform(std::size_t rois) {
    uniform_.assign(rois, 1.0);
    uniform_.back() = 0.0;
    background_ = {uniform_, static_cast<double>(rois - 1)};
    return background_;
  }

 private:
  std::uint32_t observe_;
  std::vector<BeliefTable> tables_;
  std::vector<Beliefs> beliefs_;
  std::vector<double> uniform_;
  Background background_;
};

// Visits of the observation period at one position, as (user, ROI) keys in order, repeats kept. Also how many epochs
// the position has and in how many of them each listed user reported nothing.
struct PositionVisits {
  std::vector<std::uint64_t> visits;   // user << 32 | ROI
  std::vector<std::uint32_t> reports;  // user, once an epoch it was active in
  std::uint32_t epochs = 0;
};

PositionVisits collect(const dataset::Observation& observation, std::size_t position, std::uint32_t season) {
  PositionVisits found;
  for (std::size_t e = position; e < observation.calendar().observe; e += season) {
    ++found.epochs;
    const dataset::EpochVisits epoch = observation.at(static_cast<EpochId>(e));
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      const auto user = static_cast<std::uint32_t>(epoch.users[row]);
      found.reports.push_back(user);
      for (const RoiId roi : epoch.rois_of(row)) {
        found.visits.push_back(static_cast<std::uint64_t>(user) << 32 | static_cast<std::uint32_t>(roi));
      }
    }
  }
  std::sort(found.visits.begin(), found.visits.end());
  std::sort(found.reports.begin(), found.reports.end());
  return found;
}

void fill_roi_table(const PositionVisits& found, RoiId null_roi, BeliefTable& table) {
  auto report = found.reports.begin();
  for (auto visit = found.visits.begin(); visit != found.visits.end();) {
    const auto user = static_cast<std::uint32_t>(*visit >> 32);
    for (; visit != found.visits.end() && *visit >> 32 == user;) {
      const auto same = std::find_if(visit, found.visits.end(), [&](std::uint64_t key) { return key != *visit; });
      table.add(static_cast<UserId>(user), static_cast<RoiId>(*visit & 0xffffffffU), static_cast<double>(same - visit));
      visit = same;
    }
    const auto next = std::find_if(report, found.reports.end(), [&](std::uint32_t other) { return other != user; });
    const auto absent = found.epochs - static_cast<std::uint32_t>(next - report);
    if (absent > 0) table.add(static_cast<UserId>(user), null_roi, absent);
    report = next;
  }
  table.close();
}

class LastPrior final : public Prior {
 public:
  LastPrior(const Knowledge& knowledge, std::uint32_t lag)
      : past_(knowledge.past), epochs_(knowledge.observation.calendar().inference()), lag_(lag) {}
  std::size_t tables() const override { return epochs_; }
  std::size_t table_of(EpochId epoch) const override { return index_of(epoch); }
  Beliefs table(std::size_t index) const override {
    const dataset::EpochVisits visits = past_.before(static_cast<EpochId>(index), lag_);
    Beliefs beliefs;
    beliefs.users = visits.users;
    beliefs.begins = visits.begins;
    beliefs.rois = visits.rois;
    beliefs.binary = true;
    return beliefs;
  }

 private:
  dataset::Past past_;
  std::size_t epochs_;
  std::uint32_t lag_;
};

}  // namespace

std::unique_ptr<Prior> make_roi_season(const Knowledge& knowledge, std::uint32_t season) {
  auto prior = std::make_unique<SeasonPrior>(knowledge.observation.calendar(), season);
  parallel_for(season, knowledge.threads, [&](std::size_t position, std::size_t) {
    const PositionVisits found = collect(knowledge.observation, position, season);
    fill_roi_table(found, knowledge.observation.crowd().null_roi(), prior->own(position));
    prior->publish(position, prior->own(position).rows());
  });
  return prior;
}

std::unique_ptr<Prior> make_time_season(const Knowledge& knowledge, std::uint32_t season) {
  auto prior = std::make_unique<SeasonPrior>(knowledge.observation.calendar(), season);
  const Background& uniform = prior->make_uniform(knowledge.observation.crowd().rois);
  parallel_for(season, knowledge.threads, [&](std::size_t position, std::size_t) {
    PositionVisits found = collect(knowledge.observation, position, season);
    found.reports.erase(std::unique(found.reports.begin(), found.reports.end()), found.reports.end());
    BeliefTable& table = prior->own(position);
    for (const std::uint32_t user : found.reports) table.users.push_back(static_cast<UserId>(user));
    prior->publish(position, table.shared(uniform));
  });
  return prior;
}

std::unique_ptr<Prior> make_last_season(const Knowledge& knowledge, std::uint32_t lag) {
  return std::make_unique<LastPrior>(knowledge, lag);
}

void check_last_season(const dataset::Calendar& calendar, const char* name, std::uint32_t lag) {
  if (calendar.observe < lag) {
    throw ConfigError(
        "period.observe", fmt::format("{} epochs", calendar.observe),
        fmt::format("{} looks {} epochs back and needs an observation period at least that long", name, lag));
  }
}

}  // namespace hearsay::prior
