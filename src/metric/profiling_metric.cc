// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "metric/jensen_shannon.h"
#include "metric/metric.h"
#include "metric/null_distance.h"
#include "metric/walk.h"

namespace hearsay::metric {
namespace {

// uniform_distance, remembered for the sizes that come up again and again: two logarithms cost more than all the rest.
class UniformDistances {
 public:
  double operator()(const Overlap& overlap) {
    if (overlap.actual > kMostActual || overlap.predicted > kMostPredicted) return compute(overlap);
    const std::size_t end = overlap.predicted * kMostActual * (kMostActual + 1);
    if (known_.size() < end) known_.resize(std::bit_ceil(end), -1.0);
    double& value =
        known_[((overlap.predicted - 1) * kMostActual + overlap.actual - 1) * (kMostActual + 1) + overlap.common];
    if (value < 0) value = compute(overlap);
    return value;
  }

 private:
  static constexpr std::size_t kMostActual = 4;
  static constexpr std::size_t kMostPredicted = 1024;
  static double compute(const Overlap& overlap) {
    return uniform_distance(overlap.actual, overlap.predicted, overlap.common);
  }
  std::vector<double> known_;
};

class ProfilingScorer final : public Scorer {
 public:
  explicit ProfilingScorer(const Setting& setting)
      : users_(setting.truth.crowd().users),
        null_{setting.truth.crowd().null_roi()},
        // A distance is below 1, so sums over all epochs stay below 2^62.
        unit_(std::ldexp(1.0, 62 - static_cast<int>(std::bit_width(setting.truth.epochs())))),
        log_scale_(1 / std::sqrt(std::log(setting.options.log_base))),
        most_(std::sqrt(std::numbers::ln2 / std::log(setting.options.log_base))),
        workers_(setting.workers),
        epochs_(setting.truth.epochs()) {}

  void add(std::span<const TrueEpoch> epochs, const prior::Beliefs& beliefs, std::size_t worker) override {
    Sums& sums = workers_[worker];
    sums.users.resize(users_);
    sums.places.resize(index_of(null_));
    if (beliefs.covered() > 0) {
      for (const TrueEpoch& epoch : epochs) add_covered(epoch, beliefs, sums);
      return;
    }
    const double background_null = beliefs.background == nullptr ? 0 : background_distance({&null_, 1}, beliefs);
    const double listed = add_absent(epochs.size(), beliefs, background_null, sums);
    const auto expected = [&](std::size_t row) {
      if (beliefs.background != nullptr) return beliefs.everyone || row != kNoRow ? background_null : 0;
      return row == kNoRow ? 0 : sums.absent[row];
    };
    for (const TrueEpoch& epoch : epochs) {
      double sum = listed;
      AssignmentReader assignments(beliefs, null_);
      walk_active(epoch.visits, beliefs, sums.users, [&](UserId user, std::size_t truth_row, std::size_t belief_row) {
        const std::span<const RoiId> rois = epoch.visits.rois_of(truth_row);
        const double error = error_of(user, rois, belief_row, beliefs, assignments, sums.uniform);
        sums.users[index_of(user)] += units(error) - units(expected(belief_row));
        sum += error - expected(belief_row);
        add_places(rois, error, sums);
      });
      epochs_[index_of(epoch.epoch)] += sum;
    }
  }

  std::vector<double> user_errors() const override {
    std::vector<double> errors(users_);
    const double scale = log_scale_ / static_cast<double>(epochs_.size()) / unit_;
    for (std::size_t user = 0; user < users_; ++user) {
      std::int64_t total = 0;
      for (const Sums& sums : workers_) total += sums.everybody + (sums.users.empty() ? 0 : sums.users[user]);
      errors[user] = std::min(static_cast<double>(total) * scale, most_);
    }
    return errors;
  }

  std::vector<double> epoch_errors() const override {
    std::vector<double> errors = epochs_;
    // What is added and taken away again may leave less than nothing, or more than all, by rounding.
    for (double& error : errors) error = std::clamp(error * log_scale_ / static_cast<double>(users_), 0.0, most_);
    return errors;
  }

  std::vector<double> roi_errors() const override {
    std::vector<double> errors(index_of(null_));
    for (std::size_t roi = 0; roi < errors.size(); ++roi) {
      Place total;
      for (const Sums& sums : workers_) {
        if (sums.places.empty()) continue;
        total.sum += sums.places[roi].sum;
        total.visits += sums.places[roi].visits;
      }
      const double sum = static_cast<double>(total.sum) * log_scale_ / kRoiUnit;
      errors[roi] = std::min(sum / static_cast<double>(total.visits), most_);  // not a number stays what it is
    }
    return errors;
  }

 private:
  // Sums over all visits to an ROI, of which there may be 2^31.
  static constexpr double kRoiUnit = 0x1p31;
  struct Place {
    std::int64_t sum = 0;
    std::int64_t visits = 0;
  };
  struct Sums {
    std::vector<std::int64_t> users;  // less everybody
    std::int64_t everybody = 0;
    std::vector<Place> places;   // by ROI
    std::vector<double> absent;  // by row of the beliefs at hand: the error where the user is in null
    UniformDistances uniform;
  };

  // Whole numbers of 1 / unit_, so that sums do not depend on their order.
  std::int64_t units(double value) const { return static_cast<std::int64_t>(value * unit_ + 0.5); }

  // Adds the error of every listed user as if in null in all the epochs; returns the sum over users in one of them.
  double add_absent(std::size_t epochs, const prior::Beliefs& beliefs, double background_null, Sums& sums) const {
    const auto times = static_cast<std::int64_t>(epochs);
    if (beliefs.everyone) {
      sums.everybody += times * units(background_null);
      return static_cast<double>(users_) * background_null;
    }
    if (beliefs.background != nullptr) {
      const std::int64_t all = times * units(background_null);
      for (const UserId user : beliefs.users) sums.users[index_of(user)] += all;
      return static_cast<double>(beliefs.users.size()) * background_null;
    }
    absent_errors(beliefs, sums);
    double sum = 0;
    for (std::size_t row = 0; row < beliefs.users.size(); ++row) {
      sums.users[index_of(beliefs.users[row])] += times * units(sums.absent[row]);
      sum += sums.absent[row];
    }
    return sum;
  }

  void absent_errors(const prior::Beliefs& beliefs, Sums& sums) const {
    sums.absent.resize(beliefs.users.size());
    for (std::size_t row = 0; row < beliefs.users.size(); ++row) {
      const auto rois = beliefs.rois_of(row);
      const bool null_listed = rois.back() == null_;
      if (beliefs.binary) {
        sums.absent[row] = sums.uniform({rois.size(), 1, null_listed ? 1U : 0U});
        continue;
      }
      const auto weights = beliefs.weights_of(row);
      const double total = beliefs.total_of(row);
      const double inside = !null_listed ? 0 : weights.empty() ? 1 : weights.back();
      sums.absent[row] = (total - inside) / total;
    }
    if (!beliefs.binary) null_distances(sums.absent);
  }

  double error_of(UserId user, std::span<const RoiId> rois, std::size_t belief_row, const prior::Beliefs& beliefs,
                  AssignmentReader& assignments, UniformDistances& uniform) const {
    if (beliefs.binary) return uniform(assignments.read(user, rois, belief_row));
    if (belief_row == kNoRow && !beliefs.everyone) return distance(std::numbers::ln2);  // believed in null, but active
    if (beliefs.background != nullptr) return background_distance(rois, beliefs);
    return row_distance(rois, beliefs.rois_of(belief_row), beliefs.weights_of(belief_row),
                        beliefs.total_of(belief_row));
  }

  static void add_places(std::span<const RoiId> rois, double error, Sums& sums) {
    // An error is not negative, and lround is a call.
    const auto roi_units = static_cast<std::int64_t>(error * kRoiUnit + 0.5);  // NOLINT(bugprone-incorrect-roundings)
    for (const RoiId roi : rois) {
      sums.places[index_of(roi)].sum += roi_units;
      ++sums.places[index_of(roi)].visits;
    }
  }

  // An assignment that puts whole ranges of users somewhere.
  void add_covered(const TrueEpoch& epoch, const prior::Beliefs& beliefs, Sums& sums) {
    double sum = 0;
    AssignmentReader assignments(beliefs, null_);
    walk_covered(epoch.visits, beliefs, [&](UserId user, std::size_t truth_row, std::size_t belief_row) {
      const bool absent = truth_row == kNoRow;
      const std::span<const RoiId> rois = absent ? std::span(&null_, 1) : epoch.visits.rois_of(truth_row);
      const double error = sums.uniform(assignments.read(user, rois, belief_row));
      sums.users[index_of(user)] += units(error);
      if (!absent) add_places(rois, error, sums);
      sum += error;
    });
    epochs_[index_of(epoch.epoch)] += sum;
  }

  static double background_distance(std::span<const RoiId> truth, const prior::Beliefs& beliefs) {
    const prior::Background& background = *beliefs.background;
    const double p = 1.0 / static_cast<double>(truth.size());
    double divergence = 0;
    double inside = 0;
    for (const RoiId roi : truth) {
      const double weight = background.weights[index_of(roi)];
      divergence += divergence_at(p, weight / background.total);
      inside += weight;
    }
    return distance(divergence + divergence_outside((background.total - inside) / background.total));
  }

  static double row_distance(std::span<const RoiId> truth, std::span<const RoiId> rois, std::span<const double> weights,
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

  std::size_t users_;
  RoiId null_;
  double unit_;
  double log_scale_;
  double most_;  // a distance can be, which scaling may exceed by a rounding
  std::vector<Sums> workers_;
  std::vector<double> epochs_;  // sum over users
};

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
    .decisions = [](bool) { return std::vector<std::string>{""}; },
    .make = [](const Setting& setting, const std::string&) -> std::unique_ptr<Scorer> {
      return std::make_unique<ProfilingScorer>(setting);
    },
};

}  // namespace hearsay::metric
