// SPDX-License-Identifier: Apache-2.0
//
// The parts of the document about places and people.
#include <algorithm>
#include <numeric>

#include "dataset/people.h"
#include "report/document.h"
#include "report/document_numbers.h"

namespace hearsay::report {
namespace {

constexpr double kExposed = 0.5;
constexpr std::size_t kMostNamed = 25;
constexpr std::size_t kGroups = 10;

// Mean loss by tenths of the users, fewest of `values` first; equal values stay together in user order.
Json groups_json(const std::string& title, const std::string& unit, const std::vector<double>& values,
                 const std::vector<double>& losses) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  Json groups = Json::array();
  for (std::size_t g = 0; g < kGroups; ++g) {
    const std::size_t begin = order.size() * g / kGroups;
    const std::size_t end = order.size() * (g + 1) / kGroups;
    if (begin == end) continue;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += losses[order[i]];
    groups.push_back({{"from", rounded(values[order[begin]])},
                      {"to", rounded(values[order[end - 1]])},
                      {"users", end - begin},
                      {"loss", rounded(sum / static_cast<double>(end - begin))}});
  }
  return {{"title", title}, {"unit", unit}, {"groups", groups}};
}

}  // namespace

std::vector<std::uint64_t> inference_visits(const dataset::Dataset& dataset) {
  std::vector<std::uint64_t> visits(dataset.rois().size());
  const dataset::Truth truth = dataset.truth();
  for (std::size_t e = 0; e < truth.epochs(); ++e) {
    for (const RoiId roi : truth.at(static_cast<EpochId>(e)).rois) ++visits[index_of(roi)];
  }
  return visits;
}

std::pair<const DocumentBuilder::Places*, const DocumentBuilder::Places*> DocumentBuilder::adversary_by_place(
    const std::vector<std::uint64_t>& visits) const {
  const auto total = [&](const Places& places) {
    double sum = 0;
    for (std::size_t i = 0; i < visits.size(); ++i) {
      if (visits[i] > 0) sum += static_cast<double>(visits[i]) * places.errors[i];
    }
    return sum;
  };
  std::pair<const Places*, const Places*> best = {nullptr, nullptr};
  const Places* prior = nullptr;
  double least = 1;  // share of the error that is left
  for (const Places& places : places_) {
    if (places.combination.attack == "PRIOR") prior = &places;
    if (places.combination.attack == "PRIOR" || places.combination.attack == "AGGREGATES") continue;
    const double left = total(places) / total(*prior);
    if (best.second != nullptr && left >= least) continue;
    least = left;
    best = {prior, &places};
  }
  return best;
}

Json DocumentBuilder::rois() const {
  const std::vector<std::uint64_t> visits = inference_visits(dataset_);
  const auto [before, after] = adversary_by_place(visits);
  Json list = Json::array();
  for (std::size_t i = 0; i < dataset_.rois().size(); ++i) {
    const ingest::Roi& roi = dataset_.rois()[i];
    Json loss;
    if (before != nullptr && after != nullptr && visits[i] > 0 && before->errors[i] > 0) {
      loss = rounded(1 - after->errors[i] / before->errors[i]);
    }
    list.push_back({{"id", roi.id},
                    {"name", roi.name},
                    {"lat", optional_number(roi.lat)},
                    {"lng", optional_number(roi.lng)},
                    {"visits", visits[i]},
                    {"loss", loss}});
  }
  const auto* grid = std::get_if<ingest::Grid>(&study_.rois);
  Json cell;
  if (grid != nullptr) {
    cell = {{"lat", (grid->north - grid->south) / grid->rows}, {"lng", (grid->east - grid->west) / grid->cols}};
  }
  Json adversary;
  if (after != nullptr) adversary = {{"prior", after->combination.prior}, {"attack", after->combination.attack}};
  return {{"shape", grid != nullptr ? "cells" : "points"}, {"cell", cell}, {"adversary", adversary}, {"places", list}};
}

Json DocumentBuilder::who() const {
  Json by = Json::array();
  Json exposed;
  if (worst_.mean >= 0) {
    const dataset::People people = dataset::describe_people(dataset_);
    by.push_back(groups_json("activity", "reports in the study", people.reports, worst_.losses));
    by.push_back(
        groups_json("regularity", "share of reports that repeat an earlier week", people.regularity, worst_.losses));
    by.push_back(groups_json("number of places", "distinct places", people.rois, worst_.losses));
    std::vector<std::size_t> order;
    for (std::size_t user = 0; user < worst_.losses.size(); ++user) {
      if (worst_.losses[user] >= kExposed) order.push_back(user);
    }
    Json ids;
    if (study_.show_users) {
      ids = Json::array();
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return worst_.losses[a] > worst_.losses[b]; });
      for (std::size_t i = 0; i < std::min(kMostNamed, order.size()); ++i) ids.push_back(dataset_.user_ids()[order[i]]);
    }
    exposed = {{"threshold", kExposed}, {"users", order.size()}, {"ids", ids}};
  }
  return {{"by", by}, {"exposed", exposed}};
}

}  // namespace hearsay::report
