// SPDX-License-Identifier: Apache-2.0
#include "results/manifest.h"

namespace hearsay::results {
namespace {

Json files_json(const std::vector<ResultFile>& files) {
  Json list = Json::array();
  for (const ResultFile& file : files) {
    list.push_back({{"name", file.name}, {"bytes", file.bytes}, {"rows", file.rows}});
  }
  return list;
}

Json stages_json(const StageClock& clock) {
  Json list = Json::array();
  for (const Stage& stage : clock.stages()) {
    list.push_back({{"name", stage.name}, {"seconds", stage.seconds}, {"peak_bytes", stage.peak_bytes}});
  }
  return list;
}

Json releases_json(const std::vector<goal::ReleaseResult>& releases) {
  Json list = Json::array();
  for (const ReleaseMeans& means : means_over_repeats(releases)) {
    if (!means.baseline.empty()) continue;
    const release::Guarantee& guarantee = means.guarantee;
    list.push_back({{"release", means.release},
                    {"parameter", means.parameter},
                    {"repeats", means.repeats},
                    {"epsilon", guarantee.epsilon ? Json(*guarantee.epsilon) : Json()},
                    {"unit", guarantee.unit},
                    {"epsilon_with_null", guarantee.epsilon_with_null ? Json(*guarantee.epsilon_with_null) : Json()},
                    {"delta", guarantee.epsilon ? Json(guarantee.delta) : Json()},
                    {"rho", guarantee.rho ? Json(*guarantee.rho) : Json()},
                    {"others", claims_json(guarantee.others)},
                    {"note", guarantee.note}});
  }
  return list;
}

constexpr const char* kUsualTimes = "ISO 8601 or Unix time";

}  // namespace

Json claims_json(const std::vector<release::Claim>& claims) {
  Json list = Json::array();
  for (const release::Claim& claim : claims) {
    list.push_back({{"unit", claim.unit}, {"epsilon", claim.epsilon}, {"delta", claim.delta}});
  }
  return list;
}

Json dataset_json(const experiment::Study& study, const DataSize& size) {
  const dataset::Calendar& calendar = size.calendar;
  return {{"name", study.data.name},
          {"users", size.users},
          {"rois", size.rois},
          {"visits", size.visits},
          {"start", study.data.period.start},
          {"epoch_seconds", calendar.epoch_seconds},
          {"epochs", calendar.epochs},
          {"observe", calendar.observe},
          {"inference", calendar.inference()}};
}

Json input_json(const engine::Provenance& provenance) {
  Json files = Json::array();
  for (const storage::InputFile& input : provenance.inputs) {
    files.push_back({{"name", input.name}, {"bytes", input.bytes}, {"sha256", input.sha256}});
  }
  const ingest::Tally& tally = provenance.tally;
  Json reasons = Json::object();
  for (const auto& [reason, count] : tally.bad_rows) reasons[reason] = count;
  return {{"files", files},
          {"timezone", provenance.timezone},
          {"time_format", provenance.time_format.empty() ? kUsualTimes : provenance.time_format},
          {"first_event", provenance.first_event},
          {"last_event", provenance.last_event},
          {"rows", tally.rows},
          {"events", tally.events},
          {"used", tally.used},
          {"outside_period", tally.outside_period},
          {"outside_rois", tally.outside_rois},
          {"bad_rows", provenance.bad_rows},
          {"bad_rows_by_reason", reasons}};
}

Json manifest_json(const ManifestFacts& facts) {
  const experiment::Study& study = facts.study;
  const UserChoice& users = facts.data.chosen;
  Json manifest;
  manifest["hearsay"] = version();
  manifest["schema"] = kManifestSchema;
  manifest["study"] = {{"name", facts.study_name}, {"toml", study.as_run}};
  manifest["settings"] = {{"seed", study.seed},
                          {"log_base", study.adversary.metric.log_base},
                          {"delta", study.adversary.delta},
                          {"control", study.adversary.control},
                          {"control_sample", study.adversary.control_sample},
                          {"least_people", study.results.least_people},
                          {"threads", facts.threads}};
  manifest["ran_on"] = facts.ran_on;
  manifest["dataset"] = dataset_json(study, facts.data);
  manifest["input"] = input_json(facts.provenance);
  manifest["warnings"] = facts.provenance.warnings;
  manifest["users_file"] = {{"written", !users.users.empty()}, {"users", users.users.size()}, {"reason", users.reason}};
  manifest["releases"] = releases_json(facts.tables.releases());
  manifest["files"] = files_json(facts.files);
  manifest["stages"] = stages_json(facts.clock);
  manifest["seconds"] = facts.clock.seconds();
  manifest["peak_bytes"] = facts.clock.peak_bytes();
  return manifest;
}

}  // namespace hearsay::results
