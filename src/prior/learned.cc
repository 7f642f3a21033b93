// SPDX-License-Identifier: Apache-2.0
#include "prior/learned.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors.h"
#include "base/parallel.h"
#include "prior/seasonal.h"

namespace hearsay::prior {
namespace {

constexpr double kFixedPoint = 0x1p32;  // of chances that are added up in any order
constexpr std::size_t kRangesAThread = 8;

class LearnedPrior final : public belief::Series {
 public:
  LearnedPrior(std::size_t tables, std::size_t rois) : rois_(rois), tables_(tables), elsewhere_(tables * rois) {}
  std::size_t tables() const override { return tables_.size(); }
  // A week of tables, or one for every epoch.
  std::size_t table_of(EpochId epoch) const override { return index_of(epoch) % tables_.size(); }
  belief::Beliefs table(std::size_t index) const override {
    return tables_[index].rates(std::span(elsewhere_).subspan(index * rois_, rois_));
  }
  std::uint64_t bytes() const override {
    std::uint64_t sum = elsewhere_.size() * sizeof(double);
    for (const belief::RowTable& table : tables_) sum += table.bytes();
    return sum;
  }
  std::span<const belief::Lesson> lessons() const override { return lessons_; }

  belief::RowTable& rows_of(std::size_t index) { return tables_[index]; }
  std::span<double> elsewhere_of(std::size_t index) { return std::span(elsewhere_).subspan(index * rois_, rois_); }
  void keep(std::vector<belief::Lesson> lessons) { lessons_ = std::move(lessons); }

 private:
  std::size_t rois_;
  std::vector<belief::RowTable> tables_;
  std::vector<double> elsewhere_;
  std::vector<belief::Lesson> lessons_;
};

// The rows of some users in one table, small until all are put together: a population of 4 million took 10.3 GiB at its
// peak where parts were tables, and takes 7.3.
struct Part {
  std::vector<UserId> users;
  std::vector<std::uint32_t> ends;     // by user, in rois
  std::vector<RoiId> rois;             // null left out
  std::vector<std::uint16_t> chances;  // positions on the grid: a row's ROIs, then null
  std::uint64_t null_of_others = 0;    // sum of the chances of null of users without a row, in fixed point

  void shrink() {
    users.shrink_to_fit();
    ends.shrink_to_fit();
    rois.shrink_to_fit();
    chances.shrink_to_fit();
  }
};

class Predictor {
 public:
  Predictor(const Ground& ground, const Learned& learned, std::size_t rois)
      : ground_(&ground), learned_(&learned), view_(ground, rois) {}

  // Fills a part for every table with the users of a range.
  void predict(const Knowledge& knowledge, belief::UserRange range, std::span<Part> parts) {
    const dataset::Calendar& calendar = ground_->calendar;
    traces_.gather(knowledge, range, ground_->recent ? calendar.epochs - 1 : calendar.observe);
    for (std::size_t i = 0; i < range.size(); ++i) {
      view_.open(traces_.of(i));
      const auto user = static_cast<UserId>(index_of(range.begin) + i);
      for (std::size_t table = 0; table < parts.size(); ++table) {
        view_.at(calendar.observe + static_cast<std::uint32_t>(table));
        predict_one(user, parts[table]);
      }
    }
    for (Part& part : parts) part.shrink();
  }

 private:
  void predict_one(UserId user, Part& part) {
    const double null = learned_->null.logit(view_.null());
    if (grid_.of_logit(-null) < out_) {
      part.null_of_others += static_cast<std::uint64_t>(grid_.chance(grid_.of_logit(null)) * kFixedPoint);
      return;
    }
    const std::span<const std::uint32_t> candidates = view_.candidates();
    places_.open(learned_->places, view_.person());
    for (const std::uint32_t roi : candidates) {
      const double logit = places_.logit(view_.cell(roi));
      if (logit < least_logit_) continue;  // most are
      const std::uint32_t chance = grid_.of_logit(logit);
      if (chance < listed_) continue;
      part.rois.push_back(static_cast<RoiId>(roi));
      part.chances.push_back(static_cast<std::uint16_t>(chance));
    }
    part.users.push_back(user);
    part.ends.push_back(static_cast<std::uint32_t>(part.rois.size()));
    part.chances.push_back(static_cast<std::uint16_t>(grid_.of_logit(null)));
  }

  const Ground* ground_;
  const Learned* learned_;
  ChanceGrid grid_;
  std::uint32_t out_ = grid_.of_chance(kOut);
  std::uint32_t listed_ = grid_.of_chance(kListed);
  double least_logit_ = logit_of(kListed) - 1 / ChanceGrid::kSteps;
  Traces traces_;
  PersonView view_;
  ProductModel::Rest places_;
};

// What is left of the usual level of a place when its entries are taken away, spread over everybody else.
void fill_elsewhere(const belief::RowTable& table, std::uint64_t null_of_others, const Levels& levels,
                    std::uint32_t position, std::size_t users, std::span<double> elsewhere) {
  const ChanceGrid grid;
  std::vector<std::size_t> listed(elsewhere.size());
  std::fill(elsewhere.begin(), elsewhere.end(), 0);
  for (std::size_t i = 0; i < table.rois.size(); ++i) {
    ++listed[index_of(table.rois[i])];
    elsewhere[index_of(table.rois[i])] += table.weights[i];
  }
  const std::size_t null = elsewhere.size() - 1;
  for (std::size_t roi = 0; roi < null; ++roi) {
    const double left = levels.level(position, roi) * static_cast<double>(users) - elsewhere[roi];
    const double others = static_cast<double>(std::max<std::size_t>(1, users - listed[roi]));
    elsewhere[roi] = grid.chance(grid.of_chance(std::min(left / others, kListed)));
  }
  const std::size_t others = users - listed[null];
  const double mean = static_cast<double>(null_of_others) / kFixedPoint / static_cast<double>(others);
  elsewhere[null] = grid.chance(grid.of_chance(others == 0 ? 1 : mean));
}

void fill_tables(const Knowledge& knowledge, const Ground& ground, const Learned& learned, LearnedPrior& prior) {
  const std::size_t users = knowledge.observation.crowd().users;
  const std::size_t rois = knowledge.observation.crowd().rois;
  const RoiId null_roi = knowledge.observation.crowd().null_roi();
  const std::size_t size = std::clamp<std::size_t>(users / (kRangesAThread * knowledge.threads), 1,
                                                   std::max<std::size_t>(1, knowledge.blocks.users));
  const std::size_t ranges = (users + size - 1) / size;
  std::vector<std::vector<Part>> parts(ranges, std::vector<Part>(prior.tables()));
  std::vector<Predictor> predictors(knowledge.threads, Predictor(ground, learned, rois));
  parallel_for(ranges, knowledge.threads, [&](std::size_t range, std::size_t worker) {
    const belief::UserRange own = {static_cast<UserId>(range * size),
                                   static_cast<UserId>(std::min(users, (range + 1) * size))};
    predictors[worker].predict(knowledge, own, parts[range]);
  });
  const ChanceGrid grid;
  parallel_for(prior.tables(), knowledge.threads, [&](std::size_t table, std::size_t) {
    belief::RowTable& rows = prior.rows_of(table);
    std::size_t people = 0;
    std::size_t entries = 0;
    for (const std::vector<Part>& range : parts) {
      people += range[table].users.size();
      entries += range[table].chances.size();
    }
    rows.users.reserve(people);
    rows.begins.reserve(people + 1);
    rows.rois.reserve(entries);
    rows.weights.reserve(entries);
    std::uint64_t null_of_others = 0;
    for (std::vector<Part>& range : parts) {
      const Part part = std::exchange(range[table], {});
      null_of_others += part.null_of_others;
      auto chance = part.chances.begin();
      for (std::size_t row = 0, i = 0; row < part.users.size(); ++row) {
        for (; i < part.ends[row]; ++i) rows.add(part.users[row], part.rois[i], grid.chance(*chance++));
        rows.add(part.users[row], null_roi, grid.chance(*chance++));
      }
    }
    rows.close();
    const std::uint32_t week = one_week(ground.calendar);
    const auto position = static_cast<std::uint32_t>((ground.calendar.observe + table) % week);
    fill_elsewhere(rows, null_of_others, ground.levels, position, users, prior.elsewhere_of(table));
  });
}

}  // namespace

std::unique_ptr<belief::Series> make_learned(const Knowledge& knowledge, bool recent) {
  const dataset::Calendar& calendar = knowledge.observation.calendar();
  const std::size_t rois = knowledge.observation.crowd().rois;
  const std::vector<UserId> users = draw_users(knowledge);
  Learned learned;
  Ground ground = {calendar, calendar.observe, recent, Levels(knowledge, calendar.observe), {}};
  {
    Traces traces;
    traces.gather(knowledge, users, calendar.observe);
    Ground earlier = {calendar, earlier_part(calendar), recent, Levels(knowledge, earlier_part(calendar)), {}};
    if (recent) {
      earlier.moves = Moves(traces, rois, earlier.history);
      ground.moves = Moves(traces, rois, ground.history);
    }
    learned = learn(knowledge, earlier, users, traces);
  }
  const std::size_t tables = recent ? calendar.inference() : std::min(one_week(calendar), calendar.inference());
  auto prior = std::make_unique<LearnedPrior>(tables, rois);
  fill_tables(knowledge, ground, learned, *prior);
  prior->keep(std::move(learned.lessons));
  return prior;
}

void check_learned(const dataset::Calendar& calendar, const char* name) {
  const std::uint32_t needed = 2 * calendar.per_day();
  if (calendar.observe < needed) {
    throw ConfigError("period.observe", fmt::format("{} epochs", calendar.observe),
                      fmt::format("{} learns from one day what comes on another and needs an observation period of at "
                                  "least 2 days, {} epochs",
                                  name, needed));
  }
}

}  // namespace hearsay::prior
