// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "belief/shared_reader.h"
#include "metric/jensen_shannon.h"
#include "metric/metric.h"
#include "metric/null_distance.h"
#include "metric/walk.h"

namespace hearsay::metric {
namespace {

// Sums over all visits to an ROI, of which there may be 2^31.
constexpr double kRoiUnit = 0x1p31;

// Distances are added as whole numbers of this. One is below 1, so sums over all epochs stay below 2^62.
double unit_of(std::size_t epochs) {
  return std::ldexp(1.0, 62 - static_cast<int>(std::bit_width(epochs)));
}

double log_scale(const Options& options) {
  return 1 / std::sqrt(std::log(options.log_base));
}

// The distance of two profiles with nothing in common: 1 for base 2, 0.83 for base e. Scaling may exceed it by a
// rounding.
double most_of(const Options& options) {
  return std::sqrt(std::numbers::ln2 / std::log(options.log_base));
}

template <typename WeightOf>
double shared_distance(std::span<const RoiId> truth, double total, const WeightOf& weight_of) {
  const double p = 1.0 / static_cast<double>(truth.size());
  double divergence = 0;
  double inside = 0;
  for (const RoiId roi : truth) {
    const double weight = weight_of(roi);
    divergence += divergence_at(p, weight / total);
    inside += weight;
  }
  return distance(divergence + divergence_outside((total - inside) / total));
}

double row_distance(std::span<const RoiId> truth, std::span<const RoiId> rois, std::span<const double> weights,
                    double total) {
  const double p = 1.0 / static_cast<double>(truth.size());
  const auto weight_at = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double divergence = 0;
  double outside = 0;
  std::size_t t = 0;
  for (std::size_t i = 0; i < rois.size(); ++i) {
    for (; t < truth.size() && truth[t] < rois[i]; ++t) divergence += divergence_at(p, 0);
    if (t < truth.size() && truth[t] == rois[i]) {
      divergence += divergence_at(p, weight_at(i) / total);
      ++t;
    } else {
      outside += weight_at(i);
    }
  }
  divergence += static_cast<double>(truth.size() - t) * divergence_at(p, 0);
  return distance(divergence + divergence_outside(outside / total));
}

// Everybody listed is added as if in null in all the epochs, and the active ones are put right after.
class ProfilingScorer final : public Scorer {
 public:
  ProfilingScorer(const Setting& setting, belief::UserRange users, Buffers& buffers)
      : range_(users),
        null_{setting.crowd.null_roi()},
        unit_(unit_of(setting.epochs)),
        scale_(log_scale(setting.options) / static_cast<double>(setting.epochs) / unit_),
        most_(most_of(setting.options)),
        buffers_(buffers),
        users_(users.size()),
        active_(users.size()),
        epochs_(setting.epochs),
        places_(index_of(null_)) {}

  void add(std::span<const TrueEpoch> epochs, const decision::Prediction& prediction) override {
    const belief::Beliefs read = belief::as_distribution(prediction.beliefs);
    std::visit([&](const auto& kind) { add_kind(epochs, kind); }, read);
  }

  bool takes_changes() const override { return true; }

  void change(const TrueEpoch& epoch, const belief::Assignment& with, const belief::Assignment& without) override {
    walk_apart(epoch.visits, with, without, null_,
               [&](UserId user, std::size_t active, const Overlap& before, const Overlap& after) {
                 const double was = buffers_.uniform(before);
                 const double is = buffers_.uniform(after);
                 const std::int64_t more = units(is) - units(was);
                 sum_of(user) += more;
                 epochs_[index_of(epoch.epoch)] += more;
                 if (active == kNoRow) return;
                 active_[index_of(user) - index_of(range_.begin)].sum += more;
                 for (const RoiId roi : epoch.visits.rois_of(active)) {
                   places_[index_of(roi)].sum += place_units(is) - place_units(was);
                 }
               });
  }

  void add_sums(const Scorer& other) override {
    const auto& base = static_cast<const ProfilingScorer&>(other);
    everybody_ += base.everybody_;
    for (std::size_t i = 0; i < users_.size(); ++i) {
      users_[i] += base.users_[i];
      active_[i].sum += base.active_[i].sum;
      active_[i].epochs += base.active_[i].epochs;
    }
    for (std::size_t e = 0; e < epochs_.size(); ++e) epochs_[e] += base.epochs_[e];
    for (std::size_t i = 0; i < places_.size(); ++i) {
      places_[i].sum += base.places_[i].sum;
      places_[i].visits += base.places_[i].visits;
    }
  }

  void finish(std::span<double> users, std::span<double> active, Scores& sums) const override {
    for (std::size_t i = 0; i < users_.size(); ++i) {
      users[i] = std::min(static_cast<double>(everybody_ + users_[i]) * scale_, most_);
      const double per_epoch = static_cast<double>(epochs_.size()) / static_cast<double>(active_[i].epochs);
      active[i] = std::min(static_cast<double>(active_[i].sum) * scale_ * per_epoch, most_);  // keeps what is no number
    }
    sums.add(epochs_, places_);
  }

 private:
  // Whole numbers of 1 / unit_, so that sums do not depend on their order. No error is negative, and lround is a call.
  std::int64_t units(double value) const {
    return static_cast<std::int64_t>(value * unit_ + 0.5);  // NOLINT(bugprone-incorrect-roundings)
  }
  static std::int64_t place_units(double error) {
    return static_cast<std::int64_t>(error * kRoiUnit + 0.5);  // NOLINT(bugprone-incorrect-roundings)
  }
  std::int64_t& sum_of(UserId user) { return users_[index_of(user) - index_of(range_.begin)]; }

  void add_kind(std::span<const TrueEpoch>, const belief::Rates&) {}  // read as distributions

  void add_kind(std::span<const TrueEpoch> epochs, const belief::Shared& shared) {
    const belief::Background& background = shared.background;
    const auto usual = [&](RoiId roi) { return background.weights[index_of(roi)]; };
    const std::int64_t absent = units(shared_distance({&null_, 1}, background.total, usual));
    const auto times = static_cast<std::int64_t>(epochs.size());
    if (shared.everyone) {
      everybody_ += times * absent;
    } else {
      for (const UserId user : shared.users) sum_of(user) += times * absent;
    }
    const std::size_t believed = shared.everyone ? range_.size() : shared.users.size();
    for (const TrueEpoch& epoch : epochs) {
      belief::SharedReader reader(shared);
      put_right(
          {&epoch, 1}, shared.users, Wide{absent} * static_cast<Wide>(believed),
          [&](std::size_t row) { return shared.everyone || row != kNoRow ? absent : 0; },
          [&](std::span<const RoiId> truth, UserId user, std::size_t row) {
            reader.enter(user);
            if ((!shared.everyone && row == kNoRow) || reader.total() <= 0) return kOnlyNull;
            return shared_distance(truth, reader.total(), [&](RoiId roi) { return reader.weight(roi); });
          });
      belief::SharedReader others(shared);
      belief::for_others_apart(shared, epoch.visits.users, [&](UserId user) {
        others.enter(user);
        const double error = others.total() <= 0 ? 0 : shared_distance({&null_, 1}, others.total(), [&](RoiId roi) {
          return others.weight(roi);
        });
        sum_of(user) += units(error) - absent;
        epochs_[index_of(epoch.epoch)] += units(error) - absent;
      });
    }
  }

  void add_kind(std::span<const TrueEpoch> epochs, const belief::Rows& rows) {
    std::vector<double>& absent = buffers_.absent_errors;
    absent.resize(rows.users.size());
    for (std::size_t row = 0; row < rows.users.size(); ++row) {
      const auto weights = rows.weights_of(row);
      const double total = rows.total_of(row);
      const double inside = rows.rois_of(row).back() != null_ ? 0 : weights.empty() ? 1 : weights.back();
      absent[row] = (total - inside) / total;
    }
    null_distances(absent);
    add_listed(epochs, rows, [&](std::span<const RoiId> truth, UserId, std::size_t row) {
      if (row == kNoRow) return kOnlyNull;
      return row_distance(truth, rows.rois_of(row), rows.weights_of(row), rows.total_of(row));
    });
  }

  void add_kind(std::span<const TrueEpoch> epochs, const belief::Assignment& assignment) {
    if (assignment.highest_limit() > 0) {
      for (const TrueEpoch& epoch : epochs) add_with_limits(epoch, assignment);
      return;
    }
    std::vector<double>& absent = buffers_.absent_errors;
    absent.resize(assignment.users.size());
    AssignedRows assigned(assignment);
    for (std::size_t row = 0; row < assignment.users.size(); ++row) {
      const auto rois = assigned.rois_of(row);
      absent[row] = buffers_.uniform({rois.size(), 1, rois.back() == null_ ? 1U : 0U});
    }
    AssignmentReader reader(assignment, null_);
    add_listed(epochs, assignment, [&](std::span<const RoiId> truth, UserId user, std::size_t row) {
      return buffers_.uniform(reader.read(user, truth, row));
    });
  }

  // Rows whose errors of absence are in the buffer.
  template <typename ErrorOf>
  void add_listed(std::span<const TrueEpoch> epochs, const belief::SparseRows& rows, const ErrorOf& error_of) {
    const std::vector<double>& absent = buffers_.absent_errors;
    const auto times = static_cast<std::int64_t>(epochs.size());
    Wide listed = 0;
    std::int64_t* const sums = users_.data() - index_of(range_.begin);
    for (std::size_t row = 0; row < rows.users.size(); ++row) {
      const std::int64_t error = units(absent[row]);
      sums[index_of(rows.users[row])] += times * error;
      listed += error;
    }
    put_right(
        epochs, rows.users, listed, [&](std::size_t row) { return row == kNoRow ? 0 : units(absent[row]); }, error_of);
  }

  // `absent`: the sum over the range in one epoch if everybody were in null; absent_of(row): one user's part of it.
  template <typename AbsentOf, typename ErrorOf>
  void put_right(std::span<const TrueEpoch> epochs, std::span<const UserId> listed, Wide absent,
                 const AbsentOf& absent_of, const ErrorOf& error_of) {
    for (const TrueEpoch& epoch : epochs) {
      Wide sum = absent;
      walk_active(epoch.visits, listed, [&](UserId user, std::size_t truth_row, std::size_t row) {
        const std::span<const RoiId> truth = epoch.visits.rois_of(truth_row);
        const double error = error_of(truth, user, row);
        const std::int64_t now = units(error);
        const std::int64_t change = now - absent_of(row);
        sum_of(user) += change;
        sum += change;
        add_active(user, now, truth, error);
      });
      epochs_[index_of(epoch.epoch)] += sum;
    }
  }

  // An assignment that takes in whole ranges of users.
  void add_with_limits(const TrueEpoch& epoch, const belief::Assignment& assignment) {
    Wide sum = 0;
    AssignmentReader reader(assignment, null_);
    walk_with_limits(epoch.visits, assignment, range_, [&](UserId user, std::size_t truth_row, std::size_t row) {
      const bool absent = truth_row == kNoRow;
      const std::span<const RoiId> truth = absent ? std::span(&null_, 1) : epoch.visits.rois_of(truth_row);
      const double error = buffers_.uniform(reader.read(user, truth, row));
      const std::int64_t now = units(error);
      sum_of(user) += now;
      sum += now;
      if (!absent) add_active(user, now, truth, error);
    });
    epochs_[index_of(epoch.epoch)] += sum;
  }

  // `now`: the error in units.
  void add_active(UserId user, std::int64_t now, std::span<const RoiId> truth, double error) {
    Active& own = active_[index_of(user) - index_of(range_.begin)];
    own.sum += now;
    ++own.epochs;
    for (const RoiId roi : truth) {
      places_[index_of(roi)].sum += place_units(error);
      ++places_[index_of(roi)].visits;
    }
  }

  static inline const double kOnlyNull = distance(std::numbers::ln2);  // believed in null, but active

  belief::UserRange range_;
  RoiId null_;
  double unit_;
  double scale_;
  double most_;
  Buffers& buffers_;
  struct Active {
    std::int64_t sum = 0;
    std::uint32_t epochs = 0;
  };
  std::vector<std::int64_t> users_;  // less everybody_
  std::vector<Active> active_;
  std::int64_t everybody_ = 0;
  std::vector<Wide> epochs_;
  std::vector<Scores::Place> places_;
};

MeanErrors mean_profiling_errors(const Setting& setting, const Scores& scores) {
  const double scale = log_scale(setting.options);
  const double most = most_of(setting.options);
  MeanErrors means;
  for (const Wide sum : scores.epochs) {
    const double error = static_cast<double>(sum) / unit_of(setting.epochs) * scale;
    means.epochs.push_back(std::min(error / static_cast<double>(setting.crowd.people()), most));
  }
  for (const Scores::Place& place : scores.places) {
    const double error = static_cast<double>(place.sum) * scale / kRoiUnit;
    means.rois.push_back(std::min(error / static_cast<double>(place.visits), most));  // not a number stays what it is
  }
  return means;
}

}  // namespace

extern const MetricEntry profiling_metric;
const MetricEntry profiling_metric = {
    .info = {.position = 1,
             .name = "PROFILING",
             .summary = "How far her picture of each person's habits is from the truth: 0 is exact, 1 is all wrong.",
             .explanation = "Jensen-Shannon distance (the square root of the divergence) between a user's true profile "
                            "in an epoch and the inferred one, averaged over the epochs of the inference period.",
             .parameters = {{"log_base", "2",
                             "base of the logarithm: 2 bounds the distance by 1; the paper's figures "
                             "were made with e"}},
             .citation = kPaper},
    .goal = "profiling",
    .about = "people's habits",
    .wants = "each person's habits: how likely they are to be where, at every hour",
    .largest = most_of,
    .make = [](const Setting& setting, belief::UserRange users, Buffers& buffers) -> std::unique_ptr<Scorer> {
      return std::make_unique<ProfilingScorer>(setting, users, buffers);
    },
    .means = mean_profiling_errors,
};

}  // namespace hearsay::metric
