// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "metric/metric.h"
#include "metric/walk.h"

namespace hearsay::metric {
namespace {

constexpr const char* kAll = "ALL";
constexpr const char* kPop = "POP";
constexpr const char* kAssigned = "ASSIGNED";

// One user and epoch: ROIs predicted, true, and both.
struct Tally {
  std::int64_t predicted = 0;
  std::int64_t actual = 0;
  std::int64_t common = 0;
};

double error_of(const Tally& tally) {
  return 1 - 2 * static_cast<double>(tally.common) / static_cast<double>(tally.predicted + tally.actual);
}

// Sums start from "in null and predicted there" in every epoch, and every user and epoch that differs is added on top,
// so that users who never appear cost nothing.
class LocalizationScorer final : public Scorer {
 public:
  LocalizationScorer(const Setting& setting, const std::string& decision)
      : users_(setting.truth.crowd().users),
        null_(setting.truth.crowd().null_roi()),
        threshold_(decision == kPop ? setting.options.delta : 0),
        workers_(setting.workers),
        epochs_(setting.truth.epochs()) {}

  void add(EpochId epoch, const dataset::EpochVisits& truth, const prior::Beliefs& beliefs,
           std::size_t worker) override {
    Sums& sums = workers_[worker];
    sums.users.resize(users_);
    if (beliefs.background != nullptr) decide_background(*beliefs.background, sums.predicted);
    const Tally background_null = tally(std::span(&null_, 1), sums.predicted);
    const Tally common = beliefs.everyone ? background_null : Tally{1, 1, 1};
    sums.everybody.predicted += common.predicted;
    sums.everybody.actual += common.actual;
    sums.everybody.common += common.common;
    double epoch_sum = 0;
    std::size_t rest = users_;
    AssignmentReader assignments(beliefs, null_);
    walk_users(truth, beliefs, [&](UserId user, std::size_t truth_row, std::size_t belief_row) {
      const bool absent = truth_row == kNoRow;
      const std::span<const RoiId> rois = absent ? std::span(&null_, 1) : truth.rois_of(truth_row);
      Tally here;
      if (beliefs.binary) {
        const Overlap overlap = assignments.read(user, rois, belief_row);
        here = {static_cast<std::int64_t>(overlap.predicted), static_cast<std::int64_t>(overlap.actual),
                static_cast<std::int64_t>(overlap.common)};
      } else if (belief_row == kNoRow && !beliefs.everyone) {
        here = {1, static_cast<std::int64_t>(rois.size()), 0};  // believed in null, but active
      } else if (beliefs.background != nullptr) {
        here = absent ? background_null : tally(rois, sums.predicted);
      } else {
        here = row_tally(rois, beliefs.rois_of(belief_row), beliefs.weights_of(belief_row));
      }
      Tally& sum = sums.users[index_of(user)];
      sum.predicted += here.predicted - common.predicted;
      sum.actual += here.actual - common.actual;
      sum.common += here.common - common.common;
      epoch_sum += error_of(here);
      --rest;
    });
    epochs_[index_of(epoch)] = epoch_sum + static_cast<double>(rest) * error_of(common);
  }

  std::vector<double> user_errors() const override {
    std::vector<double> errors(users_);
    for (std::size_t user = 0; user < users_; ++user) {
      Tally total;
      for (const Sums& sums : workers_) {
        const Tally own = sums.users.empty() ? Tally{} : sums.users[user];
        total.predicted += sums.everybody.predicted + own.predicted;
        total.actual += sums.everybody.actual + own.actual;
        total.common += sums.everybody.common + own.common;
      }
      errors[user] = error_of(total);
    }
    return errors;
  }

  std::vector<double> epoch_errors() const override {
    std::vector<double> errors = epochs_;
    for (double& error : errors) error /= static_cast<double>(users_);
    return errors;
  }

 private:
  struct Sums {
    std::vector<Tally> users;  // less everybody
    Tally everybody;
    std::vector<RoiId> predicted;  // of the epoch's background
  };

  static Tally tally(std::span<const RoiId> truth, std::span<const RoiId> predicted) {
    return {static_cast<std::int64_t>(predicted.size()), static_cast<std::int64_t>(truth.size()),
            static_cast<std::int64_t>(common_rois(truth, predicted))};
  }

  bool decide(double weight, double total) const { return weight > 0 && weight >= threshold_ * total; }

  void decide_background(const prior::Background& background, std::vector<RoiId>& predicted) const {
    predicted.clear();
    for (std::size_t roi = 0; roi < background.weights.size(); ++roi) {
      if (decide(background.weights[roi], background.total)) predicted.push_back(static_cast<RoiId>(roi));
    }
    if (predicted.empty()) predicted.push_back(null_);
  }

  Tally row_tally(std::span<const RoiId> truth, std::span<const RoiId> rois, std::span<const double> weights) const {
    if (threshold_ == 0) return tally(truth, rois);
    const double total = prior::row_total(rois, weights);
    Tally here{0, static_cast<std::int64_t>(truth.size()), 0};
    for (std::size_t i = 0; i < rois.size(); ++i) {
      if (!decide(weights.empty() ? 1.0 : weights[i], total)) continue;
      ++here.predicted;
      here.common += std::binary_search(truth.begin(), truth.end(), rois[i]) ? 1 : 0;
    }
    return here.predicted > 0 ? here : tally(truth, std::span(&null_, 1));
  }

  std::size_t users_;
  RoiId null_;
  double threshold_;  // 0: every ROI with any weight
  std::vector<Sums> workers_;
  std::vector<double> epochs_;  // sum over users
};

}  // namespace

extern const MetricEntry localization_metric;
const MetricEntry localization_metric = {
    .info = {.position = 2,
             .name = "LOCALIZATION",
             .summary = "How wrong she is about where each person is when: 0 is every place right, 1 is none.",
             .explanation =
                 "1 - F1 over all ROIs (null included) and epochs of the inference period, per user. A distribution "
                 "becomes a prediction by ALL (every ROI above 0) or POP (every ROI at or above delta); an assignment "
                 "is one already (ASSIGNED). No ROI predicted: null. By epoch, the mean of each user's 1 - F1 in it.",
             .parameters = {{"delta", "0.5", "POP predicts the ROIs at or above this probability"}},
             .citation = kPaper},
    .goal = "localization",
    .decisions =
        [](bool binary) {
          return binary ? std::vector<std::string>{kAssigned} : std::vector<std::string>{kAll, kPop};
        },
    .make = [](const Setting& setting, const std::string& decision) -> std::unique_ptr<Scorer> {
      return std::make_unique<LocalizationScorer>(setting, decision);
    },
};

}  // namespace hearsay::metric
