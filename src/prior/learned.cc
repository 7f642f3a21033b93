// SPDX-License-Identifier: Apache-2.0
#include "prior/learned.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/errors.h"
#include "base/parallel.h"
#include "prior/seasonal.h"

namespace hearsay::prior {
namespace {

constexpr double kFixedPoint = 0x1p32;  // of chances that are added up in any order
constexpr std::size_t kRangesAThread = 8;

std::uint64_t fixed_point(double chance) {
  return static_cast<std::uint64_t>(chance * kFixedPoint);
}

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
      part.null_of_others += fixed_point(grid_.chance(grid_.of_logit(null)));
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

// What of one table adds up over people. By ROI the sum of the chances listed, in fixed point (of null: of the chances
// of people without a row), and after that how many are listed.
class Sums {
 public:
  Sums(std::span<std::uint64_t> of_all, std::size_t table, std::size_t rois)
      : chances_(of_all.subspan(2 * table * rois, rois)), listed_(of_all.subspan((2 * table + 1) * rois, rois)) {}
  static std::size_t size(std::size_t tables, std::size_t rois) { return 2 * tables * rois; }

  void add(const belief::RowTable& table, std::uint64_t null_of_others) {
    for (std::size_t i = 0; i < table.rois.size(); ++i) {
      const std::size_t roi = index_of(table.rois[i]);
      ++listed_[roi];
      if (roi + 1 < chances_.size()) chances_[roi] += fixed_point(table.weights[i]);
    }
    chances_.back() += null_of_others;
  }

 private:
  std::span<std::uint64_t> chances_;
  std::span<std::uint64_t> listed_;
};

// What is left of the usual level of a place when its entries are taken away, spread over everybody else.
void fill_elsewhere(std::span<const std::uint64_t> sums, const Levels& levels, std::uint32_t position,
                    std::size_t people, std::span<double> elsewhere) {
  const ChanceGrid grid;
  const std::span<const std::uint64_t> chances = sums.first(elsewhere.size());
  const std::span<const std::uint64_t> listed = sums.last(elsewhere.size());
  const std::size_t null = elsewhere.size() - 1;
  for (std::size_t roi = 0; roi < null; ++roi) {
    const double entries = static_cast<double>(chances[roi]) / kFixedPoint;
    const double left = levels.level(position, roi) * static_cast<double>(people) - entries;
    const double others = static_cast<double>(std::max<std::size_t>(1, people - listed[roi]));
    elsewhere[roi] = grid.chance(grid.of_chance(std::min(left / others, kListed)));
  }
  const std::size_t others = people - listed[null];
  const double mean = static_cast<double>(chances[null]) / kFixedPoint / static_cast<double>(others);
  elsewhere[null] = grid.chance(grid.of_chance(others == 0 ? 1 : mean));
}

// Fills rows, and `sums` with what adds up.
void fill_tables(const Knowledge& knowledge, const Ground& ground, const Learned& learned, LearnedPrior& prior,
                 std::span<std::uint64_t> sums) {
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
    Sums(sums, table, rois).add(rows, null_of_others);
  });
}

class UnfinishedPrior final : public UnfinishedSeries {
 public:
  UnfinishedPrior(const Knowledge& knowledge, Ground ground, Learned learned, std::size_t tables, std::size_t people)
      : ground_(std::move(ground)),
        people_(people),
        threads_(knowledge.threads),
        rois_(knowledge.observation.crowd().rois),
        prior_(std::make_unique<LearnedPrior>(tables, rois_)),
        sums_(Sums::size(tables, rois_)) {
    fill_tables(knowledge, ground_, learned, *prior_, sums_);
    prior_->keep(std::move(learned.lessons));
  }

  std::span<const std::uint64_t> contribution() const override { return sums_; }

  std::unique_ptr<belief::Series> finish(std::span<const std::uint64_t> sum) override {
    assert(sum.size() == sums_.size());
    const std::uint32_t week = one_week(ground_.calendar);
    parallel_for(prior_->tables(), threads_, [&](std::size_t table, std::size_t) {
      const auto position = static_cast<std::uint32_t>((ground_.calendar.observe + table) % week);
      fill_elsewhere(sum.subspan(2 * table * rois_, 2 * rois_), ground_.levels, position, people_,
                     prior_->elsewhere_of(table));
    });
    return std::move(prior_);
  }

 private:
  Ground ground_;
  std::size_t people_;  // in all
  std::size_t threads_;
  std::size_t rois_;
  std::unique_ptr<LearnedPrior> prior_;
  std::vector<std::uint64_t> sums_;
};

class Learning final : public CrowdLearning {
 public:
  Learning(const dataset::ObservedCounts& counts, bool recent) : counts_(counts), recent_(recent) {}

  bool wants(std::uint32_t number) const override { return is_drawn(counts_, number); }

  std::string learn(const Knowledge& knowledge) const override {
    const dataset::Calendar& calendar = counts_.calendar;
    const std::vector<UserId> users = draw_users(counts_, knowledge.observation.crowd());
    Traces traces;
    traces.gather(knowledge, users, calendar.observe);
    const std::uint32_t history = earlier_part(calendar);
    const Ground earlier = {calendar, history, recent_, Levels(counts_, history), moves_in(traces, history)};
    BytesWriter bytes;
    moves_in(traces, calendar.observe).put(bytes);
    prior::learn(knowledge, earlier, users, traces).put(bytes);
    return bytes.take();
  }

  std::unique_ptr<UnfinishedSeries> predict(const Knowledge& share, const std::string& learned) const override {
    const dataset::Calendar& calendar = counts_.calendar;
    BytesReader bytes(learned);
    Ground ground = {calendar, calendar.observe, recent_, Levels(counts_, calendar.observe), {}};
    ground.moves.get(bytes);
    Learned fitted;
    fitted.get(bytes);
    const std::size_t tables = recent_ ? calendar.inference() : std::min(one_week(calendar), calendar.inference());
    return std::make_unique<UnfinishedPrior>(share, std::move(ground), std::move(fitted), tables, counts_.people);
  }

 private:
  Moves moves_in(const Traces& traces, std::uint32_t history) const {
    return recent_ ? Moves(traces, counts_.rois, history) : Moves();
  }

  const dataset::ObservedCounts& counts_;
  bool recent_;
};

}  // namespace

void Learned::put(BytesWriter& bytes) const {
  places.put(bytes);
  null.put(bytes);
  bytes.put(static_cast<std::uint64_t>(lessons.size()));
  for (const belief::Lesson& lesson : lessons) {
    bytes.put(lesson.feature);
    bytes.put(lesson.importance);
  }
}

void Learned::get(BytesReader& bytes) {
  places.get(bytes);
  null.get(bytes);
  lessons.resize(bytes.get<std::uint64_t>());
  for (belief::Lesson& lesson : lessons) {
    bytes.get(lesson.feature);
    bytes.get(lesson.importance);
  }
}

std::unique_ptr<CrowdLearning> make_learning(const dataset::ObservedCounts& counts, bool recent) {
  return std::make_unique<Learning>(counts, recent);
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
