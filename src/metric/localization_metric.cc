// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "metric/metric.h"
#include "metric/walk.h"

namespace hearsay::metric {
namespace {

constexpr const char* kAll = "ALL";
constexpr const char* kPop = "POP";
constexpr const char* kAssigned = "ASSIGNED";

// Of one user and epoch, or a sum of them: F1 is 2 common / both.
struct Tally {
  std::int64_t both = 0;  // ROIs predicted plus ROIs true
  std::int64_t common = 0;
};

// In null, and predicted there.
constexpr Tally kNullInNull{2, 1};

double error_of(const Tally& tally) {
  return 1 - 2 * static_cast<double>(tally.common) / static_cast<double>(tally.both);
}

// Sums start from kNullInNull in every epoch, and every user and epoch that differs is added on top, so that users who
// never appear cost nothing.
class LocalizationScorer final : public Scorer {
 public:
  LocalizationScorer(const Setting& setting, const std::string& decision)
      : users_(setting.truth.crowd().users),
        null_(setting.truth.crowd().null_roi()),
        threshold_(decision == kPop ? setting.options.delta : 0),
        workers_(setting.workers),
        epochs_(setting.truth.epochs()) {}

  void add(std::span<const TrueEpoch> epochs, const prior::Beliefs& beliefs, std::size_t worker) override {
    Sums& sums = workers_[worker];
    sums.users.resize(users_);
    if (beliefs.covered() > 0) {
      for (const TrueEpoch& epoch : epochs) add_covered(epoch, beliefs, sums);
      return;
    }
    if (beliefs.background != nullptr) decide_background(*beliefs.background, sums);
    const Tally background_null = beliefs.background == nullptr ? Tally{} : background_tally({&null_, 1}, sums);
    const double listed = add_absent(epochs.size(), beliefs, background_null, sums);
    const auto expected = [&](std::size_t row) {
      if (row == kNoRow && !beliefs.everyone) return kNullInNull;
      return beliefs.background != nullptr ? background_null : sums.absent[row];
    };
    for (const TrueEpoch& epoch : epochs) {
      double sum = listed;
      AssignmentReader assignments(beliefs, null_);
      walk_active(epoch.visits, beliefs, sums.users, [&](UserId user, std::size_t truth_row, std::size_t belief_row) {
        const Tally here = active_tally(user, epoch.visits.rois_of(truth_row), belief_row, beliefs, assignments, sums);
        const Tally instead_of = expected(belief_row);
        add_to(sums.users[index_of(user)], 1, here, instead_of);
        sum += error_of(here) - error_of(instead_of);
      });
      epochs_[index_of(epoch.epoch)] += sum;
    }
  }

  std::vector<double> user_errors() const override {
    std::vector<double> errors(users_);
    const auto epochs = static_cast<std::int64_t>(epochs_.size());
    for (std::size_t user = 0; user < users_; ++user) {
      Tally total{epochs * kNullInNull.both, epochs * kNullInNull.common};
      for (const Sums& sums : workers_) {
        const Tally own = sums.users.empty() ? Tally{} : sums.users[user];
        total.both += sums.everybody.both + own.both;
        total.common += sums.everybody.common + own.common;
      }
      errors[user] = error_of(total);
    }
    return errors;
  }

  std::vector<double> epoch_errors() const override {
    std::vector<double> errors = epochs_;
    // What is added and taken away again may leave less than nothing, or more than all, by rounding.
    for (double& error : errors) error = std::clamp(error / static_cast<double>(users_), 0.0, 1.0);
    return errors;
  }

 private:
  struct Sums {
    std::vector<Tally> users;  // less everybody and kNullInNull
    Tally everybody;
    std::vector<bool> predicted;  // of the background at hand, by ROI
    std::size_t predictions = 0;  // how many of them
    std::vector<Tally> absent;    // by row of the beliefs at hand: the tally where the user is in null
  };

  static void add_to(Tally& sum, std::int64_t times, const Tally& here, const Tally& instead_of) {
    sum.both += times * (here.both - instead_of.both);
    sum.common += times * (here.common - instead_of.common);
  }

  static Tally tally(std::span<const RoiId> truth, std::span<const RoiId> predicted) {
    return {static_cast<std::int64_t>(predicted.size() + truth.size()),
            static_cast<std::int64_t>(common_rois(truth, predicted))};
  }

  static Tally tally(const Overlap& overlap) {
    return {static_cast<std::int64_t>(overlap.predicted + overlap.actual), static_cast<std::int64_t>(overlap.common)};
  }

  // Adds every listed user as if in null in all the epochs; returns the sum of their errors in one of them.
  double add_absent(std::size_t epochs, const prior::Beliefs& beliefs, const Tally& background_null, Sums& sums) const {
    const auto times = static_cast<std::int64_t>(epochs);
    if (beliefs.everyone) {
      add_to(sums.everybody, times, background_null, kNullInNull);
      return static_cast<double>(users_) * error_of(background_null);
    }
    if (beliefs.background != nullptr) {
      for (const UserId user : beliefs.users) {
        add_to(sums.users[index_of(user)], times, background_null, kNullInNull);
      }
      return static_cast<double>(beliefs.users.size()) * error_of(background_null);
    }
    sums.absent.resize(beliefs.users.size());
    double sum = 0;
    for (std::size_t row = 0; row < beliefs.users.size(); ++row) {
      const Tally here = absent_tally(beliefs, row);
      sums.absent[row] = here;
      add_to(sums.users[index_of(beliefs.users[row])], times, here, kNullInNull);
      sum += error_of(here);
    }
    return sum;
  }

  Tally absent_tally(const prior::Beliefs& beliefs, std::size_t row) const {
    const auto rois = beliefs.rois_of(row);
    const bool null_listed = rois.back() == null_;
    if (beliefs.binary || threshold_ == 0) {
      return {static_cast<std::int64_t>(rois.size()) + 1, null_listed ? 1 : 0};
    }
    const auto weights = beliefs.weights_of(row);
    const double least = threshold_ * beliefs.total_of(row);
    std::int64_t predicted = 0;
    for (std::size_t i = 0; i < rois.size(); ++i) predicted += weight_at(weights, i) >= least ? 1 : 0;
    if (predicted == 0) return kNullInNull;
    return {predicted + 1, null_listed && weight_at(weights, rois.size() - 1) >= least ? 1 : 0};
  }

  Tally active_tally(UserId user, std::span<const RoiId> truth, std::size_t belief_row, const prior::Beliefs& beliefs,
                     AssignmentReader& assignments, const Sums& sums) const {
    if (beliefs.binary) return tally(assignments.read(user, truth, belief_row));
    if (belief_row == kNoRow && !beliefs.everyone) return tally(truth, std::span(&null_, 1));
    if (beliefs.background != nullptr) return background_tally(truth, sums);
    const auto rois = beliefs.rois_of(belief_row);
    if (threshold_ == 0) return tally(truth, rois);
    const auto weights = beliefs.weights_of(belief_row);
    const double total = beliefs.total_of(belief_row);
    std::size_t predicted = 0;
    std::int64_t common = 0;
    for (std::size_t i = 0; i < rois.size(); ++i) {
      if (!decide(weight_at(weights, i), total)) continue;
      ++predicted;
      common += std::binary_search(truth.begin(), truth.end(), rois[i]) ? 1 : 0;
    }
    if (predicted == 0) return tally(truth, std::span(&null_, 1));
    return {static_cast<std::int64_t>(predicted + truth.size()), common};
  }

  // An assignment that puts whole ranges of users somewhere.
  void add_covered(const TrueEpoch& epoch, const prior::Beliefs& beliefs, Sums& sums) {
    double sum = 0;
    AssignmentReader assignments(beliefs, null_);
    walk_covered(epoch.visits, beliefs, [&](UserId user, std::size_t truth_row, std::size_t belief_row) {
      const auto rois = truth_row == kNoRow ? std::span(&null_, 1) : epoch.visits.rois_of(truth_row);
      const Tally here = tally(assignments.read(user, rois, belief_row));
      add_to(sums.users[index_of(user)], 1, here, kNullInNull);
      sum += error_of(here);
    });
    epochs_[index_of(epoch.epoch)] += sum;
  }

  static double weight_at(std::span<const double> weights, std::size_t i) { return weights.empty() ? 1.0 : weights[i]; }

  bool decide(double weight, double total) const { return weight > 0 && weight >= threshold_ * total; }

  void decide_background(const prior::Background& background, Sums& sums) const {
    sums.predicted.assign(background.weights.size(), false);
    sums.predictions = 0;
    for (std::size_t roi = 0; roi < background.weights.size(); ++roi) {
      if (!decide(background.weights[roi], background.total)) continue;
      sums.predicted[roi] = true;
      ++sums.predictions;
    }
    if (sums.predictions > 0) return;
    sums.predicted[index_of(null_)] = true;
    sums.predictions = 1;
  }

  static Tally background_tally(std::span<const RoiId> truth, const Sums& sums) {
    Tally here{static_cast<std::int64_t>(sums.predictions + truth.size()), 0};
    for (const RoiId roi : truth) here.common += sums.predicted[index_of(roi)] ? 1 : 0;
    return here;
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
