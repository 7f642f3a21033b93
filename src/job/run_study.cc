// SPDX-License-Identifier: Apache-2.0
#include "job/run_study.h"

#include <fmt/format.h>

#include <optional>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "engine/engine.h"
#include "job/extras.h"
#include "report/document.h"
#include "report/page.h"
#include "results/checkpoint.h"
#include "results/manifest.h"
#include "results/result_tables.h"

namespace hearsay::job {
namespace {

constexpr int kIndent = 2;

// Everything the results depend on.
std::string results_key(const experiment::Study& study, const engine::Provenance& provenance) {
  std::string key = fmt::format("{}\n{}\n{}\n", results::version(), results::build_id(), study.as_run);
  for (const storage::InputFile& input : provenance.inputs) key += fmt::format("{} {}\n", input.sha256, input.name);
  return key;
}

Outcome attack_and_write(const experiment::Study& study, engine::Engine& engine, const RunOptions& options,
                         const MakeExtras& make_extras, const std::string& target, const std::string& temporary,
                         StageClock& clock) {
  const engine::LoadOptions& load_options = options.load;
  const engine::Loaded& loaded = engine.loaded();
  clock.start("attack");
  results::ResultTables tables(study, loaded.dataset, {1, load_options.buffers(), temporary, load_options.stop});
  report::DocumentBuilder document(study, loaded.dataset);
  engine::Sink sink;
  sink.release = [&](const goal::ReleaseResult& release) { tables.take(release); };
  sink.measurement = [&](const goal::GoalEntry& goal, const goal::Measurement& measurement) {
    tables.take(goal, measurement);
    if (goal.of_errors) document.take(measurement);
  };
  std::optional<results::Checkpoint> parts;
  if (options.resume) {
    parts.emplace(target, results_key(study, loaded.provenance));
    sink.part = [&](const std::string& part, const auto& work, const goal::Emit& emit) {
      if (!parts->replay(part, emit)) parts->record(part, work, emit);
    };
  }
  engine.run(study, load_options, sink);

  clock.start("report");
  if (load_options.progress) load_options.progress("writing", 0, 0);
  results::ResultFolder folder(target);
  std::vector<results::ResultFile> files = tables.write(folder);
  Extras extras = make_extras ? make_extras(loaded.dataset, tables, folder) : Extras{};
  for (results::ResultFile& file : extras.files) files.push_back(std::move(file));
  if (!document.places().empty()) files.push_back(tables.write_rois(folder, document.places()));
  const results::Json report = document.json(loaded.provenance, options.study_name, tables, extras.paper);
  // Text from the data, such as a file name, need not be UTF-8.
  folder.write_text(report::kDocumentName, report.dump(-1, ' ', false, results::Json::error_handler_t::replace) + "\n");
  folder.write_text(report::kPageName, report::page_html(report));
  files.push_back(folder.describe(report::kDocumentName, 1));
  files.push_back(folder.describe(report::kPageName, 1));
  clock.stop();
  const results::Json manifest =
      results::manifest_json({study, options.study_name, loaded, load_options.threads, tables, files, clock});
  folder.write_text(results::kManifestName,
                    manifest.dump(kIndent, ' ', false, results::Json::error_handler_t::replace) + "\n");
  folder.put_in_place();
  if (parts) {
    parts->discard();
  } else {
    results::remove_parts(target);
  }

  return {
      .folder = options.out,
      .files = std::move(files),
      .summary = tables.summary(),
      .releases = tables.releases(),
      .findings = report["findings"],
      .metric = study.adversary.metric,
      .provenance = loaded.provenance,
      .users = loaded.dataset.crowd().users,
      .rois = loaded.dataset.rois().size(),
      .period_seconds = std::uint64_t{loaded.dataset.calendar().inference()} * loaded.dataset.calendar().epoch_seconds,
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
  const std::string target = results::checked_result_path(options.out);
  results::tidy_result_place(target);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  return or_cancelled(options.load.stop, [&] {
    engine::Engine engine(engine::load(study, options.load, temporary.path(), clock), false);
    return attack_and_write(study, engine, options, make_extras, target, temporary.path(), clock);
  });
}

Outcome run_study(const experiment::Study& study, const RunOptions& options) {
  return run_study(study, options, MakeExtras{});
}

Outcome run_study(const experiment::Study& study, engine::Engine& engine, const RunOptions& options) {
  const std::string target = results::checked_result_path(options.out);
  results::tidy_result_place(target);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  return or_cancelled(options.load.stop,
                      [&] { return attack_and_write(study, engine, options, {}, target, temporary.path(), clock); });
}

}  // namespace hearsay::job
