// SPDX-License-Identifier: Apache-2.0
#include "report/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/civil_time.h"
#include "report/document_entries.h"
#include "report/document_numbers.h"
#include "report/findings.h"
#include "results/repeats.h"

namespace hearsay::report {
namespace {

// Enough for a curve that is exact to the eye.
constexpr std::size_t kSteps = 401;

results::Json rounded_list(const std::vector<double>& values) {
  results::Json list = results::Json::array();
  for (const double value : values) list.push_back(std::isnan(value) ? results::Json() : results::Json(rounded(value)));
  return list;
}

// Users in order of their errors are taken in steps of about equal size, each of at least `least` of them. Ends of the
// steps; none where there are fewer users than that.
std::vector<std::size_t> step_ends(std::size_t users, std::size_t least) {
  const std::size_t count = std::min(kSteps, users / least);
  std::vector<std::size_t> ends(count);
  for (std::size_t i = 0; i < count; ++i) ends[i] = users * (i + 1) / count;
  return ends;
}

// The share of users below the middle of each step.
std::vector<double> step_shares(std::size_t users, std::size_t least) {
  std::vector<double> shares;
  std::size_t begin = 0;
  for (const std::size_t end : step_ends(users, least)) {
    shares.push_back(static_cast<double>(begin + end) / 2 / static_cast<double>(users));
    begin = end;
  }
  return shares;
}

std::vector<double> step_means(std::span<const double> sorted, std::size_t least) {
  std::vector<double> means;
  std::size_t begin = 0;
  for (const std::size_t end : step_ends(sorted.size(), least)) {
    means.push_back(results::mean_of(sorted.subspan(begin, end - begin)));
    begin = end;
  }
  return means;
}

results::Json key_json(const goal::Combination& key) {
  results::Json json;
  for (std::size_t i = 0; i < goal::kAdversaryFields; ++i) {
    const goal::KeyField& field = goal::kKeyFields[i];
    json[field.name] = key.*field.text;
  }
  return json;
}

results::Json paper_json(const std::vector<PaperRow>& paper) {
  if (paper.empty()) return {};
  results::Json list = results::Json::array();
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

}  // namespace

// Of errors that are known by place or, where a study asks for one error only, of that.
bool DocumentBuilder::is_worst(const goal::Combination& key, double mean) const {
  const bool by_place = !places_.empty() && same_adversary(places_.back().combination, key);
  if (!key.uses_prior || (!by_place && study_.adversary.goals.size() > 1) || mean <= worst_.mean) return false;
  const auto& readings = prior_means_.at({key.goal, key.prior});
  const double before = readings.at(results::prior_reading(key));
  return std::all_of(readings.begin(), readings.end(), [&](const auto& reading) { return before <= reading.second; });
}

void DocumentBuilder::take(const goal::Measurement& measurement) {
  const goal::Combination key = goal::combination_of(measurement.key, study_.adversary.attacks);
  const std::span<const double> errors = measurement.of("error").values;
  if (measurement.unit == goal::Unit::kUser) {
    take_users(key, measurement);
  } else if (key.release != goal::kRaw) {
    return;
  } else if (measurement.unit == goal::Unit::kEpoch) {
    curves_.push_back({key, {}, {errors.begin(), errors.end()}});
  } else if (measurement.unit == goal::Unit::kPlace) {
    places_.push_back({key, {errors.begin(), errors.end()}});
  }
}

void DocumentBuilder::take_users(const goal::Combination& key, const goal::Measurement& users) {
  if (key.release != goal::kRaw) {
    const std::span<const double> gains = users.of("gain").values;
    if (!gains.empty()) boxes_.push_back({key, results::distribution_of(gains)});
    return;
  }
  const std::span<const double> sorted = users.of("error").sorted;
  if (key.is_prior()) prior_means_[{key.goal, key.prior}][key.decision] = results::mean_of(sorted);
  // A second baseline has the same errors.
  std::vector<double>& steps = curves_.back().steps;
  if (steps.empty()) steps = step_means(sorted, study_.results.least_people);
  const std::span<const double> losses = users.of("loss").values;
  if (losses.empty()) return;
  const double mean = results::mean_of(losses);
  if (is_worst(key, mean)) worst_ = {key, mean, {losses.begin(), losses.end()}};
}

results::Json DocumentBuilder::percentile_json(double value, double share) const {
  const auto users = static_cast<double>(dataset_.crowd().users);
  const double beyond = std::floor(std::min(share, 1 - share) * users + 1e-9);
  return study_.results.least_people <= 1 || enough(static_cast<std::size_t>(beyond)) ? results::Json(value)
                                                                                      : results::Json();
}

results::Json DocumentBuilder::summary_json(const std::vector<results::SummaryRow>& summary) const {
  results::Json list = results::Json::array();
  for (const results::SummaryRow& row : summary) {
    if (row.combination.release != goal::kRaw) continue;
    results::Json json = key_json(row.combination);
    json["baseline"] = row.combination.baseline;
    json["baseline_decision"] = results::prior_reading(row.combination);
    json["users"] = row.users;
    json["error_mean"] = row.error.mean;
    json["error_sd"] = row.error.deviation;
    json["error_p05"] = percentile_json(row.error.p05, 0.05);
    json["error_p25"] = percentile_json(row.error.p25, 0.25);
    json["error_p50"] = percentile_json(row.error.p50, 0.50);
    json["error_p75"] = percentile_json(row.error.p75, 0.75);
    json["error_p95"] = percentile_json(row.error.p95, 0.95);
    json["loss_mean"] = optional_number(row.loss_mean);
    json["loss_signed_mean"] = optional_number(row.loss_signed_mean);
    json["improved"] = optional_number(row.improved);
    list.push_back(std::move(json));
  }
  return list;
}

results::Json DocumentBuilder::curves() const {
  const std::vector<double> shares = step_shares(dataset_.crowd().users, study_.results.least_people);
  results::Json list = results::Json::array();
  for (const Curve& curve : curves_) {
    if (shares.empty()) break;
    results::Json json = key_json(curve.combination);
    json["errors"] = rounded_list(curve.steps);
    list.push_back(std::move(json));
  }
  return {{"probabilities", shares}, {"curves", list}};
}

results::Json DocumentBuilder::hours() const {
  results::Json times = results::Json::array();
  results::Json list = results::Json::array();
  if (enough(dataset_.crowd().users)) {
    const std::int64_t start = parse_civil(study_.data.period.start).value();
    for (std::uint32_t epoch = study_.data.observe; epoch < study_.data.period.epochs; ++epoch) {
      times.push_back(format_civil(start + std::int64_t{epoch} * study_.data.period.epoch_seconds * kSecond));
    }
    for (const Curve& curve : curves_) {
      results::Json json = key_json(curve.combination);
      json["errors"] = rounded_list(curve.epochs);
      list.push_back(std::move(json));
    }
  }
  return {{"times", times}, {"series", list}};
}

results::Json DocumentBuilder::worst_hour() const {
  if (!enough(dataset_.crowd().users)) return {};
  const goal::Combination& worst = worst_.combination;
  const auto find = [&](const std::string& attack, const std::string& decision) {
    return std::find_if(curves_.begin(), curves_.end(), [&](const Curve& curve) {
      const goal::Combination& key = curve.combination;
      return key.goal == worst.goal && key.prior == worst.prior && key.attack == attack && key.decision == decision;
    });
  };
  const Curve& before = *find(study_.adversary.attacks.front()->info.name, results::prior_reading(worst));
  const Curve& after = *find(worst.attack, worst.decision);
  const std::int64_t start = parse_civil(study_.data.period.start).value();
  std::map<std::pair<int, int>, std::pair<double, double>> by_hour;
  for (std::size_t e = 0; e < after.epochs.size(); ++e) {
    const std::int64_t civil =
        start + static_cast<std::int64_t>(study_.data.observe + e) * study_.data.period.epoch_seconds * kSecond;
    auto& [first, second] = by_hour[weekday_and_hour(civil)];
    first += before.epochs[e];
    second += after.epochs[e];
  }
  results::Json worst_hour;
  double most = 0;
  for (const auto& [when, errors] : by_hour) {
    // Hours in which she hardly errs say nothing.
    if (errors.first <= 0.01) continue;
    const double loss = 1 - errors.second / errors.first;
    if (loss <= most) continue;
    most = loss;
    worst_hour = {{"weekday", when.first}, {"hour", when.second}, {"loss", rounded(loss)}};
  }
  return worst_hour;
}

results::Json DocumentBuilder::tiles() const {
  if (worst_.mean < 0)
    return {{"mean_loss", nullptr}, {"p95_user", nullptr}, {"worst_hour", nullptr}, {"worst_roi", nullptr}};
  results::Json mean = key_json(worst_.combination);
  mean["baseline"] = worst_.combination.baseline;
  mean["value"] = worst_.mean;
  results::Json p95 = {{"value", percentile_json(results::distribution_of(worst_.losses).p95, 0.95)}};
  if (p95["value"].is_null()) p95 = nullptr;
  return {{"mean_loss", mean}, {"p95_user", p95}, {"worst_hour", worst_hour()}, {"worst_roi", worst_roi()}};
}

results::Json DocumentBuilder::defences(const results::ResultTables& tables) const {
  results::Json list = results::Json::array();
  for (const TriedDefence& tried : tried_defences(tables.summary(), tables.releases())) {
    const results::ReleaseMeans& release = tried.release;
    // Quantiles over users, averaged over repeats, by adversary in order of appearance.
    std::vector<std::pair<goal::Combination, std::vector<results::Distribution>>> adversaries;
    for (const Box& box : boxes_) {
      const goal::Combination& key = box.combination;
      if (key.release != release.release || key.parameter != release.parameter) continue;
      const auto found = std::find_if(adversaries.begin(), adversaries.end(),
                                      [&](const auto& other) { return same_adversary(other.first, key); });
      if (found == adversaries.end()) {
        adversaries.push_back({key, {box.gains}});
      } else {
        found->second.push_back(box.gains);
      }
    }
    results::Json boxes = results::Json::array();
    for (const auto& adversary : adversaries) {
      const std::vector<results::Distribution>& draws = adversary.second;
      const auto mean_of = [&](double results::Distribution::*member) {
        double sum = 0;
        for (const results::Distribution& draw : draws) sum += draw.*member;
        return sum / static_cast<double>(draws.size());
      };
      results::Json json = key_json(adversary.first);
      json["p05"] = percentile_json(rounded(mean_of(&results::Distribution::p05)), 0.05);
      json["p25"] = percentile_json(rounded(mean_of(&results::Distribution::p25)), 0.25);
      json["p50"] = percentile_json(rounded(mean_of(&results::Distribution::p50)), 0.50);
      json["p75"] = percentile_json(rounded(mean_of(&results::Distribution::p75)), 0.75);
      json["p95"] = percentile_json(rounded(mean_of(&results::Distribution::p95)), 0.95);
      json["mean"] = rounded(mean_of(&results::Distribution::mean));
      boxes.push_back(std::move(json));
    }
    list.push_back(
        {{"release", release.release},
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
         {"given_back", tried.given_back ? results::Json(tried.given_back->mean) : results::Json()},
         {"given_back_half_width", tried.given_back ? optional_number(tried.given_back->half_width) : results::Json()},
         {"adversaries", boxes}});
  }
  return list;
}

results::Json DocumentBuilder::measured(const std::vector<results::MeasuredGoal>& goals) const {
  results::Json list = results::Json::array();
  for (const results::MeasuredGoal& goal : goals) {
    results::Json fields = results::Json::array();
    for (const goal::Field& field : goal.rows.front().key) fields.push_back(field.name);
    results::Json rows = results::Json::array();
    for (const results::MeasuredRow& row : goal.rows) {
      results::Json key = results::Json::array();
      for (const goal::Field& field : row.key) key.push_back(field.value);
      results::Json numbers = results::Json::array();
      for (const results::Distribution& values : row.numbers) {
        numbers.push_back({{"mean", values.mean},
                           {"p05", percentile_json(values.p05, 0.05)},
                           {"p50", percentile_json(values.p50, 0.50)},
                           {"p95", percentile_json(values.p95, 0.95)}});
      }
      rows.push_back({{"key", key}, {"unit", goal::name_of(row.unit)}, {"count", row.count}, {"numbers", numbers}});
    }
    list.push_back(
        {{"name", goal.name}, {"summary", goal.summary}, {"fields", fields}, {"numbers", goal.names}, {"rows", rows}});
  }
  return list;
}

results::Json DocumentBuilder::json(const engine::Provenance& provenance, const std::string& study_name,
                                    const results::ResultTables& tables, const std::vector<PaperRow>& paper) const {
  results::Json input = results::input_json(provenance);
  results::Json dataset = results::dataset_json(study_, dataset_);
  for (const char* key : {"timezone", "first_event", "last_event", "rows", "events", "used", "outside_period",
                          "outside_rois", "bad_rows", "bad_rows_by_reason"}) {
    dataset[key] = input[key];
  }
  results::Json document;
  document["schema"] = kDocumentSchema;
  document["hearsay"] = results::version();
  document["title"] = study_.data.name;
  const std::vector<Grouping> groups = groupings();
  std::vector<std::string> sentences = findings(tables.summary(), tables.releases(), study_.adversary.metric);
  const std::string whom = whom_sentence(groups);
  if (!whom.empty()) sentences.insert(sentences.begin() + std::min<std::ptrdiff_t>(3, std::ssize(sentences)), whom);
  document["findings"] = sentences;
  document["tiles"] = tiles();
  document["dataset"] = std::move(dataset);
  document["settings"] = {{"log_base", study_.adversary.metric.log_base},
                          {"seed", study_.seed},
                          {"least_people", study_.results.least_people},
                          {"study", study_name},
                          {"toml", study_.as_run}};
  document["inputs"] = input["files"];
  document["warnings"] = provenance.warnings;
  document["goals"] = goals_json(study_);
  document["entries"] = entries_json(study_);
  document["summary"] = summary_json(tables.summary());
  document["cdf"] = curves();
  document["hours"] = hours();
  document["rois"] = rois();
  document["who"] = who(groups);
  document["defences"] = defences(tables);
  document["measured"] = measured(tables.measured());
  document["paper"] = paper_json(paper);
  return document;
}

}  // namespace hearsay::report
