// SPDX-License-Identifier: Apache-2.0
#include "release/worth.h"

#include <algorithm>
#include <cmath>

namespace hearsay::release {
namespace {

// Evaluation draws with no noise added: what a chain does to the counts besides.
class WithoutNoise final : public NoiseSource {
 public:
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override { return draws_->stream(index); }
  double noise(RandomBits&, double, double, double) const override { return 0; }
  double gaussian(RandomBits&, double, double) const override { return 0; }
  bool discrete() const override { return false; }
  std::uint64_t word(std::uint64_t index) const override { return draws_->word(index); }

 private:
  std::unique_ptr<NoiseSource> draws_ = evaluation_noise(1, "worth", "", 0);
};

// Null, the last row, is not published.
std::span<const double> published(const CountMatrix& counts) {
  return counts.all().first(counts.all().size() - counts.epochs());
}

double mean_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::fabs(a[i] - b[i]);
  return a.empty() ? 0 : sum / static_cast<double>(a.size());
}

double mean_of(std::span<const double> values) {
  return values.empty() ? 0 : sum_of(values) / static_cast<double>(values.size());
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

void describe_counts(std::span<const double> counts, Worth& worth) {
  std::vector<double> above;
  std::copy_if(counts.begin(), counts.end(), std::back_inserter(above), [](double count) { return count > 0; });
  worth.mean_count = mean_of(counts);
  worth.median_count = median_of({counts.begin(), counts.end()});
  worth.nonzero_share = counts.empty() ? 0 : static_cast<double>(above.size()) / static_cast<double>(counts.size());
  worth.mean_nonzero_count = mean_of(above);
  worth.median_nonzero_count = median_of(above);
  worth.true_total = sum_of(counts);
}

// What is known of the counts and of what the chain does to them besides noise.
Worth worth_without_draws(const Chain& chain, const Draft& draft, const Draft& prepared) {
  Worth worth;
  describe_counts(published(draft.counts()), worth);
  worth.noise = chain.noise(prepared);
  if (worth.noise) worth.noise_error = worth.noise->absolute_error;
  const CountMatrix kept = chain.finish(prepared, WithoutNoise()).counts();
  worth.kept_total = sum_of(published(expanded(kept, prepared.geometry(), draft.users())));
  return worth;
}

}  // namespace

double Worth::kept_share() const {
  return true_total > 0 ? std::clamp(kept_total / true_total, 0.0, 1.0) : 1;
}

bool Worth::inflated() const {
  return std::fabs(published_total - noisy_total) > 0.1 * true_total;
}

Worth measure_worth(const Chain& chain, const Draft& draft, PostProcess how) {
  const Draft prepared = chain.prepare(draft, WithoutNoise());
  Worth worth = worth_without_draws(chain, draft, prepared);
  const std::span<const double> truth = published(draft.counts());
  const auto fine = [&](const CountMatrix& counts) { return expanded(counts, prepared.geometry(), draft.users()); };
  double noise_error = 0;
  constexpr auto kDraws = static_cast<double>(kWorthDraws);
  for (std::size_t draw = 1; draw <= kWorthDraws; ++draw) {
    CountMatrix counts = chain.run(draft, *evaluation_noise(1, "worth", "", draw)).counts();
    const CountMatrix noisy_counts = fine(counts);
    const std::span<const double> noisy = published(noisy_counts);
    noise_error += mean_distance(noisy, truth) / kDraws;
    worth.noisy_total += sum_of(noisy) / kDraws;
    const auto below = std::count_if(noisy.begin(), noisy.end(), [](double count) { return std::round(count) < 0; });
    if (!noisy.empty()) worth.moved_share += static_cast<double>(below) / static_cast<double>(noisy.size()) / kDraws;
    post_process(counts, how, draft.users());
    const CountMatrix processed = fine(counts);
    worth.error += mean_distance(published(processed), truth) / kDraws;
    worth.published_total += sum_of(published(processed)) / kDraws;
  }
  if (!worth.noise) worth.noise_error = noise_error;
  return worth;
}

bool mostly_noise(const Chain& chain, const Draft& draft) {
  const Worth worth = worth_without_draws(chain, draft, chain.prepare(draft, WithoutNoise()));
  return (worth.noise ? worth : measure_worth(chain, draft, kDefaultPostProcess)).mostly_noise();
}

}  // namespace hearsay::release
