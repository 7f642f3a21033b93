// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/errors.h"
#include "ingest/visit_list.h"
#include "release/step.h"
#include "release/visits_by_user.h"

namespace hearsay::release {
namespace {

constexpr std::uint64_t kBoundStreams = 0x626f756e64;  // those of people, apart from those of places

class Bound final : public Step {
 public:
  explicit Bound(const Parameters& parameters)
      : parameters_(parameters),
        most_(parameters.whole("at_most")),
        window_(static_cast<Window>(parameters.choice("per", window_names()))),
        uniform_(parameters.choice("choice", {"uniform", "first"}) == 0) {
    if (most_ == 0) parameters.fail("at_most", "must be at least 1");
  }

  bool gives_visits() const override { return true; }
  bool by_person() const override { return true; }
  Guarantee carried(const Guarantee& later) const override { return later; }
  // What is left of a count depends on where else people were.
  void describe(const Draft&, Rule& rule) const override { rule.exact = false; }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    const Reach& reach = draft.reach();
    const std::uint64_t seconds = reach.seconds_of(window_);
    if (seconds % reach.epoch_seconds() != 0) {
      parameters_.fail("per", fmt::format("does not fit epochs of {} seconds", reach.epoch_seconds()));
    }
    const dataset::Crowd& crowd = draft.visits().crowd();
    VisitsByUser visits(draft);
    std::vector<std::vector<std::uint64_t>> kept(draft.visits().epochs());
    for (std::size_t user = 0; user < draft.users(); ++user) {
      const std::span<VisitsByUser::Visit> own = visits.of(user);
      std::unique_ptr<RandomBits> bits;
      for (std::size_t begin = 0; begin < own.size();) {
        const std::size_t window = reach.window_of(window_, own[begin].epoch);
        std::size_t end = begin;
        while (end < own.size() && reach.window_of(window_, own[end].epoch) == window) ++end;
        std::span<VisitsByUser::Visit> some = own.subspan(begin, end - begin);
        if (some.size() > most_) {
          if (uniform_ && bits == nullptr)
            bits = source.stream(mix(kBoundStreams, crowd.number_of(static_cast<UserId>(user))));
          some = choose(some, bits.get());
        }
        for (const VisitsByUser::Visit& visit : some) {
          kept[visit.epoch].push_back(
              ingest::VisitList::key(static_cast<std::uint32_t>(user), static_cast<std::uint32_t>(visit.roi)));
        }
        begin = end;
      }
    }
    return draft.bounded(std::move(kept), window_, most_);
  }

 private:
  // The first visits, or any as likely as others, put first; without bits the first.
  std::span<VisitsByUser::Visit> choose(std::span<VisitsByUser::Visit> visits, RandomBits* bits) const {
    const std::span<VisitsByUser::Visit> chosen = visits.first(most_);
    if (bits == nullptr) return chosen;
    for (std::size_t i = 0; i < most_; ++i) std::swap(visits[i], visits[i + bits->below(visits.size() - i)]);
    std::sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) {
      return a.epoch != b.epoch ? a.epoch < b.epoch : index_of(a.roi) < index_of(b.roi);
    });
    return chosen;
  }

  Parameters parameters_;
  std::uint64_t most_;
  Window window_;
  bool uniform_;
};

}  // namespace

extern const StepEntry bound_step;
const StepEntry bound_step = {
    .info =
        {.position = 11,
         .name = "BOUND",
         .summary = "Keeps at most so many visits of each person.",
         .explanation =
             "Of each person's visits in an epoch, day, week or the whole release, at most at_most are counted: any as "
             "likely as others, or the first. Days and weeks are counted from the start of the release. Noise that "
             "follows has no more than that to hide of a person. Without noise it promises nothing.",
         .parameters = {with_usual({"at_most", "", "visits kept, at least 1"}, {1, 100, true, true}),
                        with_choices({"per", "release", "epoch, day, week or release"},
                                     {"epoch", "day", "week", "release"}),
                        with_choices({"choice", "uniform", "uniform or first"}, {"uniform", "first"})},
         .citation = "Amin, Kulesza, Munoz Medina, Vassilvitskii: Bounding User Contributions: A Bias-Variance "
                     "Trade-off in Differential Privacy. ICML 2019."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> { return std::make_unique<Bound>(parameters); },
};

}  // namespace hearsay::release
