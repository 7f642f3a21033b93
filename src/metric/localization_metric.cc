// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "belief/shared_reader.h"
#include "metric/metric.h"
#include "metric/walk.h"

namespace hearsay::metric {
namespace {

// Errors of one epoch are added as whole numbers of this.
constexpr double kEpochUnit = 0x1p52;

// Of one user and epoch, or a sum of them: F1 is 2 common / both.
struct Overlaps {
  std::int64_t both = 0;  // ROIs predicted plus ROIs true
  std::int64_t common = 0;
  void add(std::int64_t times, const Overlaps& here, const Overlaps& before) {
    both += times * (here.both - before.both);
    common += times * (here.common - before.common);
  }
};

// In null, and predicted there.
constexpr Overlaps kNullInNull{2, 1};

double error_of(const Overlaps& overlaps) {
  return 1 - 2 * static_cast<double>(overlaps.common) / static_cast<double>(overlaps.both);
}

std::int64_t epoch_units(const Overlaps& overlaps) {
  // An error is not negative, and lround is a call.
  return static_cast<std::int64_t>(error_of(overlaps) * kEpochUnit + 0.5);  // NOLINT(bugprone-incorrect-roundings)
}

Overlaps overlaps_of(const Overlap& overlap) {
  return {static_cast<std::int64_t>(overlap.predicted + overlap.actual), static_cast<std::int64_t>(overlap.common)};
}

double weight_at(std::span<const double> weights, std::size_t i) {
  return weights.empty() ? 1.0 : weights[i];
}

// Sums start from kNullInNull in every epoch. Everybody listed is added as if in null in all the epochs, and the active
// ones are put right after, so that users who never appear cost nothing.
class LocalizationScorer final : public Scorer {
 public:
  LocalizationScorer(const Setting& setting, belief::UserRange users, Buffers& buffers)
      : range_(users),
        null_(setting.crowd.null_roi()),
        buffers_(buffers),
        users_(users.size()),
        active_(users.size()),
        epochs_(setting.epochs) {}

  void add(std::span<const TrueEpoch> epochs, const decision::Prediction& prediction) override {
    const belief::Beliefs read = belief::as_distribution(prediction.beliefs);
    std::visit([&](const auto& kind) { add_kind(epochs, kind, prediction.share); }, read);
  }

  bool takes_changes() const override { return true; }

  void change(const TrueEpoch& epoch, const belief::Assignment& with, const belief::Assignment& without) override {
    walk_apart(epoch.visits, with, without, null_,
               [&](UserId user, std::size_t active, const Overlap& before, const Overlap& after) {
                 const Overlaps was = overlaps_of(before);
                 const Overlaps is = overlaps_of(after);
                 sum_of(user).add(1, is, was);
                 if (active != kNoRow) add_active(user, is, was);
                 epochs_[index_of(epoch.epoch)] += epoch_units(is) - epoch_units(was);
               });
  }

  void add_sums(const Scorer& other) override {
    const auto& base = static_cast<const LocalizationScorer&>(other);
    everybody_.add(1, base.everybody_, {});
    for (std::size_t i = 0; i < users_.size(); ++i) {
      users_[i].add(1, base.users_[i], {});
      active_[i].add(1, base.active_[i], {});
    }
    for (std::size_t e = 0; e < epochs_.size(); ++e) epochs_[e] += base.epochs_[e];
  }

  void finish(std::span<double> users, std::span<double> active, Scores& sums) const override {
    const auto epochs = static_cast<std::int64_t>(epochs_.size());
    for (std::size_t i = 0; i < users_.size(); ++i) {
      users[i] = error_of({epochs * kNullInNull.both + everybody_.both + users_[i].both,
                           epochs * kNullInNull.common + everybody_.common + users_[i].common});
      active[i] = active_[i].both == 0 ? std::numeric_limits<double>::quiet_NaN() : error_of(active_[i]);
    }
    sums.add(epochs_, {});
  }

 private:
  Overlaps& sum_of(UserId user) { return users_[index_of(user) - index_of(range_.begin)]; }
  void add_active(UserId user, const Overlaps& now, const Overlaps& before = {}) {
    active_[index_of(user) - index_of(range_.begin)].add(1, now, before);
  }
  // What a user believed in null has.
  Overlaps only_null(std::span<const RoiId> truth) const {
    return {static_cast<std::int64_t>(truth.size()) + 1, truth.front() == null_ ? 1 : 0};
  }

  // The overlap of a user in null, all of whose ROIs are predicted. Rows ascend.
  template <typename Rows>
  auto sizes_of(Rows rows) const {
    return [this, rows](std::size_t row) mutable {
      const auto rois = rows.rois_of(row);
      return Overlaps{static_cast<std::int64_t>(rois.size()) + 1, rois.back() == null_ ? 1 : 0};
    };
  }

  void add_kind(std::span<const TrueEpoch>, const belief::Rates&, double) {}  // read as distributions

  void add_kind(std::span<const TrueEpoch> epochs, const belief::Shared& shared, double share) {
    std::vector<bool>& predicted = buffers_.predicted;
    const std::int64_t predictions = predict(shared.background, share);
    const auto here = [&](std::span<const RoiId> truth) {
      Overlaps overlaps{predictions + static_cast<std::int64_t>(truth.size()), 0};
      for (const RoiId roi : truth) overlaps.common += predicted[index_of(roi)] ? 1 : 0;
      return overlaps;
    };
    const Overlaps absent = here({&null_, 1});
    const auto times = static_cast<std::int64_t>(epochs.size());
    if (shared.everyone) {
      everybody_.add(times, absent, kNullInNull);
    } else {
      for (const UserId user : shared.users) sum_of(user).add(times, absent, kNullInNull);
    }
    const std::size_t believed = shared.everyone ? range_.size() : shared.users.size();
    const bool apart = !shared.apart.users.empty();
    if (apart) list_likely(shared.background, share);
    for (const TrueEpoch& epoch : epochs) {
      belief::SharedReader reader(shared);
      put_right(
          {&epoch, 1}, shared.users, Wide{epoch_units(absent)} * static_cast<Wide>(believed),
          [&](std::size_t row) { return shared.everyone || row != kNoRow ? absent : kNullInNull; },
          [&](std::span<const RoiId> truth, UserId user, std::size_t row) {
            if (!shared.everyone && row == kNoRow) return only_null(truth);
            if (!apart) return here(truth);
            reader.enter(user);
            return apart_overlaps(reader, share, truth);
          });
      belief::SharedReader others(shared);
      belief::for_others_apart(shared, epoch.visits.users, [&](UserId user) {
        others.enter(user);
        const Overlaps now = apart_overlaps(others, share, {&null_, 1});
        sum_of(user).add(1, now, absent);
        epochs_[index_of(epoch.epoch)] += epoch_units(now) - epoch_units(absent);
      });
    }
  }

  // All weights of a background that some user apart may find likely, ascending.
  void list_likely(const belief::Background& background, double share) {
    buffers_.likely.clear();
    for (const double weight : background.weights) {
      if (weight > 0) buffers_.likely.push_back(weight);
    }
    if (share > 0) std::sort(buffers_.likely.begin(), buffers_.likely.end());
  }

  // The overlap of a user for whom some places weigh something else than in the background.
  Overlaps apart_overlaps(const belief::SharedReader& reader, double share, std::span<const RoiId> truth) const {
    const double least = share * reader.total();
    const auto likely = [least](double weight) { return weight > 0 && weight >= least; };
    const auto first =
        share > 0 ? std::lower_bound(buffers_.likely.begin(), buffers_.likely.end(), least) : buffers_.likely.begin();
    const std::int64_t predicted = buffers_.likely.end() - first + reader.more(likely);
    if (predicted == 0 || reader.total() <= 0) return only_null(truth);
    Overlaps overlaps{predicted + static_cast<std::int64_t>(truth.size()), 0};
    for (const RoiId roi : truth) overlaps.common += likely(reader.weight(roi)) ? 1 : 0;
    return overlaps;
  }

  // Fills buffers_.predicted and returns how many there are.
  std::int64_t predict(const belief::Background& background, double share) {
    std::vector<bool>& predicted = buffers_.predicted;
    predicted.assign(background.weights.size(), false);
    std::int64_t predictions = 0;
    for (std::size_t roi = 0; roi < background.weights.size(); ++roi) {
      if (background.weights[roi] <= 0 || background.weights[roi] < share * background.total) continue;
      predicted[roi] = true;
      ++predictions;
    }
    if (predictions > 0) return predictions;
    predicted[index_of(null_)] = true;
    return 1;
  }

  void add_kind(std::span<const TrueEpoch> epochs, const belief::Rows& rows, double share) {
    if (share == 0) {
      add_listed(epochs, rows, sizes_of(static_cast<const belief::SparseRows&>(rows)),
                 [&](std::span<const RoiId> truth, UserId, std::size_t row) {
                   if (row == kNoRow) return only_null(truth);
                   const auto rois = rows.rois_of(row);
                   return Overlaps{static_cast<std::int64_t>(rois.size() + truth.size()),
                                   static_cast<std::int64_t>(common_rois(truth, rois))};
                 });
      return;
    }
    const auto likely = [&](std::size_t row) { return likely_when_absent(rows, row, share); };
    add_listed(epochs, rows, likely, [&](std::span<const RoiId> truth, UserId, std::size_t row) {
      return row == kNoRow ? only_null(truth) : likely_overlaps(rows, row, share, truth);
    });
  }

  void add_kind(std::span<const TrueEpoch> epochs, const belief::Assignment& assignment, double) {
    if (assignment.highest_limit() > 0) {
      for (const TrueEpoch& epoch : epochs) add_with_limits(epoch, assignment);
      return;
    }
    AssignmentReader reader(assignment, null_);
    add_listed(epochs, assignment, sizes_of(AssignedRows(assignment)),
               [&](std::span<const RoiId> truth, UserId user, std::size_t row) {
                 return overlaps_of(reader.read(user, truth, row));
               });
  }

  Overlaps likely_when_absent(const belief::Rows& rows, std::size_t row, double share) const {
    const auto rois = rows.rois_of(row);
    const auto weights = rows.weights_of(row);
    const double least = share * rows.total_of(row);
    std::int64_t predicted = 0;
    for (std::size_t i = 0; i < rois.size(); ++i) predicted += weight_at(weights, i) >= least ? 1 : 0;
    if (predicted == 0) return kNullInNull;
    return {predicted + 1, rois.back() == null_ && weight_at(weights, rois.size() - 1) >= least ? 1 : 0};
  }

  Overlaps likely_overlaps(const belief::Rows& rows, std::size_t row, double share,
                           std::span<const RoiId> truth) const {
    const auto rois = rows.rois_of(row);
    const auto weights = rows.weights_of(row);
    const double least = share * rows.total_of(row);
    std::size_t predicted = 0;
    std::int64_t common = 0;
    for (std::size_t i = 0; i < rois.size(); ++i) {
      if (weight_at(weights, i) < least) continue;
      ++predicted;
      common += std::binary_search(truth.begin(), truth.end(), rois[i]) ? 1 : 0;
    }
    if (predicted == 0) return only_null(truth);
    return {static_cast<std::int64_t>(predicted + truth.size()), common};
  }

  // absent_of(row): the overlap if the user of the row is in null.
  template <typename AbsentOf, typename Here>
  void add_listed(std::span<const TrueEpoch> epochs, const belief::SparseRows& rows, AbsentOf absent_of,
                  const Here& here) {
    const auto times = static_cast<std::int64_t>(epochs.size());
    buffers_.absent_both.resize(rows.users.size());
    buffers_.absent_common.resize(rows.users.size());
    Wide listed = 0;
    for (std::size_t row = 0; row < rows.users.size(); ++row) {
      const Overlaps absent = absent_of(row);
      buffers_.absent_both[row] = absent.both;
      buffers_.absent_common[row] = absent.common;
      sum_of(rows.users[row]).add(times, absent, kNullInNull);
      listed += epoch_units(absent);
    }
    put_right(
        epochs, rows.users, listed,
        [&](std::size_t row) {
          return row == kNoRow ? kNullInNull : Overlaps{buffers_.absent_both[row], buffers_.absent_common[row]};
        },
        here);
  }

  // `absent`: the sum over the range in one epoch if everybody were in null; absent_of(row): one user's overlap then.
  template <typename AbsentOf, typename Here>
  void put_right(std::span<const TrueEpoch> epochs, std::span<const UserId> listed, Wide absent,
                 const AbsentOf& absent_of, const Here& here) {
    for (const TrueEpoch& epoch : epochs) {
      Wide sum = absent;
      walk_active(epoch.visits, listed, [&](UserId user, std::size_t truth_row, std::size_t row) {
        const Overlaps now = here(epoch.visits.rois_of(truth_row), user, row);
        const Overlaps before = absent_of(row);
        sum_of(user).add(1, now, before);
        add_active(user, now);
        sum += epoch_units(now) - epoch_units(before);
      });
      epochs_[index_of(epoch.epoch)] += sum;
    }
  }

  // An assignment that takes in whole ranges of users.
  void add_with_limits(const TrueEpoch& epoch, const belief::Assignment& assignment) {
    Wide sum = 0;
    AssignmentReader reader(assignment, null_);
    walk_with_limits(epoch.visits, assignment, range_, [&](UserId user, std::size_t truth_row, std::size_t row) {
      const auto truth = truth_row == kNoRow ? std::span(&null_, 1) : epoch.visits.rois_of(truth_row);
      const Overlaps now = overlaps_of(reader.read(user, truth, row));
      sum_of(user).add(1, now, kNullInNull);
      if (truth_row != kNoRow) add_active(user, now);
      sum += epoch_units(now);
    });
    epochs_[index_of(epoch.epoch)] += sum;
  }

  belief::UserRange range_;
  RoiId null_;
  Buffers& buffers_;
  std::vector<Overlaps> users_;   // less everybody_ and kNullInNull in every epoch
  std::vector<Overlaps> active_;  // over the epochs in which the user was somewhere
  Overlaps everybody_;
  std::vector<Wide> epochs_;
};

MeanErrors mean_localization_errors(const Setting& setting, const Scores& scores) {
  MeanErrors means;
  for (const Wide sum : scores.epochs) {
    means.epochs.push_back(static_cast<double>(sum) / kEpochUnit / static_cast<double>(setting.crowd.people()));
  }
  return means;
}

}  // namespace

extern const MetricEntry localization_metric;
const MetricEntry localization_metric = {
    .info = {.position = 2,
             .name = "LOCALIZATION",
             .summary = "How wrong she is about where each person is when: 0 is every place right, 1 is none.",
             .explanation =
                 "1 - F1 over all ROIs (null included) and epochs of the inference period, per user. A prediction is "
                 "read off her beliefs by a decision: ALL, POP or, for assignments, ASSIGNED. No ROI predicted: null. "
                 "By epoch, the mean of each user's 1 - F1 in it.",
             .parameters = {},
             .citation = kPaper},
    .goal = "localization",
    .about = "where people are",
    .wants = "to say where each person was, hour by hour",
    .decides = true,
    .make = [](const Setting& setting, belief::UserRange users, Buffers& buffers) -> std::unique_ptr<Scorer> {
      return std::make_unique<LocalizationScorer>(setting, users, buffers);
    },
    .means = mean_localization_errors,
};

}  // namespace hearsay::metric
