// SPDX-License-Identifier: Apache-2.0
#include "job/study_writer.h"

#include "report/page.h"
#include "results/manifest.h"

namespace hearsay::job {
namespace {

constexpr int kIndent = 2;

}  // namespace

StudyWriter::StudyWriter(const experiment::Study& study, const results::DataFacts& facts,
                         storage::DatabaseOptions database)
    : study_(study), facts_(facts), tables_(study, facts, std::move(database)), document_(study, facts) {}

void StudyWriter::take(const results::PeopleFigures& people) {
  tables_.take(people);
  document_.take(people);
}

void StudyWriter::take(const goal::GoalEntry& goal, const goal::Measurement& measurement) {
  tables_.take(goal, measurement);
  if (goal.of_errors) document_.take(measurement);
}

Outcome StudyWriter::write(const std::string& target, const RunOptions& options, const engine::Provenance& provenance,
                           StageClock& clock, const AddFiles& add_files) {
  if (options.load.progress) options.load.progress("writing", 0, 0);
  results::ResultFolder folder(target);
  std::vector<results::ResultFile> files = tables_.write(folder);
  Extras extras = add_files ? add_files(tables_, folder) : Extras{};
  for (results::ResultFile& file : extras.files) files.push_back(std::move(file));
  if (!document_.places().empty()) files.push_back(tables_.write_rois(folder, document_.places()));
  const results::Json report = document_.json(provenance, options.study_name, tables_, extras.paper);
  // Text from the data, such as a file name, need not be UTF-8.
  folder.write_text(report::kDocumentName, report.dump(-1, ' ', false, results::Json::error_handler_t::replace) + "\n");
  folder.write_text(report::kPageName, report::page_html(report));
  files.push_back(folder.describe(report::kDocumentName, 1));
  files.push_back(folder.describe(report::kPageName, 1));
  clock.stop();
  const results::Json manifest = results::manifest_json(
      {study_, options.study_name, facts_, provenance, options.load.threads, tables_, files, clock, options.ran_on});
  folder.write_text(results::kManifestName,
                    manifest.dump(kIndent, ' ', false, results::Json::error_handler_t::replace) + "\n");
  folder.put_in_place();
  return {.folder = options.out,
          .files = std::move(files),
          .summary = tables_.summary(),
          .releases = tables_.releases(),
          .findings = report["findings"],
          .metric = study_.adversary.metric,
          .provenance = provenance,
          .users = facts_.users,
          .rois = facts_.rois,
          .period_seconds = std::uint64_t{facts_.calendar.inference()} * facts_.calendar.epoch_seconds,
          .visits = facts_.visits,
          .users_file = facts_.chosen.reason,
          .stages = clock.stages(),
          .seconds = clock.seconds(),
          .peak_bytes = clock.peak_bytes()};
}

}  // namespace hearsay::job
