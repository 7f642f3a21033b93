// SPDX-License-Identifier: Apache-2.0
//
// The parts of the document about places and people.
#include <algorithm>

#include "dataset/people.h"
#include "report/document.h"
#include "report/document_numbers.h"

namespace hearsay::report {
namespace {

constexpr double kExposed = 0.5;
constexpr std::size_t kMostNamed = 25;
constexpr std::uint64_t kFewVisits = 20;
}  // namespace

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
    if (places.combination.is_prior()) prior = &places;
    if (!places.combination.uses_release || !places.combination.uses_prior) continue;
    const double before = total(*prior);
    if (before == 0) continue;  // nothing can be taken from her
    const double left = total(places) / before;
    if (best.second != nullptr && left >= least) continue;
    least = left;
    best = {prior, &places};
  }
  return best;
}

results::Json DocumentBuilder::worst_roi() const {
  const std::vector<std::uint64_t> visits = inference_visits(dataset_);
  const std::vector<bool> enough = visited_by(dataset_, study_.results.least_people);
  const Places* before = nullptr;
  results::Json worst;
  double largest = 0;
  for (const Places& places : places_) {
    const goal::Combination& key = places.combination;
    if (key.prior != worst_.combination.prior || key.goal != worst_.combination.goal) continue;
    if (key.is_prior()) before = &places;
    if (key.attack != worst_.combination.attack) continue;
    for (std::size_t i = 0; i < visits.size(); ++i) {
      // A place with a handful of visits is an accident.
      if (visits[i] < kFewVisits || !enough[i] || before->errors[i] == 0) continue;
      const double loss = 1 - places.errors[i] / before->errors[i];
      if (loss <= largest) continue;
      largest = loss;
      const ingest::Roi& roi = dataset_.rois()[i];
      worst = {{"id", roi.id}, {"name", roi.name}, {"loss", rounded(loss)}};
    }
  }
  return worst;
}

results::Json DocumentBuilder::rois() const {
  const std::vector<std::uint64_t> visits = inference_visits(dataset_);
  const std::vector<bool> enough = visited_by(dataset_, study_.results.least_people);
  const auto [before, after] = adversary_by_place(visits);
  results::Json list = results::Json::array();
  for (std::size_t i = 0; i < dataset_.rois().size(); ++i) {
    const ingest::Roi& roi = dataset_.rois()[i];
    results::Json loss;
    if (before != nullptr && after != nullptr && visits[i] > 0 && enough[i] && before->errors[i] > 0) {
      loss = rounded(1 - after->errors[i] / before->errors[i]);
    }
    list.push_back({{"id", roi.id},
                    {"name", roi.name},
                    {"lat", optional_number(roi.lat)},
                    {"lng", optional_number(roi.lng)},
                    {"visits", visits[i] == 0 || enough[i] ? results::Json(visits[i]) : results::Json()},
                    {"loss", loss}});
  }
  const auto* grid = std::get_if<ingest::Grid>(&study_.data.rois);
  results::Json cell;
  if (grid != nullptr) {
    cell = {{"lat", (grid->north - grid->south) / grid->rows}, {"lng", (grid->east - grid->west) / grid->cols}};
  }
  results::Json adversary;
  if (after != nullptr) {
    const goal::Combination& key = after->combination;
    adversary = {{"goal", key.goal}, {"prior", key.prior}, {"attack", key.attack}};
  }
  return {{"shape", grid != nullptr ? "cells" : "points"}, {"cell", cell}, {"adversary", adversary}, {"places", list}};
}

std::vector<Grouping> DocumentBuilder::groupings() const {
  if (worst_.mean < 0) return {};
  const dataset::People people = dataset::describe_people(dataset_);
  const std::size_t least = study_.results.least_people;
  return {group_people("activity", "reports in the study", people.reports, worst_.losses, least),
          group_people("regularity", "share of reports that repeat an earlier week", people.regularity, worst_.losses,
                       least),
          group_people("number of places", "distinct places", people.rois, worst_.losses, least)};
}

results::Json DocumentBuilder::who(const std::vector<Grouping>& groupings) const {
  results::Json by = results::Json::array();
  for (const Grouping& grouping : groupings) {
    if (grouping.groups.empty()) continue;
    results::Json groups = results::Json::array();
    for (const Group& group : grouping.groups) {
      groups.push_back({{"from", group.from ? results::Json(rounded(*group.from)) : results::Json()},
                        {"to", group.to ? results::Json(rounded(*group.to)) : results::Json()},
                        {"users", group.users},
                        {"loss", rounded(group.loss)}});
    }
    by.push_back({{"title", grouping.title},
                  {"unit", grouping.unit},
                  {"trend", trend_name(grouping.trend)},
                  {"groups", groups}});
  }
  results::Json exposed;
  if (worst_.mean >= 0) {
    std::vector<std::size_t> order;
    for (std::size_t user = 0; user < worst_.losses.size(); ++user) {
      if (worst_.losses[user] >= kExposed) order.push_back(user);
    }
    results::Json ids;
    if (study_.results.show_users) {
      ids = results::Json::array();
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return worst_.losses[a] > worst_.losses[b]; });
      for (std::size_t i = 0; i < std::min(kMostNamed, order.size()); ++i) ids.push_back(dataset_.user_ids()[order[i]]);
    }
    const bool shown = order.empty() || enough(order.size()) || study_.results.show_users;
    exposed = {{"threshold", kExposed}, {"users", shown ? results::Json(order.size()) : results::Json()}, {"ids", ids}};
  }
  return {{"by", by}, {"exposed", exposed}};
}

}  // namespace hearsay::report
