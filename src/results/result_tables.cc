// SPDX-License-Identifier: Apache-2.0
#include "results/result_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/civil_time.h"
#include "results/best_response.h"
#include "results/key_columns.h"

namespace hearsay::results {
namespace {

std::string user_columns(const std::string& type) {
  std::vector<std::string> columns;
  for (const char* name : kUserColumns) columns.push_back(name + type);
  return fmt::format("{}", fmt::join(columns, ", "));
}

// "error_mean DOUBLE, error_sd DOUBLE, ..."
std::string distribution_columns(const std::string& name) {
  std::string columns;
  for (const char* what : {"mean", "sd", "p05", "p25", "p50", "p75", "p95"}) {
    columns += fmt::format("{}_{} DOUBLE, ", name, what);
  }
  return columns;
}

void append_distribution(storage::Appender& rows, const Distribution* given) {
  for (double Distribution::*const member :
       {&Distribution::mean, &Distribution::deviation, &Distribution::p05, &Distribution::p25, &Distribution::p50,
        &Distribution::p75, &Distribution::p95}) {
    rows.append(given == nullptr ? std::nullopt : std::optional(given->*member));
  }
}

// Where a number may not be one.
void append_number(storage::Appender& rows, double number) {
  rows.append(std::isnan(number) ? std::nullopt : std::optional(number));
}

// One writer, so that the bytes do not depend on how work was divided.
storage::DatabaseOptions one_thread(storage::DatabaseOptions options) {
  options.threads = 1;
  return options;
}

std::vector<std::string> inference_starts(const experiment::Study& study) {
  std::vector<std::string> starts;
  for (std::uint32_t epoch = study.data.observe; epoch < study.data.period.epochs; ++epoch) {
    starts.push_back(format_civil(study.start_of(epoch)));
  }
  return starts;
}

}  // namespace

ResultTables::ResultTables(const experiment::Study& study, const DataFacts& facts, storage::DatabaseOptions options)
    : study_(study), facts_(facts), database_(one_thread(std::move(options))), epoch_starts_(inference_starts(study)) {
  database_.execute(fmt::format("CREATE TABLE epochs ({}, epoch UBIGINT, time VARCHAR, error DOUBLE, without DOUBLE)",
                                key_columns(goal::key_of({}, "baseline"))));
  database_.execute(fmt::format("CREATE TABLE users (row BIGINT, uid VARCHAR, {})", user_columns(" DOUBLE")));
  epoch_rows_.emplace(database_, "epochs");
  user_rows_.emplace(database_, "users");
}

void ResultTables::take(const goal::GoalEntry& goal, const goal::Measurement& measurement) {
  Collected::take(goal, measurement);
  if (goal.of_errors && measurement.unit == goal::Unit::kEpoch) take_epochs(measurement);
}

void ResultTables::take_epochs(const goal::Measurement& epochs) {
  if (facts_.users < study_.results.least_people) return;
  const std::span<const double> errors = epochs.of("error").values;
  const std::span<const double> without = epochs.of("without").values;
  for (std::size_t epoch = 0; epoch < errors.size(); ++epoch) {
    append_key(*epoch_rows_, study_.data.name, epochs.key);
    epoch_rows_->append(epoch);
    epoch_rows_->append(epoch_starts_[epoch]);
    epoch_rows_->append(errors[epoch]);
    epoch_rows_->append(without.empty() ? std::nullopt : std::optional(without[epoch]));
    epoch_rows_->end_row();
  }
  epoch_row_count_ += errors.size();
}

void ResultTables::take(const PeopleFigures& people) {
  Collected::take(people);
  std::size_t number = 0;
  for (const UserRow& row : people.rows) {
    ++number;
    user_rows_->append(static_cast<std::int64_t>(summary().size()) - 1);
    user_rows_->append(study_.results.show_users ? facts_.id_of(static_cast<std::uint32_t>(row.user))
                                                 : std::to_string(number));
    for (const double value : row.numbers) append_number(*user_rows_, value);
    user_rows_->end_row();
  }
}

std::vector<ResultFile> ResultTables::write(const ResultFolder& folder) {
  epoch_rows_->finish();
  user_rows_->finish();
  std::vector<ResultFile> files = {write_summary(folder), write_epochs(folder)};
  if (!facts_.chosen.users.empty() && !summary().empty()) files.push_back(write_users(folder));
  files.push_back(write_best(folder));
  if (!learned().empty()) files.push_back(write_learned(folder));
  if (!releases().empty()) {
    files.push_back(write_utility(folder));
    files.push_back(write_means(folder));
  }
  for (const MeasuredGoal& goal : measured()) {
    files.push_back(write_measured(goal, study_.data.name, database_, folder));
    if (!goal.has_targets()) continue;
    files.push_back(write_targets(goal, study_.data.name, database_, folder, [&](std::uint32_t user) {
      return study_.results.show_users ? facts_.id_of(user) : std::to_string(user + 1);
    }));
  }
  return files;
}

ResultFile ResultTables::write_summary(const ResultFolder& folder) {
  database_.execute(
      fmt::format("CREATE TABLE summary ({}, users UBIGINT, {}loss_mean DOUBLE, loss_signed_mean DOUBLE, gain_mean "
                  "DOUBLE, improved DOUBLE, {}{}own_clipped DOUBLE, own_loss_mean DOUBLE, counted DOUBLE, "
                  "loss_without_mean DOUBLE, control_users UBIGINT, control_half_width DOUBLE, active_users UBIGINT, "
                  "active_mean DOUBLE, active_without_mean DOUBLE)",
                  key_columns(goal::key_of({})), distribution_columns("error"), distribution_columns("without"),
                  distribution_columns("own")));
  storage::Appender rows(database_, "summary");
  for (const SummaryRow& row : summary()) {
    append_key(rows, row.dataset, goal::key_of(row.combination));
    rows.append(row.users);
    append_distribution(rows, &row.error);
    for (const std::optional<double>& value : {row.loss_mean, row.loss_signed_mean, row.gain_mean, row.improved}) {
      rows.append(value);
    }
    const Control* control = row.control ? &*row.control : nullptr;
    append_distribution(rows, control == nullptr ? nullptr : &control->without);
    append_distribution(rows, control == nullptr ? nullptr : &control->own);
    for (double Control::*const member : {&Control::own_clipped, &Control::own_loss, &Control::counted}) {
      rows.append(control == nullptr ? std::nullopt : std::optional(control->*member));
    }
    rows.append(control == nullptr ? std::nullopt : control->loss_without);
    control == nullptr ? rows.append_null() : rows.append(control->users);
    rows.append(control == nullptr ? std::nullopt : std::optional(control->half_width));
    row.active ? rows.append(row.active->users) : rows.append_null();
    rows.append(row.active ? std::optional(row.active->mean) : std::nullopt);
    rows.append(row.active ? row.active->without : std::nullopt);
    rows.end_row();
  }
  rows.finish();
  database_.copy_to("FROM summary", folder.path_of("summary.csv"), storage::FileFormat::kCsv);
  return folder.describe("summary.csv", summary().size());
}

ResultFile ResultTables::write_utility(const ResultFolder& folder) {
  std::string numbers;
  for (const release::UtilityNumber& number : release::numbers_of({})) numbers += number.name + " DOUBLE, ";
  database_.execute(
      fmt::format("CREATE TABLE utility (dataset VARCHAR, release VARCHAR, parameter VARCHAR, repeat UBIGINT, kind "
                  "VARCHAR, {}worse_than VARCHAR, worse_than_mae VARCHAR, epsilon DOUBLE, unit VARCHAR, "
                  "epsilon_with_null DOUBLE, delta DOUBLE, rho DOUBLE)",
                  numbers));
  storage::Appender rows(database_, "utility");
  for (const goal::ReleaseResult& release : releases()) {
    const bool baseline = !release.baseline.empty();
    for (const std::string* text : {&study_.data.name, &release.release, &release.parameter}) append_text(rows, *text);
    rows.append(release.repeat);
    rows.append(baseline ? "baseline" : "defence");
    for (const release::UtilityNumber& number : release::numbers_of(release.utility)) rows.append(number.value);
    for (double release::Utility::*const number : {&release::Utility::mre, &release::Utility::mae}) {
      append_text(rows, baseline ? "" : nearer_baseline(releases(), number, release.utility.*number));
    }
    rows.append(release.guarantee.epsilon);
    append_text(rows, release.guarantee.unit);
    rows.append(release.guarantee.epsilon_with_null);
    rows.append(release.guarantee.epsilon ? std::optional(release.guarantee.delta) : std::nullopt);
    rows.append(release.guarantee.rho);
    rows.end_row();
  }
  rows.finish();
  database_.copy_to("FROM utility", folder.path_of("utility.csv"), storage::FileFormat::kCsv);
  return folder.describe("utility.csv", releases().size());
}

ResultFile ResultTables::write_means(const ResultFolder& folder) {
  const std::vector<MeanRow> means = means_over_repeats(summary());
  database_.execute(
      fmt::format("CREATE TABLE means ({}, error_mean DOUBLE, error_low DOUBLE, error_high DOUBLE, loss_mean DOUBLE, "
                  "loss_low DOUBLE, loss_high DOUBLE, gain_mean DOUBLE, gain_low DOUBLE, gain_high DOUBLE, own_mean "
                  "DOUBLE, own_low DOUBLE, own_high DOUBLE)",
                  key_columns(goal::key_of({}))));
  storage::Appender rows(database_, "means");
  for (const MeanRow& row : means) {
    goal::Combination key = row.combination;
    key.repeat = row.repeats;
    append_key(rows, study_.data.name, goal::key_of(key));
    for (const std::optional<Interval>* value : {&row.error, &row.loss, &row.gain, &row.own}) {
      rows.append(*value ? std::optional((*value)->mean) : std::nullopt);
      rows.append(*value ? std::optional((*value)->low()) : std::nullopt);
      rows.append(*value ? std::optional((*value)->high()) : std::nullopt);
    }
    rows.end_row();
  }
  rows.finish();
  database_.copy_to("SELECT * RENAME (repeat AS repeats) FROM means", folder.path_of("means.csv"),
                    storage::FileFormat::kCsv);
  return folder.describe("means.csv", means.size());
}

ResultFile ResultTables::write_best(const ResultFolder& folder) {
  database_.execute(
      "CREATE TABLE best (dataset VARCHAR, goal VARCHAR, prior VARCHAR, release VARCHAR, parameter VARCHAR, repeat "
      "UBIGINT, before DOUBLE, before_attack VARCHAR, before_decision VARCHAR, without DOUBLE, without_attack "
      "VARCHAR, without_decision VARCHAR, without_half_width DOUBLE, \"with\" DOUBLE, with_attack VARCHAR, "
      "with_decision VARCHAR, loss DOUBLE, crowd_part DOUBLE, own_part DOUBLE, paper DOUBLE, paper_attack VARCHAR, "
      "paper_decision VARCHAR)");
  storage::Appender rows(database_, "best");
  const std::vector<BestResponse> all = best_responses(summary());
  for (const BestResponse& best : all) {
    for (const std::string* text : {&study_.data.name, &best.goal, &best.prior, &best.release, &best.parameter}) {
      append_text(rows, *text);
    }
    rows.append(best.repeat);
    const auto append = [&](const Strategy& strategy) {
      rows.append(strategy.error);
      append_text(rows, strategy.attack);
      append_text(rows, strategy.decision);
    };
    append(best.before);
    if (best.without) {
      append(*best.without);
      rows.append(best.without->half_width);
    } else {
      for (int i = 0; i < 4; ++i) rows.append_null();
    }
    append(best.with);
    rows.append(best.loss());
    rows.append(best.crowd_part());
    rows.append(best.own_part());
    if (best.paper) {
      append(*best.paper);
    } else {
      for (int i = 0; i < 3; ++i) rows.append_null();
    }
    rows.end_row();
  }
  rows.finish();
  database_.copy_to("FROM best", folder.path_of("best.csv"), storage::FileFormat::kCsv);
  return folder.describe("best.csv", all.size());
}

ResultFile ResultTables::write_learned(const ResultFolder& folder) {
  database_.execute("CREATE TABLE learned (dataset VARCHAR, prior VARCHAR, feature VARCHAR, importance DOUBLE)");
  storage::Appender rows(database_, "learned");
  for (const Learned& one : learned()) {
    for (const std::string* text : {&study_.data.name, &one.prior, &one.feature}) append_text(rows, *text);
    rows.append(one.importance);
    rows.end_row();
  }
  rows.finish();
  database_.copy_to("FROM learned", folder.path_of("learned.csv"), storage::FileFormat::kCsv);
  return folder.describe("learned.csv", learned().size());
}

ResultFile ResultTables::write_rois(const ResultFolder& folder, const std::vector<PlaceErrors>& adversaries) {
  database_.execute(
      "CREATE TABLE rois (dataset VARCHAR, prior VARCHAR, attack VARCHAR, decision VARCHAR, roi VARCHAR, name VARCHAR, "
      "lat DOUBLE, lng "
      "DOUBLE, visits UBIGINT, error DOUBLE, without DOUBLE, loss DOUBLE)");
  storage::Appender rows(database_, "rois");
  const std::vector<std::uint64_t>& visits = facts_.inference_visits;
  std::vector<const PlaceErrors*> priors;  // of the prior at hand, by decision
  std::uint64_t count = 0;
  for (const PlaceErrors& places : adversaries) {
    const goal::Combination& key = places.combination;
    if (key.is_prior()) {
      if (!priors.empty() && priors.front()->combination.prior != key.prior) priors.clear();
      priors.push_back(&places);
    }
    // Against the prior read in the same way, or else the first.
    const auto same = std::find_if(priors.begin(), priors.end(),
                                   [&](const PlaceErrors* one) { return one->combination.decision == key.decision; });
    const PlaceErrors& prior = same == priors.end() ? *priors.front() : **same;
    for (std::size_t i = 0; i < visits.size(); ++i) {
      if (visits[i] == 0 || !facts_.enough_at[i]) continue;
      const ingest::Roi& roi = facts_.places[i];
      const double before = prior.errors[i];
      for (const std::string* text : {&study_.data.name, &key.prior, &key.attack, &key.decision, &roi.id, &roi.name}) {
        append_text(rows, *text);
      }
      rows.append(roi.lat);
      rows.append(roi.lng);
      rows.append(visits[i]);
      rows.append(places.errors[i]);
      rows.append(places.without.empty() ? std::nullopt : std::optional(places.without[i]));
      rows.append(&places == &prior || before == 0 ? std::nullopt : std::optional(1 - places.errors[i] / before));
      rows.end_row();
      ++count;
    }
  }
  rows.finish();
  database_.copy_to("FROM rois", folder.path_of("rois.csv"), storage::FileFormat::kCsv);
  return folder.describe("rois.csv", count);
}

ResultFile ResultTables::write_epochs(const ResultFolder& folder) {
  database_.copy_to("FROM epochs", folder.path_of("epochs.csv"), storage::FileFormat::kCsv);
  return folder.describe("epochs.csv", epoch_row_count_);
}

// The keys come from short lists by the number of their summary row rather than from a join: a join may change the
// order of the rows, and sorting them again costs far more than writing them.
ResultFile ResultTables::write_users(const ResultFolder& folder) {
  std::string columns;
  storage::Values parameters = {folder.path_of("users.parquet")};
  const auto add_column = [&](const std::string& name, const auto& value_of) {
    std::vector<std::string> values;
    for (const SummaryRow& row : summary()) values.push_back(value_of(row));
    parameters.emplace_back(std::move(values));
    columns += fmt::format("nullif(${}[row + 1], '') AS {}, ", parameters.size(), name);
  };
  add_column("dataset", [](const SummaryRow& row) { return row.dataset; });
  for (const goal::KeyField& field : goal::kKeyFields) {
    add_column(field.name, [&](const SummaryRow& row) { return field.as_text(row.combination); });
  }
  database_.execute(fmt::format("COPY (SELECT * REPLACE (CAST(repeat AS UBIGINT) AS repeat) FROM (SELECT {} uid, "
                                "{} FROM users)) TO $1 (FORMAT parquet, COMPRESSION zstd)",
                                columns, user_columns("")),
                    parameters);
  return folder.describe("users.parquet", summary().size() * facts_.chosen.users.size());
}

}  // namespace hearsay::results
