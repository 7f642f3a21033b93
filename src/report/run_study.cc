// SPDX-License-Identifier: Apache-2.0
#include "report/run_study.h"

#include <fmt/format.h>

#include <optional>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "experiment/runner.h"
#include "report/checkpoint.h"
#include "report/document.h"
#include "report/manifest.h"
#include "report/page.h"
#include "report/result_tables.h"

namespace hearsay::report {
namespace {

constexpr int kIndent = 2;

// Everything the results depend on.
std::string results_key(const experiment::Study& study, const Provenance& provenance) {
  std::string key = fmt::format("{}\n{}\n{}\n", version(), build_id(), study.as_run);
  for (const ingest::InputFile& input : provenance.inputs) key += fmt::format("{} {}\n", input.sha256, input.name);
  return key;
}

// Prior by prior: those finished by an earlier run are handed over, the others run and kept. The results, and their
// order, are those of one run over all.
void run_parts(const Checkpoint& parts, const dataset::Dataset& dataset, const experiment::Study& study,
               const LoadOptions& options, const experiment::Sink& sink) {
  experiment::Study one = study;
  one.priors.clear();
  // What the releases are good for.
  experiment::run(dataset, one, {options.threads, options.progress, options.stop}, sink);
  for (const prior::PriorEntry* prior : study.priors) {
    if (parts.replay(prior->info.name, sink.result)) continue;
    one.priors = {prior};
    parts.record(
        prior->info.name,
        [&](const TakeResult& take) {
          experiment::run(dataset, one, {options.threads, options.progress, options.stop}, {take, {}});
        },
        sink.result);
  }
}

Outcome attack_and_write(const experiment::Study& study, const Loaded& loaded, const RunOptions& options,
                         const MakeExtras& make_extras, const std::string& target, const std::string& temporary,
                         StageClock& clock) {
  const LoadOptions& load_options = options.load;
  check_fits(study, loaded.dataset, load_options);
  clock.start("attack");
  ResultTables tables(study, loaded.dataset, {1, load_options.buffers(), temporary, load_options.stop});
  DocumentBuilder document(study, loaded.dataset);
  const experiment::Sink sink = {[&](const experiment::Result& result) {
                                   tables.take(result);
                                   document.take(result);
                                 },
                                 [&](const experiment::ReleaseResult& release) { tables.take(release); }};
  std::optional<Checkpoint> parts;
  if (options.resume) {
    parts.emplace(target, results_key(study, loaded.provenance));
    run_parts(*parts, loaded.dataset, study, load_options, sink);
  } else {
    experiment::run(loaded.dataset, study, {load_options.threads, load_options.progress, load_options.stop}, sink);
  }

  clock.start("report");
  if (load_options.progress) load_options.progress("writing", 0, 0);
  ResultFolder folder(target);
  std::vector<ResultFile> files = tables.write(folder);
  Extras extras = make_extras ? make_extras(loaded.dataset, tables, folder) : Extras{};
  for (ResultFile& file : extras.files) files.push_back(std::move(file));
  if (!document.places().empty()) files.push_back(tables.write_rois(folder, document));
  const Json report = document.json(loaded.provenance, options.study_name, tables, extras.paper);
  // Text from the data, such as a file name, need not be UTF-8.
  folder.write_text(kDocumentName, report.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  folder.write_text(kPageName, page_html(report));
  files.push_back(folder.describe(kDocumentName, 1));
  files.push_back(folder.describe(kPageName, 1));
  clock.stop();
  const Json manifest = manifest_json({study, options.study_name, loaded, load_options.threads, tables, files, clock});
  folder.write_text(kManifestName, manifest.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n");
  folder.put_in_place();
  if (parts) {
    parts->discard();
  } else {
    remove_parts(target);
  }

  return {.folder = options.out,
          .files = std::move(files),
          .summary = tables.summary(),
          .releases = tables.releases(),
          .log_base = study.metric.log_base,
          .provenance = loaded.provenance,
          .users = loaded.dataset.crowd().users,
          .rois = loaded.dataset.rois().size(),
          .visits = loaded.dataset.visits().size(),
          .users_file = tables.users().reason,
          .stages = clock.stages(),
          .seconds = clock.seconds(),
          .peak_bytes = clock.peak_bytes()};
}

// What an interrupted query leaves behind may fail in any way.
template <typename Work>
Outcome or_cancelled(const std::stop_token& stop, const Work& work) {
  try {
    return work();
  } catch (...) {
    if (stop.stop_requested()) throw Cancelled();
    throw;
  }
}

}  // namespace

Outcome run_study(const experiment::Study& study, const RunOptions& options, const MakeExtras& make_extras) {
  const std::string target = checked_result_path(options.out);
  tidy_result_place(target);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  return or_cancelled(options.load.stop, [&] {
    const Loaded loaded = load(study, options.load, temporary.path(), clock);
    return attack_and_write(study, loaded, options, make_extras, target, temporary.path(), clock);
  });
}

Outcome run_study(const experiment::Study& study, const Loaded& loaded, const RunOptions& options) {
  const std::string target = checked_result_path(options.out);
  tidy_result_place(target);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  return or_cancelled(options.load.stop,
                      [&] { return attack_and_write(study, loaded, options, {}, target, temporary.path(), clock); });
}

}  // namespace hearsay::report
