// SPDX-License-Identifier: Apache-2.0
#include "report/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/civil_time.h"
#include "report/chains.h"
#include "report/document_entries.h"
#include "report/document_numbers.h"
#include "report/membership.h"
#include "report/trajectories.h"
#include "results/repeats.h"

namespace hearsay::report {
namespace {

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

results::Json baselines_json(const std::vector<goal::ReleaseResult>& releases) {
  results::Json list = results::Json::array();
  for (const results::ReleaseMeans& release : results::means_over_repeats(releases)) {
    if (release.baseline.empty()) continue;
    results::Json json = {{"release", release.release}, {"words", release.baseline}};
    append_utility(json, release);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

void DocumentBuilder::take(const goal::Measurement& measurement) {
  const goal::Combination key = goal::combination_of(measurement.key, study_.adversary);
  const auto numbers = [&](const char* name) {
    const std::span<const double> values = measurement.of(name).values;
    return std::vector<double>(values.begin(), values.end());
  };
  if (key.release != goal::kRaw) return;
  if (measurement.unit == goal::Unit::kEpoch) {
    curves_.push_back({key, {}, numbers("error"), numbers("without")});
  } else if (measurement.unit == goal::Unit::kPlace) {
    places_.push_back({key, numbers("error"), numbers("without")});
  }
}

void DocumentBuilder::take(const results::PeopleFigures& people) {
  const goal::Combination& key = people.row.combination;
  if (key.release != goal::kRaw) {
    if (people.gains) boxes_.push_back({key, *people.gains});
    return;
  }
  // A second baseline has the same errors.
  curves_.back().steps = people.error_steps;
  adversaries_.take(people);
}

results::Json DocumentBuilder::percentile_json(double value, double share, std::size_t people) const {
  const bool tells = tells_percentile(share, people, study_.results.least_people);
  return tells ? results::Json(value) : results::Json();
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
    const results::Control control = row.control.value_or(results::Control{});
    const auto of_control = [&](double value) { return row.control ? results::Json(value) : results::Json(); };
    json["without_mean"] = of_control(control.without.mean);
    json["own_mean"] = of_control(control.own.mean);
    json["own_loss_mean"] = of_control(control.own_loss);
    json["counted"] = row.sampled() ? results::Json() : of_control(control.counted);
    json["loss_without_mean"] = optional_number(control.loss_without);
    json["active_mean"] = row.active ? results::Json(row.active->mean) : results::Json();
    json["active_without_mean"] = row.active ? optional_number(row.active->without) : results::Json();
    list.push_back(std::move(json));
  }
  return list;
}

results::Json DocumentBuilder::curves() const {
  const std::vector<double> shares = results::step_shares(facts_.users, study_.results.least_people);
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
  if (enough(facts_.users)) {
    for (std::uint32_t epoch = study_.data.observe; epoch < study_.data.period.epochs; ++epoch) {
      times.push_back(format_civil(study_.start_of(epoch)));
    }
    for (const Curve& curve : curves_) {
      results::Json json = key_json(curve.combination);
      json["errors"] = rounded_list(curve.epochs);
      json["without"] = curve.without.empty() ? results::Json() : rounded_list(curve.without);
      list.push_back(std::move(json));
    }
  }
  return {{"times", times}, {"series", list}};
}

results::Json DocumentBuilder::defences(const results::Collected& found) const {
  results::Json list = results::Json::array();
  for (const TriedDefence& tried : tried_defences(found.summary(), found.releases(), study_.adversary.metric)) {
    const results::ReleaseMeans& release = tried.release;
    // Quantiles over users, averaged over repeats, by adversary in order of appearance.
    std::vector<std::pair<goal::Combination, std::vector<results::Distribution>>> adversaries;
    for (const Box& box : boxes_) {
      const goal::Combination& key = box.combination;
      if (key.release != release.release || key.parameter != release.parameter) continue;
      const auto known = std::find_if(adversaries.begin(), adversaries.end(),
                                      [&](const auto& other) { return same_adversary(other.first, key); });
      if (known == adversaries.end()) {
        adversaries.push_back({key, {box.gains}});
      } else {
        known->second.push_back(box.gains);
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
    results::Json json = {{"release", release.release}, {"parameter", release.parameter}};
    json.update(guarantee_json(release.guarantee));
    json["repeats"] = release.repeats;
    append_utility(json, release);
    json["mre_half_width"] = optional_number(release.mre.half_width);
    json["worse_than"] = release.worse_than;
    json["worse_than_mae"] = release.worse_than_mae;
    json["gain"] = tried.gain.mean;
    json["gain_half_width"] = optional_number(tried.gain.half_width);
    json["given_back"] = tried.given_back ? results::Json(tried.given_back->mean) : results::Json();
    json["given_back_half_width"] = tried.given_back ? optional_number(tried.given_back->half_width) : results::Json();
    json["own"] = tried.own ? results::Json(tried.own->left.mean) : results::Json();
    json["own_half_width"] = tried.own ? optional_number(tried.own->left.half_width) : results::Json();
    json["own_raw"] = tried.own ? results::Json(tried.own->raw) : results::Json();
    json["own_bound"] = optional_number(tried.own_bound);
    json["adversaries"] = boxes;
    list.push_back(std::move(json));
  }
  return list;
}

results::Json DocumentBuilder::measured(const std::vector<results::MeasuredGoal>& goals) const {
  results::Json list = results::Json::array();
  for (const results::MeasuredGoal& goal : goals) {
    if (goal.name == kMembership || goal.name == kAudit || goal.name == kTrajectories) continue;
    results::Json fields = results::Json::array();
    for (const goal::Field& field : goal.rows.front().key) fields.push_back(field.name);
    results::Json rows = results::Json::array();
    for (const results::MeasuredRow& row : goal.rows) {
      results::Json key = results::Json::array();
      for (const goal::Field& field : row.key) key.push_back(field.value);
      const std::size_t people = row.unit == goal::Unit::kTarget ? row.count : facts_.users;
      results::Json numbers = results::Json::array();
      for (const results::Distribution& values : row.numbers) {
        numbers.push_back({{"mean", values.mean},
                           {"p05", percentile_json(values.p05, 0.05, people)},
                           {"p50", percentile_json(values.p50, 0.50, people)},
                           {"p95", percentile_json(values.p95, 0.95, people)}});
      }
      rows.push_back({{"key", key}, {"unit", goal::name_of(row.unit)}, {"count", row.count}, {"numbers", numbers}});
    }
    list.push_back(
        {{"name", goal.name}, {"summary", goal.summary}, {"fields", fields}, {"numbers", goal.names}, {"rows", rows}});
  }
  return list;
}

results::Json DocumentBuilder::json(const engine::Provenance& provenance, const std::string& study_name,
                                    const results::Collected& found, const std::vector<PaperRow>& paper) const {
  results::Json input = results::input_json(provenance);
  results::Json dataset = results::dataset_json(study_, facts_);
  for (const char* key : {"timezone", "first_event", "last_event", "rows", "events", "used", "outside_period",
                          "outside_rois", "bad_rows", "bad_rows_by_reason"}) {
    dataset[key] = input[key];
  }
  results::Json document;
  document["schema"] = kDocumentSchema;
  document["hearsay"] = version();
  document["title"] = study_.data.name;
  results::Json adversaries = results::Json::array();
  for (const Adversary& one : adversaries_.all()) adversaries.push_back(adversary_json(one, found.summary()));
  const std::optional<std::size_t> chosen = chosen_of(found.summary());
  const Membership membership = read_membership(found.measured(), study_.results.least_people);
  Details details = chosen ? details_of(*chosen, adversaries[*chosen]) : Details{};
  details.membership = membership_sentences(membership);
  details.trajectories = trajectory_sentences(found.measured(), study_.results.least_people);
  document["learned"] = results::Json::array();
  for (const results::Learned& one : found.learned()) {
    document["learned"].push_back(
        {{"prior", one.prior}, {"feature", one.feature}, {"importance", rounded(one.importance)}});
  }
  document["findings"] = findings(found.summary(), found.releases(), study_.adversary.metric, details);
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
  document["summary"] = summary_json(found.summary());
  document["cdf"] = curves();
  document["hours"] = hours();
  document["best"] = best_json(found.summary());
  document["adversary"] = chosen ? results::Json(*chosen) : results::Json();
  document["adversaries"] = std::move(adversaries);
  document["rois"] = rois();
  document["defences"] = defences(found);
  document["published"] = published_json(study_, found.releases());
  document["chains"] = chains_json(study_, found.summary(), found.releases());
  document["baselines"] = baselines_json(found.releases());
  document["membership"] = membership_json(membership, study_.registry.distinguishers);
  document["trajectories"] = trajectories_json(found.measured(), study_.results.least_people);
  document["measured"] = measured(found.measured());
  document["paper"] = paper_json(paper);
  return document;
}

}  // namespace hearsay::report
