// SPDX-License-Identifier: Apache-2.0
#include "job/description.h"

#include <fmt/format.h>

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

}  // namespace

Description describe_study(const experiment::Study& study, const engine::LoadOptions& options) {
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  return describe_loaded(study, engine::load(study, options, temporary.path(), clock), options.threads);
}

Description describe_loaded(const experiment::Study& study, const engine::Loaded& loaded, std::size_t threads) {
  return {results::dataset_json(study, loaded.dataset), loaded.provenance, dataset::describe(loaded.dataset, threads)};
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
  return table.aligned();
}

std::string describe_as_json(const Description& description) {
  const dataset::Statistics& statistics = description.statistics;
  results::Json json;
  json["hearsay"] = results::version();
  json["dataset"] = description.dataset;
  json["statistics"] = {{"reports_per_user", spread_json(statistics.reports_per_user)},
                        {"rois_per_user", spread_json(statistics.rois_per_user)},
                        {"active_epochs_per_user", spread_json(statistics.active_epochs_per_user)},
                        {"reports_per_roi", spread_json(statistics.reports_per_roi)},
                        {"active_epochs_per_roi", spread_json(statistics.active_epochs_per_roi)},
                        {"largest_inference_reports", statistics.largest_inference_reports}};
  json["input"] = results::input_json(description.provenance);
  json["warnings"] = description.provenance.warnings;
  return json.dump(2, ' ', false, results::Json::error_handler_t::replace) + "\n";
}

}  // namespace hearsay::job
