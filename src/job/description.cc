// SPDX-License-Identifier: Apache-2.0
#include "job/description.h"

#include <fmt/format.h>

#include <cmath>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "base/text_table.h"

namespace hearsay::job {
namespace {

std::string shown(const dataset::Spread& spread) {
  return fmt::format("{:.1f} +- {:.1f}", spread.mean, spread.deviation);
}

results::Json spread_json(const dataset::Spread& spread) {
  return {{"mean", spread.mean}, {"sd", spread.deviation}};
}

void add_statistics(const Description& description, TextTable& table) {
  const dataset::Statistics& statistics = description.statistics;
  const auto inference = description.dataset.at("inference").get<std::uint64_t>();
  const auto epochs = description.dataset.at("epochs").get<std::uint64_t>();
  table.add({"users", with_commas(statistics.users)});
  table.add({"ROIs", with_commas(statistics.rois)});
  table.add({"reports (user, ROI, epoch)", with_commas(statistics.reports)});
  table.add({"reports per user", shown(statistics.reports_per_user)});
  table.add({"unique ROIs per user", shown(statistics.rois_per_user)});
  table.add({fmt::format("active epochs per user (of {})", epochs), shown(statistics.active_epochs_per_user)});
  table.add({"reports per ROI, inference period", shown(statistics.reports_per_roi)});
  table.add({fmt::format("active epochs per ROI (of {}), inference period", inference),
             shown(statistics.active_epochs_per_roi)});
  table.add({"most reports by a user, inference period", with_commas(statistics.largest_inference_reports)});
}

void add_rows(const engine::Provenance& provenance, TextTable& table) {
  const ingest::Tally& tally = provenance.tally;
  table.add({"time zone", provenance.timezone});
  if (!provenance.time_format.empty()) table.add({"times written as", provenance.time_format});
  table.add({"first event", provenance.first_event});
  table.add({"last event", provenance.last_event});
  table.add({"rows read", with_commas(tally.rows)});
  table.add({"events", with_commas(tally.events)});
  table.add({"events used", with_commas(tally.used)});
  table.add({"events outside the study period", with_commas(tally.outside_period)});
  table.add({"events outside the ROIs", with_commas(tally.outside_rois)});
  table.add({"bad rows skipped", with_commas(provenance.bad_rows)});
  for (const auto& [reason, count] : tally.bad_rows) table.add({"  " + reason, with_commas(count)});
}

void check(const BoundQuestion& question) {
  if (!(question.epsilon > 0) || !std::isfinite(question.epsilon)) {
    throw ConfigError("epsilon", fmt::format("{}", question.epsilon), "must be above 0");
  }
  if (!(question.delta > 0) || question.delta >= 1) {
    throw ConfigError("delta", fmt::format("{}", question.delta), "must be above 0 and below 1");
  }
}

std::string bounds_as_text(const release::BoundChoice& choice) {
  const release::BoundError& laplace = choice.best(&release::BoundError::laplace);
  const release::BoundError& gaussian = choice.best(&release::BoundError::gaussian);
  TextTable table({{"visits kept of a user", true}, {"of all visits", true}, {"LAPLACE", true}, {"GAUSSIAN", true}});
  const auto marked = [](double error, bool best) { return fmt::format("{:.3g}{}", error, best ? " *" : "  "); };
  for (const release::BoundError& row : choice.errors) {
    table.add({with_commas(row.at_most), fmt::format("{:.1f}%", 100 * row.kept), marked(row.laplace, &row == &laplace),
               marked(row.gaussian, &row == &gaussian)});
  }
  std::string text = fmt::format(
      "\nMean absolute error of a count, BOUND and noise for a whole user, epsilon {}\n(GAUSSIAN: delta {}), {}; "
      "* is the least:\n\n{}\n",
      choice.epsilon, choice.delta, choice.on_past ? "on the last of what is observed" : "on what is to be published",
      table.aligned());
  const bool normal = gaussian.gaussian < laplace.laplace;
  const double least = normal ? gaussian.gaussian : laplace.laplace;
  text += fmt::format("Least: BOUND(at_most={}) and {}, {:.3g}.", (normal ? gaussian : laplace).at_most,
                      normal ? "GAUSSIAN" : "LAPLACE", least);
  for (const auto& [words, error] : choice.baselines) {
    text += fmt::format("\nBaseline, {}: {:.3g}{}", words, error, error < least ? ", less than any of these" : "");
  }
  text +=
      choice.on_past
          ? "\n\nFor your eyes only: computed from true counts. A bound chosen on the past, not on what is published,\n"
            "does not weaken what the noise promises about that.\n"
          : "\n\nFor your eyes only: computed from true counts, of what is to be published itself, as less was "
            "observed.\n"
            "A bound chosen so depends on the data, and the promise does not cover that.\n";
  return text;
}

results::Json bounds_json(const release::BoundChoice& choice) {
  results::Json json;
  json["epsilon"] = choice.epsilon;
  json["delta"] = choice.delta;
  json["measured_on"] = choice.on_past ? "observation" : "inference";
  for (const release::BoundError& row : choice.errors) {
    json["errors"].push_back(
        {{"at_most", row.at_most}, {"kept", row.kept}, {"laplace_mae", row.laplace}, {"gaussian_mae", row.gaussian}});
  }
  json["best_laplace"] = choice.best(&release::BoundError::laplace).at_most;
  json["best_gaussian"] = choice.best(&release::BoundError::gaussian).at_most;
  json["baselines"] = results::Json::object();
  for (const auto& [words, error] : choice.baselines) json["baselines"][words] = error;
  return json;
}

}  // namespace

Description describe_study(const experiment::Study& study, const engine::LoadOptions& options,
                           const std::optional<BoundQuestion>& bounds) {
  if (bounds) check(*bounds);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  return describe_loaded(study, engine::load(study, options, temporary.path(), clock), options.threads, bounds);
}

Description describe_loaded(const experiment::Study& study, const engine::Loaded& loaded, std::size_t threads,
                            const std::optional<BoundQuestion>& bounds) {
  Description description{results::dataset_json(study, results::size_of(loaded.dataset)), loaded.provenance,
                          dataset::describe(loaded.dataset, threads), std::nullopt};
  if (bounds) {
    check(*bounds);
    description.bounds = release::choose_bound(loaded.dataset, bounds->epsilon, bounds->delta, threads);
  }
  return description;
}

std::string describe_as_text(const Description& description) {
  const results::Json& data = description.dataset;
  TextTable table({{data.at("name").get<std::string>(), false}, {"", true}});
  add_statistics(description, table);
  table.add({"study period starts", data.at("start").get<std::string>()});
  table.add({"epochs observed + inferred",
             fmt::format("{} + {}, {} s each", data.at("observe").get<std::uint64_t>(),
                         data.at("inference").get<std::uint64_t>(), data.at("epoch_seconds").get<std::uint64_t>())});
  add_rows(description.provenance, table);
  return table.aligned() + (description.bounds ? bounds_as_text(*description.bounds) : "");
}

std::string describe_as_json(const Description& description) {
  const dataset::Statistics& statistics = description.statistics;
  results::Json json;
  json["hearsay"] = version();
  json["dataset"] = description.dataset;
  json["statistics"] = {{"reports_per_user", spread_json(statistics.reports_per_user)},
                        {"rois_per_user", spread_json(statistics.rois_per_user)},
                        {"active_epochs_per_user", spread_json(statistics.active_epochs_per_user)},
                        {"reports_per_roi", spread_json(statistics.reports_per_roi)},
                        {"active_epochs_per_roi", spread_json(statistics.active_epochs_per_roi)},
                        {"largest_inference_reports", statistics.largest_inference_reports}};
  if (description.bounds) json["bounds"] = bounds_json(*description.bounds);
  json["input"] = results::input_json(description.provenance);
  json["warnings"] = description.provenance.warnings;
  return json.dump(2, ' ', false, results::Json::error_handler_t::replace) + "\n";
}

}  // namespace hearsay::job
