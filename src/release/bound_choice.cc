// SPDX-License-Identifier: Apache-2.0
#include "release/bound_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "release/baselines.h"
#include "release/chain.h"
#include "release/post_process.h"
#include "release/utility.h"
#include "release/visits_by_user.h"

namespace hearsay::release {
namespace {

Chain bounded(std::uint64_t at_most, const char* noise, const Parameters& budget) {
  Parameters bound("BOUND");
  bound.set("at_most", std::to_string(at_most));
  Chain chain;
  chain.add(step_named("BOUND", "BOUND", all_steps()), bound);
  chain.add(step_named(noise, noise, all_steps()), budget);
  return chain;
}

double error_of(const Chain& chain, const Draft& raw, const Draft& prepared, const NoiseSource& noise) {
  CountMatrix counts = chain.finish(prepared, noise).counts();
  post_process(counts, kDefaultPostProcess, raw.users());
  return measure_utility(raw.counts(), counts).mae;
}

std::vector<std::uint64_t> bounds_up_to(std::uint64_t most) {
  std::vector<std::uint64_t> bounds;
  for (std::uint64_t ten = 1; ten < most; ten *= 10) {
    for (const std::uint64_t step : {1, 2, 5}) {
      if (step * ten < most) bounds.push_back(step * ten);
    }
  }
  bounds.push_back(most);
  return bounds;
}

double visits_in(const Draft& draft) {
  double sum = 0;
  for (std::size_t place = 0; place < draft.geometry().places; ++place) {
    for (const double count : draft.counts().series(place)) sum += count;
  }
  return sum;
}

}  // namespace

const BoundError& BoundChoice::best(double BoundError::*noise) const {
  return *std::min_element(errors.begin(), errors.end(),
                           [&](const BoundError& a, const BoundError& b) { return a.*noise < b.*noise; });
}

std::optional<BoundChoice> choose_bound(const dataset::Dataset& dataset, double epsilon, double delta,
                                        std::size_t threads) {
  dataset::Calendar calendar = dataset.calendar();
  const auto length = static_cast<std::uint32_t>(calendar.inference());
  BoundChoice choice{epsilon, delta, calendar.observe >= length, {}};
  if (choice.on_past) {
    calendar.epochs = calendar.observe;
    calendar.observe -= length;
  }
  const Draft raw(dataset::Truth(dataset.visits(), calendar, dataset.crowd()), std::nullopt, threads);
  const std::uint64_t most = largest_number_of_visits(raw);
  if (most == 0) return std::nullopt;
  Parameters laplace("LAPLACE");
  laplace.set("epsilon", fmt::format("{}", epsilon));
  Parameters gaussian("GAUSSIAN");
  gaussian.set("epsilon", fmt::format("{}", epsilon));
  gaussian.set("delta", fmt::format("{}", delta));
  const auto noise = evaluation_noise(1, "bound", "", 1);
  for (const std::uint64_t at_most : bounds_up_to(most)) {
    const Chain with_laplace = bounded(at_most, "LAPLACE", laplace);
    const Draft prepared = with_laplace.prepare(raw, *noise);
    choice.errors.push_back({at_most, visits_in(prepared) / visits_in(raw),
                             error_of(with_laplace, raw, prepared, *noise),
                             error_of(bounded(at_most, "GAUSSIAN", gaussian), raw, prepared, *noise)});
  }
  const dataset::ObservedCounts before =
      dataset::observed_counts(dataset::Observation(dataset.visits(), calendar, dataset.crowd()), threads);
  for (const Baseline& baseline : all_baselines()) {
    if (const std::optional<CountMatrix> counts = baseline.make(before)) {
      choice.baselines.emplace_back(baseline.words, measure_utility(raw.counts(), *counts).mae);
    }
  }
  return choice;
}

}  // namespace hearsay::release
