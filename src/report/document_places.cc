// SPDX-License-Identifier: Apache-2.0
//
// The parts of the document about places.
#include <algorithm>

#include "report/document.h"
#include "report/document_numbers.h"

namespace hearsay::report {
namespace {

// A place with a handful of visits is an accident.
constexpr std::uint64_t kFewVisits = 20;

}  // namespace

const DocumentBuilder::Places* DocumentBuilder::places_of(const goal::Combination& adversary) const {
  const auto found = std::find_if(places_.begin(), places_.end(),
                                  [&](const Places& places) { return same_adversary(places.combination, adversary); });
  return found == places_.end() ? nullptr : &*found;
}

std::vector<std::optional<DocumentBuilder::Errors>> DocumentBuilder::place_errors(const Adversary& adversary) const {
  const Places* before = places_of(baseline_of(adversary));
  const Places* with = places_of(adversary.combination);
  if (before == nullptr || with == nullptr) return {};
  const std::vector<double>& without = with->without;
  std::vector<std::optional<Errors>> all(facts_.places.size());
  for (std::size_t i = 0; i < facts_.places.size(); ++i) {
    if (facts_.inference_visits[i] == 0 || !facts_.enough_at[i]) continue;
    all[i] = Errors{before->errors[i], std::nullopt, with->errors[i]};
    if (!without.empty() && !std::isnan(without[i])) all[i]->without = without[i];
  }
  return all;
}

results::Json DocumentBuilder::worst_roi(const Adversary& adversary) const {
  const std::vector<std::optional<Errors>> errors = place_errors(adversary);
  results::Json worst;
  double largest = kRounding;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (facts_.inference_visits[i] < kFewVisits || !errors[i] || errors[i]->taken() <= largest) continue;
    largest = errors[i]->taken();
    worst = errors[i]->json();
    worst["id"] = facts_.places[i].id;
    worst["name"] = facts_.places[i].name;
  }
  return worst;
}

results::Json DocumentBuilder::places_json(const Adversary& adversary) const {
  const std::vector<std::optional<Errors>> errors = place_errors(adversary);
  if (errors.empty()) return {};
  results::Json own = results::Json::array();
  results::Json loss = results::Json::array();
  for (const std::optional<Errors>& one : errors) {
    own.push_back(one && one->without ? results::Json(rounded(*one->without - one->with)) : results::Json());
    loss.push_back(one && one->before > 0 ? results::Json(rounded(1 - one->with / one->before)) : results::Json());
  }
  return {{"own", own}, {"loss", loss}};
}

results::Json DocumentBuilder::rois() const {
  results::Json list = results::Json::array();
  for (std::size_t i = 0; i < facts_.places.size(); ++i) {
    const ingest::Roi& roi = facts_.places[i];
    list.push_back(
        {{"id", roi.id},
         {"name", roi.name},
         {"lat", optional_number(roi.lat)},
         {"lng", optional_number(roi.lng)},
         {"end_lat", optional_number(roi.end_lat)},
         {"end_lng", optional_number(roi.end_lng)},
         {"visits", facts_.inference_visits[i] == 0 || facts_.enough_at[i] ? results::Json(facts_.inference_visits[i])
                                                                           : results::Json()}});
  }
  const auto* grid = std::get_if<ingest::Grid>(&study_.data.rois);
  results::Json cell;
  if (grid != nullptr) {
    cell = {{"lat", (grid->north - grid->south) / grid->rows}, {"lng", (grid->east - grid->west) / grid->cols}};
  }
  const auto* ids = std::get_if<ingest::RoiIds>(&study_.data.rois);
  const char* other = ids != nullptr && ids->pairs ? "pairs" : "points";
  return {{"shape", grid != nullptr ? "cells" : other}, {"cell", cell}, {"places", list}};
}

}  // namespace hearsay::report
