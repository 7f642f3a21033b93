// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/table_position.h"
#include "base/user_rows.h"
#include "belief/chances.h"
#include "belief/shared_reader.h"
#include "decision/decision.h"
#include "decision/shared_chances.h"

namespace hearsay::decision {
namespace {

// Chances that are the same but for rounding are on the same side of a cut.
constexpr double kTieRounding = 1e-9;

// The F1 of what is predicted is 2 (sum of its chances) / (its number + sum of all chances). The largest is reached by
// all chances of at least half of it, so that a better one follows from any other until it is its own. `f1`: what some
// prediction reaches; add(least, predicted): adds all chances of at least `least`. Returns the least chance.
template <typename Add>
double best_cut(double f1, double all, const Add& add) {
  for (;;) {
    const double least = f1 / 2 * (1 - kTieRounding);
    Predicted predicted;
    add(least, predicted);
    const double sum = predicted.number + all;
    const double better = sum > 0 ? 2 * predicted.chance / sum : 0;
    if (!(better > f1)) return least;
    f1 = better;
  }
}

// The chances of the users listed in one table.
struct Seen {
  double epochs = 0;  // for which they hold
  std::vector<UserId> users;
  std::vector<std::uint32_t> begins;
  std::vector<double> chances;
  double unlisted_null = 1;
  // Of those with no entry, by ROI but null; empty: 0. Then also the ROIs of the entries.
  std::vector<double> elsewhere;
  std::vector<RoiId> rois;
  double elsewhere_sum = 0;
  double elsewhere_most = 0;
};

class BestReading final : public Reading {
 public:
  BestReading(belief::UserRange users, const dataset::Crowd& crowd) : range_(users), null_(crowd.null_roi()) {}

  void look_at(const belief::Beliefs& beliefs, std::size_t epochs) override {
    const auto times = static_cast<double>(epochs);
    if (const auto* shared = std::get_if<belief::Shared>(&beliefs)) {
      shared_.emplace_back(*shared, times);
    } else {
      look_at_rows(belief::Chances(beliefs), times);
    }
  }

  Prediction predict(const belief::Beliefs& beliefs) override {
    if (cuts_.empty()) make_cuts();
    table_.clear();
    if (const auto* shared = std::get_if<belief::Shared>(&beliefs)) {
      predict_shared(*shared);
    } else {
      predict_rows(belief::Chances(beliefs));
    }
    table_.close();
    predicted_ = table_.assignment();
    return {predicted_};
  }

 private:
  void look_at_rows(belief::Chances chances, double epochs) {
    Seen& seen = seen_.emplace_back();
    seen.epochs = epochs;
    const belief::SparseRows& rows = chances.rows();
    seen.users.assign(rows.users.begin(), rows.users.end());
    seen.unlisted_null = chances.unlisted_null();
    const std::span<const double> elsewhere = chances.elsewhere();
    seen.elsewhere.assign(elsewhere.begin(), elsewhere.end());
    seen.elsewhere_sum = chances.elsewhere_sum();
    seen.elsewhere_most = chances.elsewhere_most();
    const std::size_t first = rows.users.empty() ? 0 : rows.begins.front();
    const std::size_t entries = rows.users.empty() ? 0 : rows.begins[rows.users.size()] - first;
    seen.chances.resize(entries);
    seen.begins.reserve(rows.users.size() + 1);
    sums_.resize(range_.size());
    RowFinder finder(rows.users);
    for (std::size_t u = 0; u < range_.size(); ++u) {
      const std::size_t row = finder.find(static_cast<UserId>(index_of(range_.begin) + u));
      Sums& sums = sums_[u];
      if (row == kNoRow) {
        sums.add(seen.unlisted_null, epochs);
        sums.all += epochs * seen.elsewhere_sum;
        continue;
      }
      chances.enter(row);
      seen.begins.push_back(table_position(rows.begins[row] - first));
      double elsewhere_here = seen.elsewhere_sum;
      for (std::size_t i = rows.begins[row]; i < rows.begins[row + 1]; ++i) {
        const double chance = chances[i];
        seen.chances[i - first] = chance;
        sums.add(chance, epochs);
        if (!elsewhere.empty() && rows.rois[i] != null_) elsewhere_here -= elsewhere[index_of(rows.rois[i])];
      }
      sums.all += epochs * elsewhere_here;
    }
    seen.begins.push_back(table_position(entries));
    if (elsewhere.empty()) return;
    const auto rois = rows.rois.subspan(first, entries);
    seen.rois.assign(rois.begin(), rois.end());
  }

  // What one user has in one table of at least a chance; returns its row.
  std::size_t gather(const Seen& seen, UserId user, double least, std::size_t& next) {
    const bool listed = next < seen.users.size() && seen.users[next] == user;
    if (!listed) {
      if (seen.unlisted_null >= least) own_.push_back({seen.unlisted_null, seen.epochs});
      return kNoRow;
    }
    const std::size_t row = next++;
    for (std::size_t i = seen.begins[row]; i < seen.begins[row + 1]; ++i) {
      if (seen.chances[i] >= least) own_.push_back({seen.chances[i], seen.epochs});
    }
    return row;
  }

  // User by user, through all tables at once.
  void make_cuts() {
    cuts_.resize(range_.size());
    sums_.resize(range_.size());
    std::vector<std::size_t> next(seen_.size(), 0);
    std::vector<std::size_t> rows(seen_.size());
    std::vector<const SharedChances*> common;
    for (std::size_t u = 0; u < range_.size(); ++u) {
      const auto user = static_cast<UserId>(index_of(range_.begin) + u);
      own_.clear();
      common.clear();
      Sums& sums = sums_[u];
      for (SharedChances& shared : shared_) {
        if (shared.enter(user)) {
          common.push_back(&shared);
          sums.all += shared.epochs();
        } else {
          own_.push_back({1, shared.epochs()});
          sums.add(1, shared.epochs());
        }
      }
      // What is likelier than not is a start, below half of which nothing is ever in.
      const double start = sums.all > 0 ? 2 * sums.likely.chance / (sums.likely.number + sums.all) : 0;
      for (std::size_t s = 0; s < seen_.size(); ++s) {
        rows[s] = gather(seen_[s], user, start / 2 * (1 - kTieRounding), next[s]);
      }
      cuts_[u] = best_cut(start, sums.all, [&](double least, Predicted& predicted) {
        for (const Own& one : own_) {
          if (one.chance >= least) predicted.add(one.chance, one.epochs);
        }
        for (const SharedChances* shared : common) shared->add(least, predicted);
        for (std::size_t s = 0; s < seen_.size(); ++s) add_elsewhere(seen_[s], rows[s], least, predicted);
      });
    }
    seen_.clear();
    shared_.clear();
    sums_.clear();
  }

  static void add_elsewhere(const Seen& seen, std::size_t row, double least, Predicted& predicted) {
    if (seen.elsewhere_most < least || seen.elsewhere_most <= 0) return;
    std::span<const RoiId> listed;
    if (row != kNoRow) {
      listed = std::span(seen.rois).subspan(seen.begins[row], seen.begins[row + 1] - seen.begins[row]);
    }
    belief::for_elsewhere(seen.elsewhere, listed, least,
                          [&](RoiId, double chance) { predicted.add(chance, seen.epochs); });
  }

  // Ends the row of a user, which begins at a position of the table. Who has nothing but null stays out: that is what
  // is predicted of users not listed.
  void close_row(UserId user, std::size_t begin, bool null) {
    if (table_.rois.size() == begin) return;
    if (null) table_.rois.push_back(null_);
    table_.users.push_back(user);
    table_.begins.push_back(table_position(begin));
  }

  double cut_of(UserId user) const { return cuts_[index_of(user) - index_of(range_.begin)]; }

  void predict_shared(const belief::Shared& shared) {
    const std::span<const double> weights = shared.background.weights;
    const double most = *std::max_element(weights.begin(), weights.end());
    belief::SharedReader reader(shared);
    const std::size_t listed = shared.everyone ? range_.size() : shared.users.size();
    for (std::size_t i = 0; i < listed; ++i) {
      const UserId user = shared.everyone ? static_cast<UserId>(index_of(range_.begin) + i) : shared.users[i];
      reader.enter(user);
      if (reader.total() <= 0) continue;
      const double least = cut_of(user) * reader.total();
      const auto likely = [&](double weight) { return weight > 0 && weight >= least; };
      if (!likely(most) && reader.more(likely) == 0) continue;
      const std::size_t begin = table_.rois.size();
      for (std::size_t roi = 0; roi < index_of(null_); ++roi) {
        if (likely(reader.weight(static_cast<RoiId>(roi)))) table_.rois.push_back(static_cast<RoiId>(roi));
      }
      close_row(user, begin, likely(reader.weight(null_)));
    }
  }

  void predict_rows(belief::Chances chances) {
    const belief::SparseRows& rows = chances.rows();
    const double most = chances.elsewhere_most();
    const auto predict_user = [&](UserId user, std::size_t row) {
      const double cut = cut_of(user);
      const std::size_t begin = table_.rois.size();
      const std::size_t first = row == kNoRow ? 0 : rows.begins[row];
      const std::size_t end = row == kNoRow ? 0 : rows.begins[row + 1];
      bool null = row == kNoRow && chances.unlisted_null() >= cut;
      if (row != kNoRow) chances.enter(row);
      for (std::size_t i = first; i < end; ++i) {
        if (chances[i] < cut || chances[i] <= 0) continue;
        if (rows.rois[i] == null_) {
          null = true;
        } else {
          table_.rois.push_back(rows.rois[i]);
        }
      }
      if (most > 0 && most >= cut) {
        belief::for_elsewhere(chances.elsewhere(), rows.rois.subspan(first, end - first), cut,
                              [&](RoiId roi, double) { table_.rois.push_back(roi); });
        std::sort(table_.rois.begin() + static_cast<std::ptrdiff_t>(begin), table_.rois.end());
      }
      close_row(user, begin, null);
    };
    const bool everybody = most > 0 && most >= *std::min_element(cuts_.begin(), cuts_.end());
    if (!everybody) {
      for (std::size_t row = 0; row < rows.users.size(); ++row) predict_user(rows.users[row], row);
      return;
    }
    RowFinder finder(rows.users);
    for (std::size_t u = index_of(range_.begin); u < index_of(range_.end); ++u) {
      predict_user(static_cast<UserId>(u), finder.find(static_cast<UserId>(u)));
    }
  }

  struct Own {
    double chance;
    double epochs;
  };
  // Of one user: all chances, and those likelier than not.
  struct Sums {
    double all = 0;
    Predicted likely;
    void add(double chance, double epochs) {
      all += epochs * chance;
      if (chance >= 0.5) likely.add(chance, epochs);
    }
  };

  belief::UserRange range_;
  RoiId null_;
  // Until the cuts are made.
  std::vector<Seen> seen_;
  std::vector<SharedChances> shared_;
  std::vector<Sums> sums_;  // by user of the range
  std::vector<Own> own_;    // of one user

  std::vector<double> cuts_;  // by user of the range
  belief::RowTable table_;
  belief::Beliefs predicted_;
};

class BestDecision final : public Decision {
 public:
  bool looks_ahead() const override { return true; }
  std::unique_ptr<Reading> read(belief::UserRange users, const dataset::Crowd& crowd) const override {
    return std::make_unique<BestReading>(users, crowd);
  }
};

}  // namespace

extern const DecisionEntry best_decision;
const DecisionEntry best_decision = {
    .info = {.position = 4,
             .name = "BEST",
             .summary = "She predicts so many places of each person that she expects to be right most.",
             .explanation =
                 "For each person one least chance over all epochs and places, null included: the one with the largest "
                 "expected F1, 2 (sum of the chances predicted) / (their number + sum of all chances). No ROI "
                 "predicted: null. Not for attacks that use no prior, which know nothing of any person.",
             .parameters = {},
             .citation = "Lipton, Elkan, Narayanaswamy 2014, optimal thresholding of classifiers to maximize F1."},
    .of_rates = true,
    .make = [](const Parameters&) -> std::unique_ptr<Decision> { return std::make_unique<BestDecision>(); },
};

}  // namespace hearsay::decision
