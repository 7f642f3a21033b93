// SPDX-License-Identifier: Apache-2.0
#include "ingest/visit_list.h"
#include "release/step.h"

namespace hearsay::release {
namespace {

constexpr std::uint64_t kSampleStreams = 0x73616d706c65;  // those of people, apart from those of places

class Sample final : public Step {
 public:
  explicit Sample(const Parameters& parameters) : rate_(parameters.fraction("rate")) {}

  bool gives_visits() const override { return true; }
  bool by_person() const override { return true; }
  Guarantee carried(const Guarantee& later) const override { return amplified(later, rate_); }
  void describe(const Draft&, Rule& rule) const override { rule.exact = false; }

  Draft apply(const Draft& draft, const NoiseSource& source) const override {
    const dataset::Truth& truth = draft.visits();
    std::vector<std::uint8_t> drawn(draft.users());
    for (std::size_t user = 0; user < drawn.size(); ++user) {
      const std::uint32_t number = truth.crowd().number_of(static_cast<UserId>(user));
      drawn[user] = source.stream(mix(kSampleStreams, number))->unit() < rate_ ? 1 : 0;
    }
    std::vector<std::vector<std::uint64_t>> visits(truth.epochs());
    for (std::size_t e = 0; e < visits.size(); ++e) {
      const dataset::EpochVisits epoch = truth.at(static_cast<EpochId>(e));
      for (std::size_t row = 0; row < epoch.users.size(); ++row) {
        if (drawn[index_of(epoch.users[row])] == 0) continue;
        for (const RoiId roi : epoch.rois_of(row)) {
          visits[e].push_back(
              ingest::VisitList::key(static_cast<std::uint32_t>(epoch.users[row]), static_cast<std::uint32_t>(roi)));
        }
      }
    }
    return draft.sampled(std::move(visits), rate_);
  }

 private:
  double rate_;
};

}  // namespace

extern const StepEntry sample_step;
const StepEntry sample_step = {
    .info =
        {.position = 10,
         .name = "SAMPLE",
         .summary = "Counts some of the people, drawn at random.",
         .explanation =
             "Each person is counted with chance `rate`, in all epochs or none. Who reads the counts divides them by "
             "the rate. With noise for a whole person, its epsilon falls to ln(1 + rate (e^epsilon - 1)), and delta to "
             "rate times itself, as long as nobody knows who was drawn. A promise about less than a person stays as it "
             "is: somebody known to be in the sample is hidden no better. Without noise it promises nothing.",
         .parameters = {with_usual({"rate", "", "above 0 and below 1"}, {0.05, 0.95})},
         .citation = "Balle, Barthe, Gaboardi: Privacy Amplification by Subsampling. NeurIPS 2018."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> { return std::make_unique<Sample>(parameters); },
};

}  // namespace hearsay::release
