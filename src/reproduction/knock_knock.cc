// SPDX-License-Identifier: Apache-2.0
#include "reproduction/knock_knock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "base/text_table.h"
#include "report/paper_figures.h"
#include "reproduction/reproduction.h"
#include "results/manifest.h"
#include "storage/database.h"

namespace hearsay::reproduction {
namespace {

constexpr std::array<std::size_t, 4> kSubsetGroups = {5, 10, 50, 100};
constexpr std::array<std::size_t, 6> kPastGroups = {5, 10, 50, 100, 300, 500};

std::vector<Setting> settings_of(const KnockKnockGame& game) {
  std::vector<Setting> settings;
  settings.reserve(kSubsetGroups.size() + 2 * kPastGroups.size());
  for (const std::size_t group : kSubsetGroups) {
    settings.push_back({Prior::kSubset, group, game.subset_practice, game.subset_tests});
  }
  for (const std::size_t group : kPastGroups) settings.push_back({Prior::kSame, group, game.same, game.same});
  for (const std::size_t group : kPastGroups) {
    settings.push_back({Prior::kDifferent, group, game.different_practice, game.different_tests});
  }
  return settings;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

// Tells how far it is, from whatever thread, when another percent is done.
class Counter {
 public:
  Counter(const Progress& progress, std::uint64_t total) : progress_(progress), total_(total) {}
  void one_more() {
    const std::scoped_lock lock(mutex_);
    ++done_;
    if (progress_ && done_ * 100 / total_ != (done_ - 1) * 100 / total_) progress_("playing", done_, total_);
  }

 private:
  const Progress& progress_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::mutex mutex_;
};

void add_paper(KnockKnockRow& row, const std::vector<report::KnockKnockFigure>& figures) {
  for (const report::KnockKnockFigure& figure : figures) {
    if (figure.prior != prior_name(row.setting.prior) || figure.group != row.setting.group || figure.metric != "auc") {
      continue;
    }
    if (figure.classifier == "BEST") row.paper_best = figure.value;
    if (figure.classifier == "LR") row.paper_logistic = figure.value;
  }
}

std::string shown(const std::optional<double>& value, const char* form = "{:.2f}") {
  return value ? fmt::format(fmt::runtime(form), *value) : "";
}

TextTable table_of(const KnockKnock& found) {
  TextTable table({{"prior"},
                   {"group", true},
                   {"NDSS best", true},
                   {"NDSS LR", true},
                   {"LEARNED", true},
                   {"diff", true},
                   {"LIKELIHOOD", true},
                   {"note"}});
  for (const KnockKnockRow& row : found.rows) {
    table.add({prior_name(row.setting.prior), fmt::format("{}", row.setting.group), shown(row.paper_best),
               shown(row.paper_logistic), fmt::format("{:.3f}", row.median_learned()),
               shown(row.difference(), "{:+.3f}"), fmt::format("{:.3f}", row.median_likelihood()),
               difference_note(row)});
  }
  return table;
}

std::string verdict(const KnockKnock& found) {
  const auto close = std::count_if(found.rows.begin(), found.rows.end(), [](const KnockKnockRow& row) {
    return row.difference() && std::fabs(*row.difference()) <= kCloseArea;
  });
  std::string text = fmt::format(
      "Medians over {} targets of the area under the curve. LEARNED is within {} of their logistic regression in {} of "
      "{} rows.\n",
      found.targets, kCloseArea, close, found.rows.size());
  for (const Setting& setting : found.not_run) {
    text += fmt::format("Not run, too few cabs: {}, groups of {}.\n", prior_name(setting.prior), setting.group);
  }
  return text;
}

std::string method(const KnockKnock& found) {
  const KnockKnockGame& game = found.game;
  return fmt::format(
      "As NDSS 2018: {} targets, as many from each third of the cabs by the number of ROIs they visited; raw hourly "
      "counts of a week (168 h); groups half of which hold the target. `subset`: she knows where a fifth of all cabs "
      "were, the target among them, practises on groups of these and is asked about groups of the others and the "
      "target. `same_groups`: {} groups whose counts of the two weeks before she knows, and whether the target was in "
      "them; she is asked about the third week of the same. `different_groups`: {} such groups, and {} others to "
      "tell. LEARNED: seven statistics of the counts of each ROI, logistic regression.\n\n"
      "Chosen here: {} groups of the known fifth to practise on and {} to tell; each of the two weeks is an example of "
      "its own; features standardised, cost 1. The box of the grid is that of `reproduce sfc`.\n\n"
      "LIKELIHOOD learns nothing from groups: under `subset` it is given the target's trace and the known fifth, under "
      "the others how often the target was at each place at each hour of the day in the two weeks before, and nothing "
      "of the crowd. `NDSS best` is the median of the best of four classifiers for each target, and so lies above each "
      "of them.\n",
      found.targets, game.same, game.different_practice, game.different_tests, game.subset_practice, game.subset_tests);
}

void write_csv(const KnockKnock& found, const std::string& path) {
  const TemporaryFolder temporary("", "hearsay-");
  storage::Database database({1, 0, temporary.path()});
  database.execute(
      "CREATE TABLE knock_knock (prior VARCHAR, \"group\" BIGINT, ndss_best DOUBLE, ndss_lr DOUBLE, learned DOUBLE, "
      "learned_p25 DOUBLE, learned_p75 DOUBLE, likelihood DOUBLE, likelihood_p25 DOUBLE, likelihood_p75 DOUBLE, "
      "difference DOUBLE, note VARCHAR)");
  storage::Appender rows(database, "knock_knock");
  const auto append = [&rows](const std::optional<double>& value) { value ? rows.append(*value) : rows.append_null(); };
  for (const KnockKnockRow& row : found.rows) {
    rows.append(prior_name(row.setting.prior));
    rows.append(static_cast<std::int64_t>(row.setting.group));
    append(row.paper_best);
    append(row.paper_logistic);
    for (const std::vector<double>* areas : {&row.learned, &row.likelihood}) {
      for (const double share : {0.5, 0.25, 0.75}) rows.append(quantile(*areas, share));
    }
    append(row.difference());
    const std::string note = difference_note(row);
    note.empty() ? rows.append_null() : rows.append(note);
    rows.end_row();
  }
  rows.finish();
  database.copy_to("FROM knock_knock", path, storage::FileFormat::kCsv);
}

results::Json manifest_of(const experiment::Study& study, const engine::Loaded& loaded, const KnockKnockOutcome& done) {
  const KnockKnockGame& game = done.found.game;
  results::Json manifest;
  manifest["hearsay"] = version();
  manifest["schema"] = results::kManifestSchema;
  manifest["study"] = {{"name", "reproduce knock-knock"}};
  manifest["settings"] = {{"seed", game.seed},
                          {"targets", done.found.targets},
                          {"subset_practice", game.subset_practice},
                          {"subset_tests", game.subset_tests},
                          {"same", game.same},
                          {"different_practice", game.different_practice},
                          {"different_tests", game.different_tests}};
  manifest["dataset"] = results::dataset_json(study, results::size_of(loaded.dataset));
  manifest["input"] = results::input_json(loaded.provenance);
  manifest["warnings"] = loaded.provenance.warnings;
  manifest["files"] = results::Json::array();
  for (const results::ResultFile& file : done.files) {
    manifest["files"].push_back({{"name", file.name}, {"bytes", file.bytes}, {"rows", file.rows}});
  }
  manifest["seconds"] = done.seconds;
  manifest["peak_bytes"] = done.peak_bytes;
  return manifest;
}

}  // namespace

double KnockKnockRow::median_learned() const {
  return quantile(learned, 0.5);
}

double KnockKnockRow::median_likelihood() const {
  return quantile(likelihood, 0.5);
}

std::optional<double> KnockKnockRow::difference() const {
  if (!paper_logistic) return std::nullopt;
  return median_learned() - *paper_logistic;
}

KnockKnock play_knock_knock(const dataset::Dataset& dataset, const KnockKnockGame& game,
                            const engine::LoadOptions& options) {
  const Weeks weeks(dataset, options.threads);
  const std::vector<std::uint32_t> targets = targets_by_mobility(weeks, game.targets, game.seed);
  KnockKnock found;
  found.game = game;
  found.targets = targets.size();
  for (const Setting& setting : settings_of(game)) {
    if (!has_room(setting, weeks.users())) {
      found.not_run.push_back(setting);
      continue;
    }
    KnockKnockRow row;
    row.setting = setting;
    row.over_half = 2 * setting.group > weeks.users();
    row.learned.resize(targets.size());
    row.likelihood.resize(targets.size());
    add_paper(row, report::knock_knock_figures());
    found.rows.push_back(std::move(row));
  }
  const std::size_t pieces = found.rows.size() * targets.size();
  Counter counter(options.progress, pieces);
  // The largest groups, which take longest, first.
  parallel_for(pieces, options.threads, [&](std::size_t piece, std::size_t) {
    if (options.stop.stop_requested()) throw Cancelled();
    KnockKnockRow& row = found.rows[found.rows.size() - 1 - piece / targets.size()];
    const std::size_t target = piece % targets.size();
    const Areas areas = play(weeks, row.setting, targets[target], game.seed);
    row.learned[target] = areas.learned;
    row.likelihood[target] = areas.likelihood;
    counter.one_more();
  });
  return found;
}

std::string difference_note(const KnockKnockRow& row) {
  const std::optional<double> difference = row.difference();
  if (!difference || std::fabs(*difference) <= kCloseArea) return "";
  if (row.setting.prior == Prior::kSubset) return "how many groups they practised on is chosen here";
  if (row.over_half) return "more than half of all cabs; why theirs tells less is not known";
  return "not known why";
}

std::string knock_knock_text(const KnockKnock& found) {
  return table_of(found).aligned() + "\n" + verdict(found);
}

std::string knock_knock_markdown(const KnockKnock& found) {
  return fmt::format("# Knock knock, run again\n\n{}\n{}\n## How it was played\n\n{}", verdict(found),
                     table_of(found).markdown(), method(found));
}

KnockKnockOutcome reproduce_knock_knock(const std::string& data, const std::string& out, const KnockKnockGame& game,
                                        const engine::LoadOptions& options) {
  const std::string target = results::checked_result_path(out);
  results::tidy_result_place(target);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  const experiment::Study study = san_francisco_study(data);
  const engine::Loaded loaded = engine::load(study, options, temporary.path(), clock);
  const std::size_t cabs = loaded.dataset.crowd().users;
  if (cabs <= kPastGroups[0]) {
    throw InputError({data, 0, ""},
                     fmt::format("{} cabs in these weeks: too few for groups of {}", cabs, kPastGroups[0]));
  }
  clock.start("play");
  KnockKnockOutcome done;
  done.found = play_knock_knock(loaded.dataset, game, options);
  done.warnings = loaded.provenance.warnings;
  clock.stop();
  done.seconds = clock.seconds();
  done.peak_bytes = clock.peak_bytes();
  results::ResultFolder folder(target);
  write_csv(done.found, folder.path_of("knock_knock.csv"));
  folder.write_text("knock_knock.md", knock_knock_markdown(done.found));
  done.files = {folder.describe("knock_knock.csv", done.found.rows.size()),
                folder.describe("knock_knock.md", done.found.rows.size())};
  folder.write_text(
      results::kManifestName,
      manifest_of(study, loaded, done).dump(2, ' ', false, results::Json::error_handler_t::replace) + "\n");
  folder.put_in_place();
  return done;
}

}  // namespace hearsay::reproduction
