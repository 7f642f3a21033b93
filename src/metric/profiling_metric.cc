// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>

#include "metric/jensen_shannon.h"
#include "metric/metric.h"
#include "metric/walk.h"

namespace hearsay::metric {
namespace {

// uniform_distance, remembered for the sizes that come up again and again: two logarithms cost more than all the rest.
class UniformDistances {
 public:
  double operator()(const Overlap& overlap) {
    if (overlap.actual > kMostActual || overlap.predicted > kMostPredicted) return compute(overlap);
    if (known_.empty()) known_.resize(kMostActual * kMostPredicted * (kMostActual + 1), -1.0);
    double& value =
        known_[((overlap.actual - 1) * kMostPredicted + overlap.predicted - 1) * (kMostActual + 1) + overlap.common];
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
        uniform_(setting.workers),
        sums_(setting.workers),
        places_(setting.workers),
        everybody_(setting.workers),
        epochs_(setting.truth.epochs()) {}

  void add(EpochId epoch, const dataset::EpochVisits& truth, const prior::Beliefs& beliefs,
           std::size_t worker) override {
    std::vector<std::int64_t>& sum = sums_[worker];
    sum.resize(users_);
    const double background_null = beliefs.background == nullptr ? 0 : background_distance({&null_, 1}, beliefs);
    const double common = beliefs.everyone ? background_null : 0;
    const std::int64_t common_units = units(common);
    everybody_[worker] += common_units;
    double epoch_sum = 0;
    std::size_t rest = users_;
    AssignmentReader assignments(beliefs, null_);
    UniformDistances& uniform = uniform_[worker];
    std::vector<Place>& places = places_[worker];
    places.resize(index_of(null_));
    walk_users(truth, beliefs, [&](UserId user, std::size_t truth_row, std::size_t belief_row) {
      const bool absent = truth_row == kNoRow;
      const std::span<const RoiId> rois = absent ? std::span(&null_, 1) : truth.rois_of(truth_row);
      double error = 0;
      if (beliefs.binary) {
        error = uniform(assignments.read(user, rois, belief_row));
      } else if (belief_row == kNoRow && !beliefs.everyone) {
        error = distance(std::numbers::ln2);  // believed in null, but active
      } else if (beliefs.background != nullptr) {
        error = absent ? background_null : background_distance(rois, beliefs);
      } else {
        error = row_distance(rois, beliefs.rois_of(belief_row), beliefs.weights_of(belief_row));
      }
      sum[index_of(user)] += units(error) - common_units;
      if (!absent) {
        const std::int64_t roi_units = std::llrint(error * kRoiUnit);
        for (const RoiId roi : rois) {
          places[index_of(roi)].sum += roi_units;
          ++places[index_of(roi)].visits;
        }
      }
      epoch_sum += error;
      --rest;
    });
    epochs_[index_of(epoch)] = epoch_sum + static_cast<double>(rest) * common;
  }

  std::vector<double> user_errors() const override {
    std::vector<double> errors(users_);
    const double scale = log_scale_ / static_cast<double>(epochs_.size()) / unit_;
    for (std::size_t user = 0; user < users_; ++user) {
      std::int64_t total = 0;
      for (std::size_t worker = 0; worker < sums_.size(); ++worker) {
        total += everybody_[worker] + (sums_[worker].empty() ? 0 : sums_[worker][user]);
      }
      errors[user] = static_cast<double>(total) * scale;
    }
    return errors;
  }

  std::vector<double> epoch_errors() const override {
    std::vector<double> errors = epochs_;
    for (double& error : errors) error *= log_scale_ / static_cast<double>(users_);
    return errors;
  }

  std::vector<double> roi_errors() const override {
    std::vector<double> errors(index_of(null_));
    for (std::size_t roi = 0; roi < errors.size(); ++roi) {
      Place total;
      for (const std::vector<Place>& places : places_) {
        if (places.empty()) continue;
        total.sum += places[roi].sum;
        total.visits += places[roi].visits;
      }
      errors[roi] = static_cast<double>(total.sum) * log_scale_ / kRoiUnit / static_cast<double>(total.visits);
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

  // Whole numbers of 1 / unit_, so that sums do not depend on their order.
  std::int64_t units(double value) const { return std::llrint(value * unit_); }

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

  static double row_distance(std::span<const RoiId> truth, std::span<const RoiId> rois,
                             std::span<const double> weights) {
    const double p = 1.0 / static_cast<double>(truth.size());
    const double total = prior::row_total(rois, weights);
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
  std::vector<UniformDistances> uniform_;        // by worker
  std::vector<std::vector<std::int64_t>> sums_;  // by worker and user, less everybody_
  std::vector<std::vector<Place>> places_;       // by worker and ROI
  std::vector<std::int64_t> everybody_;          // by worker
  std::vector<double> epochs_;                   // sum over users
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
