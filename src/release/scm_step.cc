// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "base/errors.h"
#include "release/noise_law.h"
#include "release/step.h"
#include "release/visits_by_user.h"

namespace hearsay::release {
namespace {

enum class Sensitivity { kEvent, kRoi, kDelta, kUser, kBound };

const std::vector<std::string> kNames = {"event", "roi", "delta", "user"};

constexpr std::uint64_t kScmStreams = 0x73636d626f756e64;  // those of people, apart from those of places

// The counts when every user keeps at most `bound` of its visits, chosen at random; an epoch whose visits are all
// dropped is spent in null.
CountMatrix bounded_counts(const Draft& draft, std::uint64_t bound, const NoiseSource& source) {
  const dataset::Crowd& crowd = draft.visits().crowd();
  VisitsByUser visits(draft);
  CountMatrix counts(draft.counts().rois(), draft.counts().epochs());
  const std::size_t null_row = counts.rois() - 1;
  std::fill(counts.series(null_row).begin(), counts.series(null_row).end(), static_cast<double>(draft.people()));
  std::vector<std::uint32_t> active;
  for (std::size_t user = 0; user < visits.users(); ++user) {
    const std::span<VisitsByUser::Visit> own = visits.of(user);
    const std::size_t kept = std::min<std::size_t>(own.size(), bound);
    std::unique_ptr<RandomBits> bits;
    if (own.size() > bound) bits = source.stream(mix(kScmStreams, crowd.number_of(static_cast<UserId>(user))));
    active.clear();
    for (std::size_t i = 0; i < kept; ++i) {
      if (bits != nullptr) std::swap(own[i], own[i + bits->below(own.size() - i)]);
      counts.series(index_of(own[i].roi))[own[i].epoch] += 1;
      active.push_back(own[i].epoch);
    }
    std::sort(active.begin(), active.end());
    active.erase(std::unique(active.begin(), active.end()), active.end());
    for (const std::uint32_t epoch : active) counts.series(null_row)[epoch] -= 1;
  }
  return counts;
}

class SimpleCounterMechanism final : public Step {
 public:
  explicit SimpleCounterMechanism(const Parameters& parameters) : epsilon_(given_epsilon(parameters)) {
    if (parameters.has("bound")) {
      if (parameters.has("sensitivity")) parameters.fail("sensitivity", "give either sensitivity or bound");
      kind_ = Sensitivity::kBound;
      bound_ = parameters.whole("bound");
      if (bound_ == 0) parameters.fail("bound", "must be at least 1");
      return;
    }
    if (!parameters.has("sensitivity")) throw ConfigError("SCM.sensitivity", "", "is required, unless bound is given");
    const std::string& name = parameters.text("sensitivity");
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    if (found == kNames.end()) parameters.fail("sensitivity", "is not known" + suggestion(name, kNames));
    kind_ = static_cast<Sensitivity>(found - kNames.begin());
  }

  bool needs_visits() const override { return kind_ == Sensitivity::kBound || kind_ == Sensitivity::kDelta; }
  bool by_cell() const override { return !needs_visits(); }
  bool leaves_out() const override { return kind_ == Sensitivity::kBound; }

  // The counts of visits that are kept, or the largest number of visits.
  Answers ask(const Draft& draft, const NoiseSource& source) const override {
    if (kind_ == Sensitivity::kBound) return {bounded_counts(draft, bound_, source)};
    if (kind_ == Sensitivity::kDelta) return most_visits(draft);
    return {};
  }
  bool asks() const override { return true; }

  // With the null row in the release, an event moves two counts: its ROI's and null's.
  Guarantee guarantee(const Draft& draft) const override {
    switch (kind_) {
      case Sensitivity::kEvent:
        return for_unit(draft, Unit::kEvent);
      case Sensitivity::kRoi:
        return for_unit(draft, Unit::kUserPlace);
      case Sensitivity::kUser:
        return for_unit(draft, Unit::kUser);
      case Sensitivity::kBound: {
        const auto bound = static_cast<double>(bound_);
        const double null_moves = std::min(bound, static_cast<double>(draft.counts().epochs()));
        return {epsilon_, "a user", "", epsilon_ * (bound + null_moves) / bound};
      }
      case Sensitivity::kDelta:
        break;
    }
    return {std::nullopt, "none", "Delta is read off the data, which leaks by itself; bound=C is the sound form.",
            std::nullopt};
  }

  std::optional<Noise> noise(const Draft& draft) const override {
    if (kind_ == Sensitivity::kDelta) return std::nullopt;
    return geometric_noise(sensitivity_of(draft), epsilon_);
  }

  void describe(const Draft& draft, Rule& rule) const override {
    const Noise added = geometric_noise(sensitivity_of(draft), epsilon_);
    rule.scale = rule.exact ? *added.scale : 0;
    rule.exact = false;
    rule.variance += added.deviation * added.deviation;
  }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    CountMatrix counts = draft.counts();
    if (kind_ == Sensitivity::kBound) {
      counts = draft.answers() == nullptr ? bounded_counts(draft, bound_, source) : *draft.answers()->reports;
    }
    const double sensitivity = sensitivity_of(draft);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      const auto bits = source.stream(roi);
      for (double& count : counts.series(roi)) count += source.noise(*bits, sensitivity, epsilon_, 1);
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  // More than epsilon where the unit changes more counts than there is noise for: visits that were bounded before let
  // others in.
  Guarantee for_unit(const Draft& draft, Unit unit) const {
    const Reach& reach = draft.reach();
    const double a_count = epsilon_ / sensitivity_of(draft);
    return {std::max(epsilon_, a_count * reach.cells(unit)), name_of(unit), "",
            std::max(epsilon_, a_count * (reach.cells(unit) + reach.null_cells(unit)))};
  }

  double sensitivity_of(const Draft& draft) const {
    const auto epochs = static_cast<double>(draft.counts().epochs());
    switch (kind_) {
      case Sensitivity::kEvent:
        return 1;
      case Sensitivity::kRoi:
        return epochs;
      case Sensitivity::kDelta:
        return static_cast<double>(std::max<std::uint64_t>(1, largest_number_of_visits(draft)));
      case Sensitivity::kUser:
        return epochs * static_cast<double>(draft.counts().rois());
      case Sensitivity::kBound:
        return static_cast<double>(bound_);
    }
    return 1;
  }

  double epsilon_;
  Sensitivity kind_ = Sensitivity::kEvent;
  std::uint64_t bound_ = 0;
};

}  // namespace

extern const StepEntry scm_step;
const StepEntry scm_step = {
    .info =
        {.position = 1,
         .name = "SCM",
         .summary = "Adds fresh Laplace noise to every count.",
         .explanation =
             "Simple Counter Mechanism: Laplace noise of scale sensitivity / epsilon on every ROI (null included) and "
             "epoch. Sensitivity event is 1, roi the number of epochs, user ROIs x epochs, delta the largest number "
             "of visits by one user in the release (read off the data, so it promises nothing); bound=C keeps at "
             "most C visits of each user, chosen at random, and adds noise for C: the honest form of delta.",
         .parameters = {{"sensitivity", "", "event, roi, delta or user", "bound"},
                        {"bound", "", "at most this many visits of a user are kept", "sensitivity"},
                        epsilon_parameter()},
         .citation = "Dwork, Naor, Pitassi, Rothblum: Differential Privacy under Continual Observation. STOC 2010. "
                     "Chan, Shi, Song: Private and Continual Release of Statistics. TISSEC 2011."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<SimpleCounterMechanism>(parameters);
    },
};

}  // namespace hearsay::release
