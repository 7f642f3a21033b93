// SPDX-License-Identifier: Apache-2.0
#include "release/utility.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace hearsay::release {
namespace {

double relative_error(std::span<const double> raw, std::span<const double> perturbed, double beta) {
  double sum = 0;
  for (std::size_t t = 0; t < raw.size(); ++t) sum += std::fabs(perturbed[t] - raw[t]) / std::max(beta, raw[t]);
  return sum;
}

// MRE and MAE.
struct Errors {
  double relative = 0;
  double absolute = 0;
};

Errors errors_of(const CountMatrix& raw, const CountMatrix& perturbed) {
  const std::size_t rois = raw.rois() - 1;
  const auto epochs = static_cast<double>(raw.epochs());
  const double beta = 0.001 * sum_of(raw.all()) / epochs;
  Errors errors;
  for (std::size_t roi = 0; roi < rois; ++roi) {
    const auto before = raw.series(roi);
    const auto after = perturbed.series(roi);
    errors.relative += relative_error(before, after, beta);
    for (std::size_t t = 0; t < before.size(); ++t) errors.absolute += std::fabs(after[t] - before[t]);
  }
  errors.relative /= static_cast<double>(rois) * epochs;
  errors.absolute /= static_cast<double>(rois) * epochs;
  return errors;
}

// The busiest ROIs of an epoch, ties to the first; those at 0 are not busy.
std::vector<std::size_t> busiest(const CountMatrix& counts, std::size_t epoch) {
  constexpr std::ptrdiff_t kMost = 10;
  std::vector<std::size_t> order;
  for (std::size_t roi = 0; roi + 1 < counts.rois(); ++roi) {
    if (counts.series(roi)[epoch] > 0) order.push_back(roi);
  }
  const auto end = order.begin() + std::min<std::ptrdiff_t>(kMost, std::ssize(order));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    const double x = counts.series(a)[epoch];
    const double y = counts.series(b)[epoch];
    return x != y ? x > y : a < b;
  });
  order.erase(end, order.end());
  std::sort(order.begin(), order.end());
  return order;
}

double top_overlap(const CountMatrix& raw, const CountMatrix& perturbed) {
  double sum = 0;
  std::size_t epochs = 0;
  for (std::size_t epoch = 0; epoch < raw.epochs(); ++epoch) {
    const std::vector<std::size_t> before = busiest(raw, epoch);
    if (before.empty()) continue;
    const std::vector<std::size_t> after = busiest(perturbed, epoch);
    std::vector<std::size_t> both;
    std::set_intersection(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(both));
    sum += static_cast<double>(both.size()) / static_cast<double>(before.size());
    ++epochs;
  }
  return epochs == 0 ? 1 : sum / static_cast<double>(epochs);
}

// The place of each value in ascending order, from 1; equal ones have the mean of theirs.
void rank(std::span<const double> values, std::vector<std::uint32_t>& order, std::vector<double>& ranks) {
  order.resize(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  ranks.resize(values.size());
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double mean = static_cast<double>(first + 1 + end) / 2;
    for (std::size_t i = first; i < end; ++i) ranks[order[i]] = mean;
  }
}

// Of two lists of ranks of the same length; 0 where one has no order.
double correlation(std::span<const double> a, std::span<const double> b) {
  const double mean = static_cast<double>(a.size() + 1) / 2;
  double both = 0;
  double first = 0;
  double second = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean) * (b[i] - mean);
    first += (a[i] - mean) * (a[i] - mean);
    second += (b[i] - mean) * (b[i] - mean);
  }
  return first > 0 && second > 0 ? both / std::sqrt(first * second) : 0;
}

std::optional<double> rank_correlation(const CountMatrix& raw, const CountMatrix& perturbed) {
  const std::size_t places = raw.rois() - 1;
  std::vector<double> values(places);
  std::vector<std::uint32_t> order;
  std::vector<double> before;
  std::vector<double> after;
  double sum = 0;
  std::size_t epochs = 0;
  for (std::size_t epoch = 0; epoch < raw.epochs(); ++epoch) {
    for (std::size_t roi = 0; roi < places; ++roi) values[roi] = raw.series(roi)[epoch];
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end()) continue;
    rank(values, order, before);
    for (std::size_t roi = 0; roi < places; ++roi) values[roi] = perturbed.series(roi)[epoch];
    rank(values, order, after);
    sum += correlation(before, after);
    ++epochs;
  }
  return epochs == 0 ? std::nullopt : std::optional(sum / static_cast<double>(epochs));
}

// The mean of what was added.
class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  std::optional<double> value() const {
    return count_ == 0 ? std::nullopt : std::optional(sum_ / static_cast<double>(count_));
  }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

void measure_by_size(const CountMatrix& raw, const CountMatrix& perturbed, Utility& utility) {
  Mean none;
  Mean few;
  Mean some;
  Mean many;
  for (std::size_t i = 0; i + raw.epochs() < raw.all().size(); ++i) {  // null is the last
    const double count = raw.all()[i];
    (count < 1 ? none : count < 10 ? few : count < 100 ? some : many).add(std::fabs(perturbed.all()[i] - count));
  }
  utility.mae_0 = none.value();
  utility.mae_1_9 = few.value();
  utility.mae_10_99 = some.value();
  utility.mae_100 = many.value();
}

std::optional<double> error_of_sums(const std::vector<double>& raw, const std::vector<double>& perturbed) {
  double off = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) off += std::fabs(perturbed[i] - raw[i]);
  const double all = sum_of(raw);
  return all > 0 ? std::optional(off / all) : std::nullopt;
}

std::vector<double> sums_by_place(const CountMatrix& counts) {
  std::vector<double> sums;
  for (std::size_t roi = 0; roi + 1 < counts.rois(); ++roi) sums.push_back(sum_of(counts.series(roi)));
  return sums;
}

// By epoch modulo `period`.
std::vector<double> sums_by_time(const CountMatrix& counts, std::size_t period) {
  std::vector<double> sums(period);
  for (std::size_t roi = 0; roi + 1 < counts.rois(); ++roi) {
    const auto series = counts.series(roi);
    for (std::size_t epoch = 0; epoch < series.size(); ++epoch) sums[epoch % period] += series[epoch];
  }
  return sums;
}

double forecast_error(const CountMatrix& raw, const CountMatrix& known, std::size_t per_day) {
  Mean error;
  for (std::size_t roi = 0; roi + 1 < raw.rois(); ++roi) {
    const auto truth = raw.series(roi);
    const auto before = known.series(roi);
    for (std::size_t t = per_day; t < truth.size(); ++t) error.add(std::fabs(before[t - per_day] - truth[t]));
  }
  return error.value().value_or(0);
}

}  // namespace

Utility measure_utility(const CountMatrix& raw, const CountMatrix& perturbed, std::size_t per_day) {
  const Errors errors = errors_of(raw, perturbed);
  Utility utility;
  utility.mre = errors.relative;
  utility.mae = errors.absolute;
  const auto epochs = static_cast<double>(raw.epochs());
  std::size_t visited = 0;
  double present = 0;
  double gone = 0;
  for (std::size_t roi = 0; roi + 1 < raw.rois(); ++roi) {
    const auto before = raw.series(roi);
    const auto after = perturbed.series(roi);
    const double total = sum_of(before);
    if (total > 0) {
      utility.mre_per_roi += relative_error(before, after, 0.001 * total) / epochs;
      ++visited;
    }
    for (std::size_t t = 0; t < before.size(); ++t) {
      present += before[t] > 0 ? 1 : 0;
      gone += before[t] > 0 && after[t] <= 0 ? 1 : 0;
    }
  }
  if (visited > 0) utility.mre_per_roi /= static_cast<double>(visited);
  utility.suppressed = present > 0 ? gone / present : 0;
  utility.top10_overlap = top_overlap(raw, perturbed);
  measure_by_size(raw, perturbed, utility);
  utility.rank_correlation = rank_correlation(raw, perturbed);
  utility.place_totals = error_of_sums(sums_by_place(raw), sums_by_place(perturbed));
  utility.epoch_totals = error_of_sums(sums_by_time(raw, raw.epochs()), sums_by_time(perturbed, raw.epochs()));
  if (per_day == 0) return utility;
  utility.daily_profile = error_of_sums(sums_by_time(raw, per_day), sums_by_time(perturbed, per_day));
  if (raw.epochs() < 2 * per_day) return utility;
  utility.forecast_mae = forecast_error(raw, perturbed, per_day);
  utility.forecast_mae_raw = forecast_error(raw, raw, per_day);
  return utility;
}

Utility measure_utility(const CountMatrix& raw, const CountMatrix& own_raw, const Draft& draft, std::size_t per_day) {
  const Geometry& geometry = draft.geometry();
  Utility utility = measure_utility(raw, expanded(draft.counts(), geometry, draft.users()), per_day);
  Errors own{utility.mre, utility.mae};
  if (!geometry.is_fine()) {
    CountMatrix all = draft.counts();
    for (double& count : all.all()) count /= geometry.share;
    own = errors_of(own_raw, all);
  }
  utility.mre_own_grid = own.relative;
  utility.mae_own_grid = own.absolute;
  // By epoch and place; a count that two steps left out is there twice.
  std::size_t gone = 0;
  const std::vector<Missing>& missing = draft.missing();
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const bool again = i > 0 && missing[i].epoch == missing[i - 1].epoch && missing[i].place == missing[i - 1].place;
    gone += missing[i].place < geometry.places && !again ? 1 : 0;
  }
  utility.published = 1 - static_cast<double>(gone) / static_cast<double>(geometry.places * geometry.epochs);
  return utility;
}

double mean_absolute_error(const CountMatrix& raw, const Draft& draft) {
  return errors_of(raw, expanded(draft.counts(), draft.geometry(), draft.users())).absolute;
}

CountMatrix true_counts(const Draft& raw, const Geometry& geometry) {
  CountMatrix counts = raw.merged(geometry.place_of, geometry.places, geometry.epoch_of, geometry.epochs).counts();
  const auto unseen = static_cast<double>(raw.people() - raw.users());
  for (double& count : counts.series(geometry.places)) count -= unseen;
  return counts;
}

std::vector<UtilityNumber> numbers_of(const Utility& utility) {
  return {{"mre", utility.mre},
          {"mre_per_roi", utility.mre_per_roi},
          {"mae", utility.mae},
          {"top10_overlap", utility.top10_overlap},
          {"suppressed", utility.suppressed},
          {"mae_0", utility.mae_0},
          {"mae_1_9", utility.mae_1_9},
          {"mae_10_99", utility.mae_10_99},
          {"mae_100", utility.mae_100},
          {"rank_correlation", utility.rank_correlation},
          {"daily_profile", utility.daily_profile},
          {"place_totals", utility.place_totals},
          {"epoch_totals", utility.epoch_totals},
          {"forecast_mae", utility.forecast_mae},
          {"forecast_mae_raw", utility.forecast_mae_raw},
          {"published", utility.published},
          {"mre_own_grid", utility.mre_own_grid},
          {"mae_own_grid", utility.mae_own_grid}};
}

}  // namespace hearsay::release
