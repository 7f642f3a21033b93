// SPDX-License-Identifier: Apache-2.0
#include "release/post_process.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/errors.h"
#include "release/simplex.h"

namespace hearsay::release {
namespace {

void round_all(std::span<double> counts, double least, double most) {
  for (double& count : counts) count = std::clamp(std::round(count), least, most);
}

// Whole numbers that add up to the whole number nearest to `total`: the largest remainders are rounded up, ties to the
// first.
void round_keeping_total(std::vector<double>& counts, double total) {
  std::vector<double> remainders(counts.size());
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    remainders[i] = counts[i] - std::floor(counts[i]);
    counts[i] = std::floor(counts[i]);
    sum += counts[i];
  }
  const double missing = std::max(0.0, std::round(total) - sum);
  const auto up = std::min(counts.size(), static_cast<std::size_t>(missing));
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (std::size_t i = 0; i < up; ++i) counts[order[i]] += 1;
}

void project_epochs(CountMatrix& counts) {
  const std::size_t rois = counts.rois() - 1;
  std::vector<double> column(rois);
  for (std::size_t epoch = 0; epoch < counts.epochs(); ++epoch) {
    for (std::size_t roi = 0; roi < rois; ++roi) column[roi] = counts.series(roi)[epoch];
    const double total = std::max(0.0, std::accumulate(column.begin(), column.end(), 0.0));
    project_to_simplex(column, total);
    round_keeping_total(column, total);
    for (std::size_t roi = 0; roi < rois; ++roi) counts.series(roi)[epoch] = column[roi];
  }
}

}  // namespace

const std::vector<std::string>& post_process_names() {
  static const std::vector<std::string> names = {"none", "round", "nonnegative", "projected", "paper"};
  return names;
}

const std::string& name_of(PostProcess how) {
  return post_process_names()[static_cast<std::size_t>(how)];
}

const char* meaning_of(PostProcess how) {
  switch (how) {
    case PostProcess::kNone:
      return "None: counts are as the mechanism gives them, below 0 and fractional ones too.";
    case PostProcess::kRound:
      return "Rounded to whole numbers; those below 0 are kept, so sums have no bias.";
    case PostProcess::kNonnegative:
      return "Rounded to whole numbers, and those below 0 set to 0, which makes sums too large.";
    case PostProcess::kProjected:
      return "The nearest whole numbers not below 0 that add up to each epoch's noisy total.";
    case PostProcess::kPaper:
      return "Rounded to whole numbers and clamped to 0..users, as in the paper; users are read off the data.";
  }
  return "";
}

PostProcess post_process_named(const std::string& key, const std::string& name) {
  if (name == "true") return kDefaultPostProcess;
  if (name == "false") return PostProcess::kNone;
  const std::vector<std::string>& names = post_process_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw ConfigError(key, name, "must be none, round, nonnegative, projected or paper" + suggestion(name, names));
  }
  return static_cast<PostProcess>(found - names.begin());
}

void post_process(CountMatrix& counts, PostProcess how, std::size_t users) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  const std::span<double> null_row = counts.series(counts.rois() - 1);
  switch (how) {
    case PostProcess::kNone:
      return;
    case PostProcess::kRound:
      return round_all(counts.all(), -kUnbounded, kUnbounded);
    case PostProcess::kNonnegative:
      return round_all(counts.all(), 0, kUnbounded);
    case PostProcess::kProjected:
      project_epochs(counts);
      return round_all(null_row, 0, kUnbounded);
    case PostProcess::kPaper:
      return round_all(counts.all(), 0, static_cast<double>(users));
  }
}

}  // namespace hearsay::release
