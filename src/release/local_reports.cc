// SPDX-License-Identifier: Apache-2.0
#include "release/local_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "release/simplex.h"

namespace hearsay::release {
namespace {

constexpr std::uint64_t kChoices = 0x74727574687321;  // those of people, apart from other words

}  // namespace

LocalReports::LocalReports(const Parameters& parameters) : simplex_(parameters.choice("simplex", {"no", "yes"}) == 1) {}

ParameterInfo LocalReports::simplex_parameter(const char* default_value) {
  return with_choices(
      {"simplex", default_value,
       "yes: the nearest counts not below 0 that add up to the people, null among them; no: estimates without bias"},
      {"yes", "no"});
}

Guarantee LocalReports::guarantee(const Draft& draft) const {
  // Where visits are bounded over a longer time than an epoch, one that goes lets another in elsewhere: so many reports
  // may change.
  const double reports = draft.reach().null_cells(Unit::kUserEpoch);
  const double one = epsilon(draft.counts().rois());
  if (!draft.population()) {
    return {std::nullopt, "none",
            fmt::format("Every count contains the number of people, which is read off the data. With a population "
                        "declared in advance (data.population) epsilon is {:.4g} for a user in one epoch.",
                        one * reports),
            std::nullopt};
  }
  return {one * reports, name_of(Unit::kUserEpoch),
          fmt::format("Over all {} epochs a user has epsilon {:.4g}.", draft.counts().epochs(),
                      one * static_cast<double>(draft.counts().epochs())),
          one * reports};
}

std::optional<Noise> LocalReports::noise(const Draft& draft) const {
  if (!draft.population() || simplex_) return std::nullopt;
  const double spread = deviation(static_cast<double>(*draft.population()), draft.counts().rois());
  return Noise{fmt::format("random answers of {} people, with standard deviation {:.4g} at an empty place",
                           *draft.population(), spread),
               spread, spread * std::sqrt(2 / std::numbers::pi), std::nullopt};
}

void LocalReports::describe(const Draft& draft, Rule& rule) const {
  rule.exact = false;
  rule.scale = 0;
  if (!draft.population()) return;
  const double spread = deviation(static_cast<double>(*draft.population()), draft.counts().rois());
  rule.variance += spread * spread;
}

Answers LocalReports::ask(const Draft& draft, const NoiseSource& source) const {
  const dataset::Crowd& crowd = draft.visits().crowd();
  CountMatrix reports(draft.counts().rois(), draft.counts().epochs());
  for (std::size_t e = 0; e < reports.epochs(); ++e) {
    const dataset::EpochVisits epoch = draft.visits().at(static_cast<EpochId>(e));
    reports.series(reports.rois() - 1)[e] = static_cast<double>(draft.people() - epoch.users.size());
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      const auto rois = epoch.rois_of(row);
      std::uint64_t chosen = 0;
      if (rois.size() > 1) {
        chosen = source.below(mix(mix(kChoices, crowd.number_of(epoch.users[row])), e), rois.size());
      }
      reports.series(index_of(rois[chosen]))[e] += 1;
    }
  }
  return {std::move(reports)};
}

Draft LocalReports::apply(const Draft& draft, const NoiseSource& source) const {
  const Answers own = draft.answers() == nullptr ? ask(draft, source) : Answers();
  const CountMatrix& reports = *(draft.answers() == nullptr ? own : *draft.answers()).reports;
  CountMatrix counts(reports.rois(), reports.epochs());
  std::vector<std::uint64_t> truths(counts.rois());
  std::vector<double> estimates(counts.rois());
  for (std::size_t e = 0; e < counts.epochs(); ++e) {
    const auto bits = source.stream(kWholeRelease - e);
    for (std::size_t roi = 0; roi < truths.size(); ++roi) {
      truths[roi] = static_cast<std::uint64_t>(reports.series(roi)[e]);
    }
    estimate(truths, draft.people(), *bits, source, estimates);
    if (simplex_) project_to_simplex(estimates, static_cast<double>(draft.people()));
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) counts.series(roi)[e] = estimates[roi];
  }
  return draft.with_counts(std::move(counts));
}

}  // namespace hearsay::release
