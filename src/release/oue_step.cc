// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "release/local_reports.h"

namespace hearsay::release {
namespace {

// A report has a bit a place: that of the true one is set with chance 1/2, each other with chance q. Two truths differ
// in two bits, so a report is at most (1/2 (1 - q)) / (q 1/2) = (1 - q) / q times as likely for one as for the other:
// e^epsilon for q = 1 / (e^epsilon + 1), and less for a larger q.
class UnaryEncoding final : public LocalReports {
 public:
  explicit UnaryEncoding(const Parameters& parameters) : LocalReports(parameters), epsilon_(given_epsilon(parameters)) {
    // Above what rounding may have taken off, and a multiple of what coins of 64 bits can have.
    const double q = std::nextafter(std::nextafter(1 / (std::exp(epsilon_) + 1), 1), 1);
    q_ = std::ldexp(std::ceil(std::ldexp(q, 64)), -64);
    if (q_ >= kTrue) parameters.fail("epsilon", "is too small: no report would say anything");
  }

 private:
  static constexpr double kTrue = 0.5;

  double epsilon(std::size_t) const override { return epsilon_; }

  double deviation(double people, std::size_t) const override {
    return std::sqrt(people * q_ * (1 - q_)) / (kTrue - q_);
  }

  // Bits are independent, so those set at a place are two binomial numbers.
  void estimate(std::span<const std::uint64_t> truths, std::uint64_t people, RandomBits& bits,
                const NoiseSource& source, std::span<double> estimates) const override {
    for (std::size_t roi = 0; roi < truths.size(); ++roi) {
      const std::uint64_t own = binomial(bits, source, truths[roi], kTrue);
      const std::uint64_t others = binomial(bits, source, people - truths[roi], q_);
      estimates[roi] = (static_cast<double>(own + others) - static_cast<double>(people) * q_) / (kTrue - q_);
    }
  }

  double epsilon_;
  double q_ = 0;
};

}  // namespace

extern const StepEntry oue_step;
const StepEntry oue_step = {
    .info =
        {.position = 5,
         .name = "OUE",
         .summary = "Every person reports a bit for each place an epoch, set at random more often at the true one.",
         .explanation =
             "Optimized unary encoding: each user and epoch reports a bit for every ROI (null is one; one of several "
             "that are true is chosen at random): the true one's is set with probability 1/2, each other with q = 1 / "
             "(e^epsilon + 1). The count is estimated as (bits set - N q) / (1/2 - q), with variance 4 N e^epsilon / "
             "(e^epsilon - 1)^2 at an empty place, whatever the number of places, and the count on top elsewhere: "
             "noise is left however large epsilon is. Epsilon is for a user in one epoch. N is the population declared "
             "in data.population, those not seen being in null; without it nothing is promised.",
         .parameters = {epsilon_parameter(), LocalReports::simplex_parameter("yes")},
         .citation = "Wang, Blocki, Li, Jha: Locally Differentially Private Protocols for Frequency Estimation. USENIX "
                     "Security 2017."},
    .make = [](const Parameters& parameters) -> std::unique_ptr<Step> {
      return std::make_unique<UnaryEncoding>(parameters);
    },
};

}  // namespace hearsay::release
