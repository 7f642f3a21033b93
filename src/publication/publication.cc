// SPDX-License-Identifier: Apache-2.0
#include "publication/publication.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/civil_time.h"
#include "base/errors.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "experiment/presets.h"
#include "publication/ledger.h"
#include "publication/protected_unit.h"
#include "publication/publishing_step.h"
#include "publication/release_files.h"
#include "results/manifest.h"
#include "results/result_folder.h"
#include "storage/csv_text.h"
#include "storage/database.h"

namespace hearsay::publication {
namespace {

release::Chain chain_of_mechanism(const PublicationRequest& request,
                                  const std::vector<const release::StepEntry*>& steps) {
  const release::StepEntry& entry = release::step_named("--mechanism", request.mechanism, steps);
  std::vector<std::string> known;
  for (const ParameterInfo& parameter : entry.info.parameters) known.push_back(parameter.name);
  std::vector<std::string> given(known.size());
  for (const std::string& text : request.parameters) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto place = std::find(known.begin(), known.end(), name);
    if (equals == std::string::npos) throw ConfigError("--parameter", text, "must be name=value");
    if (place == known.end()) throw ConfigError("--parameter", text, "no such parameter" + suggestion(name, known));
    given[static_cast<std::size_t>(place - known.begin())] = text.substr(equals + 1);
  }
  Parameters parameters(entry.info.name);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!given[i].empty()) parameters.set(known[i], given[i]);
  }
  release::Chain chain;
  chain.add(entry, parameters);
  return chain;
}

release::Chain choose(const PublicationRequest& request, const experiment::Study& study) {
  if (request.post_process == release::PostProcess::kPaper) {
    throw ConfigError("--post-process", "paper", "is for studies: it clamps to the number of users, read off the data");
  }
  const int ways =
      (request.mechanism.empty() ? 0 : 1) + (request.steps.empty() ? 0 : 1) + (request.preset.empty() ? 0 : 1);
  if (ways != 1) throw ConfigError("--mechanism", request.mechanism, "give one of --mechanism, --step and --preset");
  if (request.mechanism.empty() && !request.parameters.empty()) {
    throw ConfigError("--parameter", request.parameters.front(),
                      "belongs to --mechanism; a step has its own: --step \"NAME(parameter=value)\"");
  }
  const std::vector<const release::StepEntry*>& known = study.registry.steps;
  release::Chain chain = !request.mechanism.empty() ? chain_of_mechanism(request, known)
                         : !request.steps.empty()   ? experiment::chain_of("--step", request.steps, known)
                                                    : experiment::chain_of_preset("--preset", request.preset, known);
  chain.check(study.data.shape());
  return chain;
}

// The name under which the budget is kept.
std::string account_of(const experiment::Study& study, const PublicationRequest& request) {
  constexpr std::size_t kLongest = 100;
  const std::string& name = request.account.empty() ? study.data.account : request.account;
  if (name.empty()) {
    throw ConfigError("data.account", "",
                      "is not set: name the people whose budget the release spends, such as account = \"riders\" in "
                      "[data] (or --account riders), and use the same name for all data about them");
  }
  if (name.size() > kLongest || one_line(name) != name) {
    throw ConfigError("data.account", name, fmt::format("must be one line of at most {} bytes", kLongest));
  }
  return name;
}

// What is published: counts, which of them are missing, and the noisy counts that intervals are around.
struct Counts {
  release::Draft draft;
  release::CountMatrix noisy;
  std::optional<double> half_width;
};

// The zone, or the ids of the study's places, of each published one.
std::vector<std::string> place_names(const release::Geometry& geometry, const std::vector<ingest::Roi>& rois) {
  std::vector<std::string> names(geometry.places);
  for (std::size_t fine = 0; fine < rois.size(); ++fine) {
    std::string& name = names[geometry.place_of[fine]];
    if (geometry.places < rois.size() && !rois[fine].zone.empty()) {
      name = rois[fine].zone;
    } else {
      name += (name.empty() ? "" : "+") + rois[fine].id;
    }
  }
  return names;
}

void write_counts(storage::Database& database, const experiment::Study& study, const dataset::Dataset& dataset,
                  const Counts& published, const std::string& path, const std::string& guarantee, bool fractions) {
  constexpr double kLargest = 0x1p62;
  const bool csv = path.ends_with(".csv");
  const release::CountMatrix& counts = published.draft.counts();
  const release::Geometry& geometry = published.draft.geometry();
  const std::vector<std::string> names = place_names(geometry, dataset.rois());
  database.execute(fmt::format("CREATE TABLE counts (roi VARCHAR, time VARCHAR, count {}, low DOUBLE, high DOUBLE)",
                               fractions ? "DOUBLE" : "BIGINT"));
  storage::Appender rows(database, "counts");
  auto missing = published.draft.missing().begin();
  for (std::size_t epoch = 0; epoch < counts.epochs(); ++epoch) {
    const auto first = std::find(geometry.epoch_of.begin(), geometry.epoch_of.end(), epoch) - geometry.epoch_of.begin();
    const std::string time = format_civil(study.start_of(study.data.observe + static_cast<std::size_t>(first)));
    for (std::size_t roi = 0; roi + 1 < counts.rois(); ++roi) {
      rows.append(csv ? storage::csv_text(names[roi]) : names[roi]);
      rows.append(time);
      const double count = counts.series(roi)[epoch];
      bool gone = false;
      for (; missing != published.draft.missing().end() && missing->epoch == epoch && missing->place == roi;
           ++missing) {
        gone = true;
      }
      if (gone) {
        for (int column = 0; column < 3; ++column) rows.append_null();
        rows.end_row();
        continue;
      }
      if (fractions) {
        rows.append(count);
      } else {
        rows.append(static_cast<std::int64_t>(std::clamp(count, -kLargest, kLargest)));
      }
      for (const int side : {-1, 1}) {
        if (!published.half_width) {
          rows.append_null();
        } else {
          // What was counted is a whole number.
          const double end = published.noisy.series(roi)[epoch] + side * *published.half_width;
          rows.append(std::max(0.0, side < 0 ? std::ceil(end) : std::floor(end)));
        }
      }
      rows.end_row();
    }
    while (missing != published.draft.missing().end() && missing->epoch == epoch) ++missing;  // null's
  }
  rows.finish();
  if (csv) {
    database.copy_to("FROM counts", path, storage::FileFormat::kCsv);
    return;
  }
  database.execute("COPY (FROM counts) TO $1 (FORMAT parquet, COMPRESSION zstd, KV_METADATA {hearsay: $2})",
                   {path, guarantee});
}

results::Json a_year_json(const std::optional<release::AYear>& year) {
  if (!year) return nullptr;
  return {{"times", year->times},
          {"times_with_a_unit", year->meets},
          {"epsilon", year->epsilon},
          {"delta", year->delta},
          {"meaning", year->sentence}};
}

const char* interval_text(bool known, bool leaves_out) {
  if (!known) return "not known";
  if (!leaves_out) return "low to high hold the count before noise in at least 95 of 100 cases; they are never below 0";
  return "low to high hold the count before noise in at least 95 of 100 cases; they are never below 0. They cover the "
         "noise only: that count already lacks the visits that earlier steps left out";
}

// To be published with the counts: no hash of the data, which would confirm a guess at it, and nothing computed from
// the true counts.
results::Json guarantee_json(const experiment::Study& study, const release::Chain& chain,
                             const PublicationOutcome& outcome, const release::Draft& prepared,
                             release::PostProcess post_process) {
  const std::optional<release::Noise>& noise = outcome.worth.noise;
  results::Json json;
  json["hearsay"] = version();
  json["sound"] = outcome.reasons.empty();
  if (!outcome.reasons.empty()) json["unsafe"] = outcome.reasons;
  json["mechanism"] = chain.name();
  json["parameter"] = chain.parameter();
  json["epsilon"] = outcome.reasons.empty() ? results::Json(*outcome.guarantee.epsilon) : results::Json();
  json["delta"] = outcome.reasons.empty() ? results::Json(outcome.guarantee.delta) : results::Json();
  json["rho"] =
      outcome.reasons.empty() && outcome.guarantee.rho ? results::Json(*outcome.guarantee.rho) : results::Json();
  json["unit"] = outcome.reasons.empty() ? outcome.guarantee.unit : "none";
  json["other_units"] =
      outcome.reasons.empty() ? results::claims_json(outcome.guarantee.others) : results::Json::array();
  json["note"] = outcome.guarantee.note;
  json["a_year"] = a_year_json(outcome.a_year);
  json["steps"] = chain.steps();
  json["places"] = prepared.geometry().places;
  json["epochs"] = prepared.geometry().epochs;
  json["share_of_people"] = prepared.geometry().share;
  json["population"] = study.data.population ? results::Json(*study.data.population) : results::Json();
  json["noise"] = fmt::format("{}discrete, from the operating system's secure source",
                              noise ? noise->description + "; " : std::string());
  json["noise_scale"] = noise && noise->scale ? results::Json(*noise->scale) : results::Json();
  json["noise_standard_deviation"] = noise ? results::Json(noise->deviation) : results::Json();
  json["expected_absolute_error"] =
      noise ? results::Json(noise->absolute_error) : results::Json();  // before post-processing
  const std::optional<double> half_width = noise ? noise->half_width : std::nullopt;
  json["half_width_95"] = half_width ? results::Json(*half_width) : results::Json();
  json["interval"] = interval_text(half_width.has_value(), chain.leaves_out());
  json["post_process"] = release::name_of(post_process);
  json["post_processing"] = release::meaning_of(post_process);
  json["dataset"] = study.data.name;
  json["timezone"] = outcome.provenance.timezone;
  json["epoch_seconds"] = prepared.reach().epoch_seconds();
  return json;
}

void refuse(const release::Chain& chain, const std::vector<std::string>& reasons) {
  throw ConfigError(
      "--mechanism", fmt::format("{} {}", chain.name(), chain.parameter()),
      fmt::format("has no sound guarantee here: {} (--unsafe publishes it anyway)", fmt::join(reasons, " ")));
}

void refuse_noise(const release::Chain& chain, const release::Worth& worth) {
  throw ConfigError("--mechanism", fmt::format("{} {}", chain.name(), chain.parameter()),
                    fmt::format("the counts would be mostly noise: each off by about {:.4g}, where those above 0 are "
                                "{:.4g} on average; count larger places or longer epochs, spend a larger epsilon, or "
                                "publish them anyway with --yes (accept_noise=True)",
                                worth.noise_error, worth.typical_count()));
}

// Epsilon says nothing of what happens with chance delta, so the chance must be small: for each release, and for all of
// an account together.
void check_delta(const PublicationRequest& request, const Account& account, std::size_t people) {
  constexpr double kRoundedUp = 1 + 1e-9;
  if (request.allow_large_delta || account.releases.back().delta == 0) return;
  const double one_of_them = 1 / static_cast<double>(std::max<std::size_t>(1, people));
  const double limit = std::min(release::kLargestDelta, one_of_them);
  const double delta = account.delta();
  if (delta <= limit * kRoundedUp) return;
  const std::string most =
      limit < release::kLargestDelta ? "1 / the number of people" : fmt::format("{:g}", release::kLargestDelta);
  const std::string whose = account.releases.back().delta < delta * (1 - 1e-9)
                                ? fmt::format("is what all releases of account {} come to, ", account.name)
                                : std::string("is ");
  throw ConfigError("delta", fmt::format("{:g}", delta),
                    fmt::format("{}more than {}: with that chance epsilon does not hold, and people may be given away "
                                "outright. Give a smaller delta, or publish it anyway with --allow-large-delta "
                                "(allow_large_delta=True)",
                                whose, most));
}

// What can be told before the data is read, which may take long.
void check_request(const experiment::Study& study, const PublicationRequest& request) {
  const std::string account = account_of(study, request);
  if (request.budget && !(*request.budget > 0 && std::isfinite(*request.budget))) {
    throw ConfigError("--budget", fmt::format("{}", *request.budget), "must be a number above 0");
  }
  const ReleaseFiles files(request.out);
  files.check_free();
  files.tidy();
  choose(request, study);
  const std::string folder = ledger_folder(request.ledger);
  files.check_folder(folder);
  Ledger(folder).check_budget(account, request.budget);
}

// Spends, then writes the files in a folder of their own, then gives them their names. Counts are on the disk only
// while the ledger has them. Where they cannot be written, they are removed, and their entry is taken back.
void book_and_write(Ledger& ledger, const Posting& posting, const ReleaseFiles& files, const std::string& staging,
                    const std::function<void(const std::string& counts, const std::string& guarantee)>& write) {
  namespace fs = std::filesystem;
  const fs::path place = fs::path(staging) / "new";
  fs::create_directory(place);
  const std::string counts = (place / files.counts.filename()).string();
  const std::string guarantee = (place / "guarantee.json").string();
  reached(PublishingStep::kBeforeBooking);
  ledger.spend(posting);
  reached(PublishingStep::kBooked);
  try {
    write(counts, guarantee);
    reached(PublishingStep::kCountsWritten);
    files.put_in_place(counts, guarantee);
  } catch (...) {
    std::error_code stays;
    fs::remove_all(place, stays);
    try {
      if (!stays) ledger.take_back();
    } catch (const std::exception&) {  // the entry stays, which is safe, and what went wrong first is said
    }
    throw;
  }
}

PublicationOutcome publish_checked(const experiment::Study& study, const engine::Loaded& loaded,
                                   const PublicationRequest& request, const engine::LoadOptions& options) {
  const ReleaseFiles files(request.out);
  const release::Chain chain = choose(request, study);
  const release::Draft draft(loaded.dataset.truth(), study.data.population, options.threads);
  const auto noise = release::publishing_noise();
  const release::Draft prepared = chain.prepare(draft, *noise);

  PublicationOutcome outcome;
  outcome.parameter = chain.parameter();
  outcome.provenance = loaded.provenance;
  outcome.guarantee = chain.guarantee(prepared);
  outcome.reasons = experiment::reasons_against(study, outcome.guarantee);
  for (const auto& found : loaded.provenance.found) {
    outcome.reasons.push_back(fmt::format(
        "How the rows are read was found from the rows, where one row can decide for all: write {} = {} into [data].",
        found.key.substr(found.key.find('.') + 1), found.value));
  }
  if (!outcome.reasons.empty() && !request.unsafe) refuse(chain, outcome.reasons);
  const bool sound = outcome.reasons.empty();
  if (sound) {
    const dataset::Truth truth = loaded.dataset.truth();
    outcome.a_year = release::a_year(outcome.guarantee, std::uint64_t{truth.epochs()} * truth.epoch_seconds());
  }
  const Posting posting{
      account_of(study, request),
      data_fingerprints(loaded),
      request.budget,
      request.new_data,
      request.mix_units,
      {files.counts.string(), chain.name(), chain.parameter(), sound ? outcome.guarantee.epsilon : std::nullopt,
       sound ? protected_unit(outcome.guarantee.unit, prepared, loaded.dataset.rois()) : "none",
       sound ? outcome.guarantee.delta : 0}};
  const std::string folder = ledger_folder(request.ledger);
  // What cannot be paid for needs no further word.
  check_delta(request, Ledger(folder).with(posting), draft.people());
  const release::Worth worth = outcome.worth = release::measure_worth(chain, draft, request.post_process);
  if (request.preview) request.preview(worth);
  if (worth.mostly_noise() && !request.accept_noise) refuse_noise(chain, worth);

  Ledger ledger(folder);
  files.check_free();  // again: another process may have published while this one read or waited for the ledger
  outcome.account = ledger.with(posting);
  check_delta(request, outcome.account, draft.people());
  outcome.ledger = ledger.folder();

  release::CountMatrix noisy = prepared.counts();
  const release::Draft finished = chain.finish(prepared, *noise, &noisy);
  release::CountMatrix counts = finished.counts();
  release::post_process(counts, request.post_process, draft.users());
  const Counts published{finished.with_counts(std::move(counts)), std::move(noisy),
                         worth.noise ? worth.noise->half_width : std::nullopt};
  const results::Json guarantee = guarantee_json(study, chain, outcome, prepared, request.post_process);
  files.make_folder();
  const TemporaryFolder staging(files.folder().string(), kStagingPrefix);
  storage::Database database({});
  const auto write = [&](const std::string& counts_file, const std::string& guarantee_file) {
    const auto text = [&](int indent) {
      return guarantee.dump(indent, ' ', false, results::Json::error_handler_t::replace);
    };
    write_counts(database, study, loaded.dataset, published, counts_file, text(-1),
                 request.post_process == release::PostProcess::kNone);
    results::write_text_file(guarantee_file, text(2) + "\n");
  };
  if (options.stop.stop_requested()) throw Cancelled();
  // An interrupt waits until this is done, so that it never spends from the budget for counts that do not appear.
  without_removal([&] { book_and_write(ledger, posting, files, staging.path(), write); });
  results::sync_path(files.folder().string());
  outcome.file = request.out;
  outcome.guarantee_file = request.out + ".guarantee.json";
  outcome.rows = static_cast<std::uint64_t>(prepared.geometry().epochs * prepared.geometry().places);
  return outcome;
}

}  // namespace

PublicationOutcome publish(const experiment::Study& study, const PublicationRequest& request,
                           const engine::LoadOptions& options) {
  check_request(study, request);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  return publish_checked(study, engine::load(study, options, temporary.path(), clock), request, options);
}

PublicationOutcome publish(const experiment::Study& study, const engine::Loaded& loaded,
                           const PublicationRequest& request, const engine::LoadOptions& options) {
  check_request(study, request);
  return publish_checked(study, loaded, request, options);
}

}  // namespace hearsay::publication
