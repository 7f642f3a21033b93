// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "release/step.h"

namespace hearsay::release {
namespace {

// Below this a published epoch would be noise in the billions; a secure source has no finer epsilons.
constexpr double kLeast = 0x1p-30;

// What may be spent on publishing, epoch after epoch: never more than `whole` in `window` epochs that follow on one
// another.
//
// Distribution: half of what the last window - 1 epochs left, so less than all of it in the window that ends here.
//
// Absorption: every epoch has a unit, whole / window. An epoch takes its own and those of the epochs before it that
// were left, k units, at most `window`; the k - 1 epochs after it then get nothing. Each epoch that published so owns k
// epochs that end with it, and k that start with it, and none of either are another's. In a window that has one such
// epoch, k <= window; in one that has several, the k epochs that start with the first and those that end with each of
// the others lie within the window and apart. So units spent in a window are never more than its epochs.
class Budget {
 public:
  Budget(bool absorbs, double whole, std::size_t window) : absorbs_(absorbs), whole_(whole), window_(window) {}

  double offered() const {
    if (absorbs_) return whole_ * static_cast<double>(units()) / static_cast<double>(window_);
    const std::size_t before = std::min(spent_.size(), window_ - 1);
    return std::max(0.0,
                    whole_ - std::accumulate(spent_.end() - static_cast<std::ptrdiff_t>(before), spent_.end(), 0.0)) /
           2;
  }

  // An epoch goes by, on which offered() was spent, or nothing.
  void pass(bool spend) {
    const double epsilon = spend ? offered() : 0;
    if (spend) used_until_ = spent_.size() + units();
    spent_.push_back(epsilon);
  }

 private:
  std::size_t units() const {
    return spent_.size() < used_until_ ? 0 : std::min(spent_.size() + 1 - used_until_, window_);
  }

  bool absorbs_;
  double whole_;
  std::size_t window_;
  std::vector<double> spent_;   // by epoch
  std::size_t used_until_ = 0;  // units of epochs before this one are used, or were left to none
};

// Of two data sets that differ in a user's visits of at most w epochs in a row, the counts of those epochs differ by at
// most `cells` in the 1-norm, and so does what they are apart from the counts last published. Given what was published
// before, the noise on that distance costs epsilon / (2 w) in each of these epochs, and counts cost what the budget
// offers; what it offers, and whether it is taken, follows from what was published and from the noisy distance. So the
// w epochs cost at most epsilon / 2 + epsilon / 2, and others nothing.
class EventWindow final : public Step {
 public:
  explicit EventWindow(const Parameters& parameters)
      : epsilon_(given_epsilon(parameters)),
        window_(parameters.whole("w")),
        absorbs_(parameters.choice("form", {"distribution", "absorption"}) == 1) {
    if (window_ == 0) parameters.fail("w", "must be at least 1");
  }

  Guarantee guarantee(const Draft& draft) const override {
    const Reach& reach = draft.reach();
    const std::size_t epochs = draft.counts().epochs();
    if (reach.null_cells(Unit::kUserEpoch) > 1) {
      return {std::nullopt, "none",
              "Visits are bounded over a longer time than an epoch: one that goes may bring in another outside of the "
              "epochs that are to be hidden. BOUND with per=epoch has a guarantee.",
              std::nullopt};
    }
    const double cells = reach.cells(Unit::kUserEpoch);
    // Null has no part in the distance; where counts are published, it moves besides them.
    const double with_null = epsilon_ / 2 + epsilon_ / 2 * (cells + reach.null_cells(Unit::kUserEpoch)) / cells;
    Guarantee guarantee{epsilon_, unit(epochs), "", with_null};
    if (window_ < epochs) {
      const auto windows = static_cast<double>((epochs + window_ - 1) / window_);
      guarantee.note = fmt::format("Over all {} epochs a user has epsilon {:.4g}.", epochs, epsilon_ * windows);
      guarantee.others.push_back({epsilon_ * windows, name_of(Unit::kUser), 0});
    }
    return guarantee;
  }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    const CountMatrix& counts = draft.counts();
    const std::size_t places = counts.rois() - 1;
    const double cells = draft.reach().cells(Unit::kUserEpoch);
    const double for_distance = epsilon_ / 2 / static_cast<double>(window_);
    Budget budget(absorbs_, epsilon_ / 2, window_);
    CountMatrix published(counts.rois(), counts.epochs());
    std::vector<double> last(counts.rois());
    for (std::size_t e = 0; e < counts.epochs(); ++e) {
      const auto bits = source.stream(kWholeRelease - e);
      double distance = source.noise(*bits, cells, for_distance, 1);
      for (std::size_t place = 0; place < places; ++place) distance += std::fabs(counts.series(place)[e] - last[place]);
      const double offered = budget.offered();
      const bool worth = offered >= kLeast && distance / static_cast<double>(places) > cells / offered;
      budget.pass(worth);
      for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
        if (worth) last[roi] = counts.series(roi)[e] + source.noise(*bits, cells, offered, 1);
        published.series(roi)[e] = last[roi];
      }
    }
    return draft.with_counts(std::move(published));
  }

 private:
  std::string unit(std::size_t epochs) const {
    if (window_ >= epochs) return name_of(Unit::kUser);
    if (window_ == 1) return name_of(Unit::kUserEpoch);
    return fmt::format("a user in any {} epochs", window_);
  }

  double epsilon_;
  std::size_t window_;
  bool absorbs_;
};

}  // namespace

extern const StepEntry w_event_step;
const StepEntry w_event_step = {
    .info =
        {.position = 26,
         .name = "W_EVENT",
         .summary = "Publishes an epoch anew only where counts have moved, and hides a user in any w epochs.",
         .explanation =
             "Each epoch the mean distance between its counts and those last published (at first 0) is measured with "
             "Laplace noise, for which half of epsilon is kept: epsilon / (2 w) an epoch. Where it is larger than the "
             "noise that the epoch could be published with, counts are published with that noise; else those last "
             "published stand again. Of the other half, form=distribution offers half of what the last w - 1 epochs "
             "left; form=absorption offers the epoch's own share, epsilon / (2 w), and those of epochs before it that "
             "were left, and then leaves out as many epochs as it took in. Noise hides all counts of an epoch that a "
             "user can change: the places, or what BOUND with per=epoch leaves of them. All noise is discrete.",
         .parameters = {epsilon_parameter(),
                        with_usual({"w", "", "epochs in a row, at least 1; more hide more"}, {1, 168, true, true}),
                        with_choices({"form", "absorption", "distribution or absorption"},
                                     {"distribution", "absorption"})},
         .citation = "Kellaris, Papadopoulos, Xiao, Papadias: Differentially Private Event Sequences over Infinite "
                     "Streams. VLDB 2014."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<EventWindow>(parameters);
    },
};

}  // namespace hearsay::release
