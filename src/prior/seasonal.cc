// SPDX-License-Identifier: Apache-2.0
#include "prior/seasonal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/radix_sort.h"

namespace hearsay::prior {
namespace {

constexpr std::size_t kParts = 64;

// Tables by position in a season; inference epoch t' is at position (observe + t') mod season.
class SeasonPrior final : public belief::Series {
 public:
  SeasonPrior(const dataset::Calendar& calendar, std::uint32_t season)
      : observe_(calendar.observe), tables_(season), beliefs_(season) {}
  std::size_t tables() const override { return tables_.size(); }
  std::size_t table_of(EpochId epoch) const override { return (observe_ + index_of(epoch)) % tables_.size(); }
  belief::Beliefs table(std::size_t index) const override { return beliefs_[index]; }
  std::uint64_t bytes() const override {
    std::uint64_t sum = uniform_.size() * sizeof(double);
    for (const belief::RowTable& table : tables_) sum += table.bytes();
    return sum;
  }

  belief::RowTable& rows_of(std::size_t index) { return tables_[index]; }
  void publish(std::size_t index, const belief::Beliefs& beliefs) { beliefs_[index] = beliefs; }
  const belief::Background& make_uniform(std::size_t rois) {
    uniform_.assign(rois, 1.0);
    uniform_.back() = 0.0;
    background_ = {uniform_, static_cast<double>(rois - 1)};
    return background_;
  }

 private:
  std::uint32_t observe_;
  std::vector<belief::RowTable> tables_;
  std::vector<belief::Beliefs> beliefs_;
  std::vector<double> uniform_;
  belief::Background background_;
};

// Visits of some users at one position of the observation period.
struct PositionVisits {
  std::vector<std::uint64_t> visits;   // user << 32 | ROI, in order, repeats kept
  std::vector<std::uint64_t> reports;  // user, once an epoch it was active in, in order
  std::uint32_t epochs = 0;            // that the position has
  std::vector<std::uint64_t> scratch;
};

// Users are counted from `first` to below `end`.
void collect(const dataset::Observation& observation, std::size_t position, std::uint32_t season, std::size_t first,
             std::size_t end, PositionVisits& found) {
  found.visits.clear();
  found.reports.clear();
  found.epochs = 0;
  for (std::size_t e = position; e < observation.calendar().observe; e += season) {
    ++found.epochs;
    const dataset::EpochVisits epoch = observation.at(static_cast<EpochId>(e));
    const auto at = std::lower_bound(epoch.users.begin(), epoch.users.end(), static_cast<UserId>(first));
    for (auto row = static_cast<std::size_t>(at - epoch.users.begin());
         row < epoch.users.size() && index_of(epoch.users[row]) < end; ++row) {
      const auto user = static_cast<std::uint64_t>(epoch.users[row]);
      found.reports.push_back(user);
      for (const RoiId roi : epoch.rois_of(row)) found.visits.push_back(user << 32 | static_cast<std::uint32_t>(roi));
    }
  }
  radix_sort(found.visits, found.scratch);
  radix_sort(found.reports, found.scratch);
}

void fill_roi_table(const PositionVisits& found, RoiId null_roi, belief::RowTable& table) {
  auto report = found.reports.begin();
  for (auto visit = found.visits.begin(); visit != found.visits.end();) {
    const std::uint64_t user = *visit >> 32;
    for (; visit != found.visits.end() && *visit >> 32 == user;) {
      const auto same = std::find_if(visit, found.visits.end(), [&](std::uint64_t key) { return key != *visit; });
      table.add(static_cast<UserId>(user), static_cast<RoiId>(*visit & 0xffffffffU), static_cast<double>(same - visit));
      visit = same;
    }
    const auto next = std::find_if(report, found.reports.end(), [&](std::uint64_t other) { return other != user; });
    const auto absent = found.epochs - static_cast<std::uint32_t>(next - report);
    if (absent > 0) table.add(static_cast<UserId>(user), null_roi, absent);
    report = next;
  }
}

// Calls fill(position, found, table) for ranges of users, several at once, and puts the tables of a position together.
template <typename Fill>
void fill_tables(const Knowledge& knowledge, std::uint32_t season, SeasonPrior& prior, const Fill& fill) {
  const std::size_t users = knowledge.observation.crowd().users;
  // Few positions have many visits each.
  const std::size_t most = users / knowledge.blocks.range_users;
  const std::size_t ranges = std::max<std::size_t>(1, std::min<std::size_t>(kParts / season, most));
  std::vector<PositionVisits> found(knowledge.threads);
  std::vector<belief::RowTable> parts(ranges > 1 ? season * ranges : 0);
  parallel_for(season * ranges, knowledge.threads, [&](std::size_t i, std::size_t worker) {
    const std::size_t position = i / ranges;
    const std::size_t range = i % ranges;
    collect(knowledge.observation, position, season, users * range / ranges, users * (range + 1) / ranges,
            found[worker]);
    fill(found[worker], ranges > 1 ? parts[i] : prior.rows_of(position));
  });
  parallel_for(season, knowledge.threads, [&](std::size_t position, std::size_t) {
    for (std::size_t range = 0; ranges > 1 && range < ranges; ++range) {
      prior.rows_of(position).append(std::exchange(parts[position * ranges + range], {}));
    }
    prior.rows_of(position).close();
  });
}

class LastPrior final : public belief::Series {
 public:
  LastPrior(const Knowledge& knowledge, std::uint32_t lag)
      : past_(knowledge.past), epochs_(knowledge.observation.calendar().inference()), lag_(lag) {}
  std::size_t tables() const override { return epochs_; }
  std::size_t table_of(EpochId epoch) const override { return index_of(epoch); }
  belief::Beliefs table(std::size_t index) const override {
    const dataset::EpochVisits visits = past_.before(static_cast<EpochId>(index), lag_);
    belief::Assignment assignment;
    assignment.users = visits.users;
    assignment.begins = visits.begins;
    assignment.rois = visits.rois;
    return assignment;
  }

 private:
  dataset::Past past_;
  std::size_t epochs_;
  std::uint32_t lag_;
};

}  // namespace

std::unique_ptr<belief::Series> make_roi_season(const Knowledge& knowledge, std::uint32_t season) {
  auto prior = std::make_unique<SeasonPrior>(knowledge.observation.calendar(), season);
  const RoiId null_roi = knowledge.observation.crowd().null_roi();
  fill_tables(knowledge, season, *prior,
              [&](const PositionVisits& found, belief::RowTable& table) { fill_roi_table(found, null_roi, table); });
  for (std::uint32_t position = 0; position < season; ++position) {
    belief::Rows rows = prior->rows_of(position).rows();
    rows.trials = epochs_at_position(knowledge.observation.calendar().observe, season, position);
    prior->publish(position, rows);
  }
  return prior;
}

std::unique_ptr<belief::Series> make_time_season(const Knowledge& knowledge, std::uint32_t season) {
  auto prior = std::make_unique<SeasonPrior>(knowledge.observation.calendar(), season);
  const belief::Background& uniform = prior->make_uniform(knowledge.observation.crowd().rois);
  fill_tables(knowledge, season, *prior, [](const PositionVisits& found, belief::RowTable& table) {
    for (const std::uint64_t user : found.reports) {
      if (table.users.empty() || index_of(table.users.back()) != user) table.users.push_back(static_cast<UserId>(user));
    }
  });
  for (std::size_t position = 0; position < season; ++position) {
    prior->publish(position, belief::Shared{prior->rows_of(position).users, uniform});
  }
  return prior;
}

std::unique_ptr<belief::Series> make_last_season(const Knowledge& knowledge, std::uint32_t lag) {
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
