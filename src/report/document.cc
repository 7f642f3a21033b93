// SPDX-License-Identifier: Apache-2.0
#include "report/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ingest/civil_time.h"
#include "report/document_numbers.h"
#include "report/findings.h"
#include "report/repeats.h"

namespace hearsay::report {
namespace {

// Enough for a curve that is exact to the eye, ends included.
constexpr std::size_t kQuantiles = 401;

Json rounded_list(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(std::isnan(value) ? Json() : Json(rounded(value)));
  return list;
}

std::vector<double> probabilities(std::size_t users) {
  const std::size_t count = std::min(kQuantiles, std::max<std::size_t>(2, users));
  std::vector<double> list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = static_cast<double>(i) / static_cast<double>(count - 1);
  return list;
}

std::vector<double> quantiles_of_sorted(std::span<const double> sorted) {
  std::vector<double> list;
  for (const double p : probabilities(sorted.size())) list.push_back(percentile(sorted, p));
  return list;
}

Json key_json(const experiment::Combination& key) {
  return {{"goal", key.goal}, {"prior", key.prior}, {"attack", key.attack}, {"decision", key.decision}};
}

bool same_prior_baseline(const experiment::Combination& key, const experiment::Combination& attack) {
  return key.goal == attack.goal && key.prior == attack.prior && key.attack == "PRIOR";
}

template <typename Entry>
Json entries_json(const std::vector<const Entry*>& entries) {
  Json list = Json::array();
  for (const Entry* entry : entries) {
    list.push_back({{"name", entry->info.name},
                    {"summary", entry->info.summary},
                    {"explanation", entry->info.explanation},
                    {"citation", entry->info.citation}});
  }
  return list;
}

Json summary_json(const std::vector<SummaryRow>& summary) {
  Json list = Json::array();
  for (const SummaryRow& row : summary) {
    if (row.combination.release != experiment::kRaw) continue;
    Json json = key_json(row.combination);
    json["baseline"] = row.combination.baseline;
    json["users"] = row.users;
    json["error_mean"] = row.error.mean;
    json["error_sd"] = row.error.deviation;
    json["error_p05"] = row.error.p05;
    json["error_p25"] = row.error.p25;
    json["error_p50"] = row.error.p50;
    json["error_p75"] = row.error.p75;
    json["error_p95"] = row.error.p95;
    json["loss_mean"] = optional_number(row.loss_mean);
    json["loss_signed_mean"] = optional_number(row.loss_signed_mean);
    json["improved"] = optional_number(row.improved);
    list.push_back(std::move(json));
  }
  return list;
}

Json paper_json(const std::vector<PaperRow>& paper) {
  if (paper.empty()) return {};
  Json list = Json::array();
  for (const PaperRow& row : paper) {
    const Figure& figure = row.figure;
    list.push_back({{"goal", figure.goal},
                    {"prior", figure.prior},
                    {"attack", figure.attack},
                    {"decision", figure.decision},
                    {"release", figure.release},
                    {"parameter", figure.parameter},
                    {"baseline", figure.baseline},
                    {"metric", figure.metric},
                    {"paper", figure.value},
                    {"here", row.here},
                    {"difference", row.difference},
                    {"note", row.note}});
  }
  return list;
}

// For whom most: the grouping of people whose ends differ most.
std::string most_exposed_sentence(const Json& who) {
  std::string sentence;
  double widest = 0;
  for (const Json& by : who["by"]) {
    const Json& groups = by["groups"];
    if (groups.size() < 2) continue;
    const double low = groups.front()["loss"].get<double>();
    const double high = groups.back()["loss"].get<double>();
    if (std::fabs(high - low) <= widest) continue;
    widest = std::fabs(high - low);
    const auto words = [&](bool most) {
      return fmt::format("the tenth of people with {} {} ({:.0f}%)", most ? "the most" : "the least",
                         by["title"].get<std::string>(), (most ? high : low) * 100);
    };
    sentence = fmt::format("For whom: most for {}, least for {}.", words(high > low), words(high <= low));
  }
  return sentence;
}

}  // namespace

void DocumentBuilder::take(const experiment::Result& result) {
  const experiment::Combination& key = result.combination;
  if (key.release != experiment::kRaw) {
    if (!result.gains.empty()) boxes_.push_back({key, distribution_of(result.gains)});
    return;
  }
  const auto same = [&](const experiment::Combination& other) {
    return other.goal == key.goal && other.prior == key.prior && other.attack == key.attack &&
           other.decision == key.decision;
  };
  // A second baseline has the same errors.
  if (curves_.empty() || !same(curves_.back().combination)) {
    curves_.push_back(
        {key, quantiles_of_sorted(result.sorted_errors), {result.epoch_errors.begin(), result.epoch_errors.end()}});
    if (!result.roi_errors.empty()) places_.push_back({key, {result.roi_errors.begin(), result.roi_errors.end()}});
  }
  const bool profiling_or_only = !result.roi_errors.empty() || study_.goals.size() == 1;
  if (result.losses.empty() || key.attack == "AGGREGATES" || !profiling_or_only) return;
  const double mean = mean_of(result.losses);
  if (mean > worst_.mean) worst_ = {key, mean, {result.losses.begin(), result.losses.end()}};
}

Json DocumentBuilder::curves() const {
  Json list = Json::array();
  for (const Curve& curve : curves_) {
    Json json = key_json(curve.combination);
    json["errors"] = rounded_list(curve.quantiles);
    list.push_back(std::move(json));
  }
  return {{"probabilities", probabilities(dataset_.crowd().users)}, {"curves", list}};
}

Json DocumentBuilder::hours() const {
  const std::int64_t start = ingest::parse_civil(study_.period.start).value();
  Json times = Json::array();
  for (std::uint32_t epoch = study_.observe; epoch < study_.period.epochs; ++epoch) {
    times.push_back(ingest::format_civil(start + std::int64_t{epoch} * study_.period.epoch_seconds * ingest::kSecond));
  }
  Json list = Json::array();
  for (const Curve& curve : curves_) {
    Json json = key_json(curve.combination);
    json["errors"] = rounded_list(curve.epochs);
    list.push_back(std::move(json));
  }
  return {{"times", times}, {"series", list}};
}

Json DocumentBuilder::tiles(const Json& map) const {
  if (worst_.mean < 0)
    return {{"mean_loss", nullptr}, {"p95_user", nullptr}, {"worst_hour", nullptr}, {"worst_roi", nullptr}};
  const auto find = [&](bool prior) -> const Curve* {
    for (const Curve& curve : curves_) {
      const experiment::Combination& key = curve.combination;
      const bool wanted = prior ? same_prior_baseline(key, worst_.combination)
                                : key.goal == worst_.combination.goal && key.prior == worst_.combination.prior &&
                                      key.attack == worst_.combination.attack &&
                                      key.decision == worst_.combination.decision;
      if (wanted) return &curve;
    }
    return nullptr;
  };
  const Curve* before = find(true);
  const Curve* after = find(false);
  const std::int64_t start = ingest::parse_civil(study_.period.start).value();
  std::map<std::pair<int, int>, std::pair<double, double>> by_hour;
  for (std::size_t e = 0; e < after->epochs.size(); ++e) {
    const std::int64_t civil =
        start + static_cast<std::int64_t>(study_.observe + e) * study_.period.epoch_seconds * ingest::kSecond;
    const std::int64_t hours = civil / (3600 * ingest::kSecond);
    // 1970-01-01 was a Thursday.
    auto& [first, second] = by_hour[{static_cast<int>((hours / 24 + 3) % 7), static_cast<int>(hours % 24)}];
    first += before->epochs[e];
    second += after->epochs[e];
  }
  Json worst_hour;
  double most = 0;
  for (const auto& [when, errors] : by_hour) {
    // Hours in which she hardly errs say nothing.
    if (errors.first <= 0.01) continue;
    const double loss = 1 - errors.second / errors.first;
    if (loss <= most) continue;
    most = loss;
    worst_hour = {{"weekday", when.first}, {"hour", when.second}, {"loss", rounded(loss)}};
  }
  Json mean = key_json(worst_.combination);
  mean["value"] = worst_.mean;
  Json worst_roi;
  double largest = 0;
  for (const Json& place : map["places"]) {
    // A place with a handful of visits is an accident.
    if (place["loss"].is_null() || place["visits"].get<std::uint64_t>() < 20 || place["loss"].get<double>() <= largest)
      continue;
    largest = place["loss"].get<double>();
    worst_roi = {{"id", place["id"]}, {"name", place["name"]}, {"loss", place["loss"]}};
  }
  return {{"mean_loss", mean},
          {"p95_user", {{"value", distribution_of(worst_.losses).p95}}},
          {"worst_hour", worst_hour},
          {"worst_roi", worst_roi}};
}

Json DocumentBuilder::defences(const ResultTables& tables) const {
  Json list = Json::array();
  for (const TriedDefence& tried : tried_defences(tables.summary(), tables.releases())) {
    const ReleaseMeans& release = tried.release;
    // Quantiles over users, averaged over repeats, by adversary in order of appearance.
    std::vector<std::pair<experiment::Combination, std::vector<Distribution>>> adversaries;
    for (const Box& box : boxes_) {
      const experiment::Combination& key = box.combination;
      if (key.release != release.release || key.parameter != release.parameter) continue;
      const auto found = std::find_if(adversaries.begin(), adversaries.end(), [&](const auto& other) {
        return other.first.goal == key.goal && other.first.prior == key.prior && other.first.attack == key.attack &&
               other.first.decision == key.decision;
      });
      if (found == adversaries.end()) {
        adversaries.push_back({key, {box.gains}});
      } else {
        found->second.push_back(box.gains);
      }
    }
    Json boxes = Json::array();
    for (const auto& adversary : adversaries) {
      const std::vector<Distribution>& draws = adversary.second;
      const auto mean_of = [&](double Distribution::*member) {
        double sum = 0;
        for (const Distribution& draw : draws) sum += draw.*member;
        return rounded(sum / static_cast<double>(draws.size()));
      };
      Json json = key_json(adversary.first);
      json["p05"] = mean_of(&Distribution::p05);
      json["p25"] = mean_of(&Distribution::p25);
      json["p50"] = mean_of(&Distribution::p50);
      json["p75"] = mean_of(&Distribution::p75);
      json["p95"] = mean_of(&Distribution::p95);
      json["mean"] = mean_of(&Distribution::mean);
      boxes.push_back(std::move(json));
    }
    list.push_back({{"release", release.release},
                    {"parameter", release.parameter},
                    {"epsilon", optional_number(release.guarantee.epsilon)},
                    {"unit", release.guarantee.unit},
                    {"epsilon_with_null", optional_number(release.guarantee.epsilon_with_null)},
                    {"note", release.guarantee.note},
                    {"repeats", release.repeats},
                    {"mre", release.mre.mean},
                    {"mre_half_width", optional_number(release.mre.half_width)},
                    {"mre_per_roi", release.mre_per_roi.mean},
                    {"mae", release.mae.mean},
                    {"top10_overlap", release.top10_overlap.mean},
                    {"suppressed", release.suppressed.mean},
                    {"gain", tried.gain.mean},
                    {"gain_half_width", optional_number(tried.gain.half_width)},
                    {"adversaries", boxes}});
  }
  return list;
}

Json DocumentBuilder::json(const Provenance& provenance, const std::string& study_name, const ResultTables& tables,
                           const std::vector<PaperRow>& paper) const {
  Json input = input_json(provenance);
  Json dataset = dataset_json(study_, dataset_);
  for (const char* key : {"timezone", "first_event", "last_event", "rows", "bad_rows", "bad_rows_by_reason"}) {
    dataset[key] = input[key];
  }
  Json document;
  document["schema"] = kDocumentSchema;
  document["hearsay"] = version();
  document["title"] = study_.dataset;
  const Json people = who();
  std::vector<std::string> sentences = findings(tables.summary(), tables.releases());
  const std::string whom = most_exposed_sentence(people);
  if (!whom.empty()) sentences.insert(sentences.begin() + std::min<std::ptrdiff_t>(2, std::ssize(sentences)), whom);
  document["findings"] = sentences;
  const Json map = rois();
  document["tiles"] = tiles(map);
  document["dataset"] = std::move(dataset);
  document["settings"] = {{"log_base", study_.metric.log_base},
                          {"delta", study_.metric.delta},
                          {"seed", study_.seed},
                          {"study", study_name},
                          {"toml", study_.as_run}};
  document["inputs"] = input["files"];
  document["warnings"] = provenance.warnings;
  document["entries"] = {{"priors", entries_json(study_.registry.priors)},
                         {"attacks", entries_json(study_.registry.attacks)},
                         {"mechanisms", entries_json(study_.registry.mechanisms)},
                         {"metrics", entries_json(metric::all_metrics())}};
  document["summary"] = summary_json(tables.summary());
  document["cdf"] = curves();
  document["hours"] = hours();
  document["rois"] = map;
  document["who"] = people;
  document["defences"] = defences(tables);
  document["paper"] = paper_json(paper);
  return document;
}

}  // namespace hearsay::report
