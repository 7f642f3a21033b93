// SPDX-License-Identifier: Apache-2.0
#include "studio/session.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "advice/advice.h"
#include "base/errors.h"
#include "experiment/presets.h"
#include "experiment/release_command.h"
#include "job/report_on.h"
#include "release/worth.h"
#include "report/document_entries.h"
#include "results/parse_json.h"
#include "studio/settings.h"

namespace hearsay::studio {
namespace {

using Clock = std::chrono::steady_clock;

results::Json error_event(const std::string& message, const std::string& key) {
  return {{"event", "error"}, {"message", message}, {"key", key.empty() ? results::Json() : results::Json(key)}};
}

// Whether what it gives still is visits, so that it comes before the others.
bool gives_visits(const release::StepEntry& entry) {
  Parameters given(entry.info.name);
  for (const ParameterInfo& one : entry.info.parameters) {
    if (one.default_value.empty() && one.usual) given.set(one.name, fmt::format("{}", one.usual->from));
  }
  try {
    return release::make_step(entry, given)->gives_visits();
  } catch (const ConfigError&) {
    return false;  // asks for something else: it is one that changes counts
  }
}

results::Json step_json(const release::StepEntry& entry) {
  results::Json json = report::info_json(entry.info);
  results::Json parameters = results::Json::array();
  for (const ParameterInfo& one : entry.info.parameters) {
    results::Json parameter = {{"name", one.name}, {"summary", one.summary}};
    parameter["default"] = one.default_value.empty() ? results::Json() : results::Json(one.default_value);
    parameter["alternative"] = one.alternative.empty() ? results::Json() : results::Json(one.alternative);
    parameter["slider"] = nullptr;
    if (one.usual) {
      parameter["slider"] = {{"from", one.usual->from},
                             {"to", one.usual->to},
                             {"scale", one.usual->by_factor ? "log" : "linear"},
                             {"whole", one.usual->whole}};
    }
    parameter["choices"] = one.choices.empty() ? results::Json() : results::Json(one.choices);
    parameters.push_back(std::move(parameter));
  }
  json["parameters"] = std::move(parameters);
  json["gives_visits"] = gives_visits(entry);
  return json;
}

}  // namespace

Session::Session(engine::Engine& engine, experiment::Study base, std::string file, engine::LoadOptions options)
    : engine_(engine),
      base_(std::move(base)),
      file_(std::move(file)),
      options_(std::move(options)),
      known_(results::facts_of(engine.loaded().dataset, base_)) {}

results::Json Session::about() const {
  const experiment::Registry& known = base_.registry;
  results::Json json = {{"hearsay", version()}, {"title", base_.data.name}, {"file", file_}};
  json["dataset"] = results::dataset_json(base_, known_.data);
  const results::Json entries = report::entries_json(base_);
  json["priors"] = entries["priors"];
  json["attacks"] = entries["attacks"];
  json["goals"] = report::goals_json(study_of(base_, results::Json::object()));  // also of a study that names none
  json["steps"] = results::Json::array();
  for (const release::StepEntry* entry : known.steps) json["steps"].push_back(step_json(*entry));
  json["presets"] = results::Json::array();
  for (const experiment::Preset& preset : experiment::all_presets()) {
    json["presets"].push_back(report::info_json(preset.info));
    json["presets"].back()["steps"] = preset.steps;
  }
  json["post_process"] = release::post_process_names();
  json["epoch_seconds"] = base_.data.period.epoch_seconds;
  const auto* grid = std::get_if<ingest::Grid>(&base_.data.rois);
  json["places"] = grid == nullptr ? results::Json() : results::Json{{"rows", grid->rows}, {"cols", grid->cols}};
  json["zones"] = base_.data.shape().zones;
  json["settings"] = first_settings(base_);
  return json;
}

bool Session::mostly_noise(const experiment::Study& study) {
  if (!raw_) raw_.emplace(engine_.loaded().dataset.truth(), base_.data.population, options_.threads);
  return release::mostly_noise(study.published->chain, *raw_);
}

results::Json Session::report(const results::Json& settings, const engine::LoadOptions& options) {
  const Clock::time_point began = Clock::now();
  const experiment::Study study = study_of(base_, settings);
  job::Report found = job::report_on(study, engine_, known_, options, std::filesystem::path(file_).filename().string());
  results::Json command;
  std::vector<std::string> notes;
  std::vector<std::string> unsafe;
  if (study.published) {
    const release::Guarantee& promised = found.releases.front().guarantee;
    unsafe = experiment::reasons_against(study, promised);
    experiment::ReleaseCommand publishes =
        experiment::release_command(file_, study, *study.published, promised, mostly_noise(study));
    command = std::move(publishes.line);
    notes = std::move(publishes.notes);
  }
  const std::chrono::duration<double> seconds = Clock::now() - began;
  return {{"event", "report"},         {"report", std::move(found.document)},
          {"toml", study.as_run},      {"command", command},
          {"command_notes", notes},    {"unsafe", unsafe},
          {"seconds", seconds.count()}};
}

results::Json Session::advice(const results::Json& request, const engine::LoadOptions& options) {
  const auto number = [](const results::Json& value, const std::string& key) {
    if (!value.is_number()) throw ConfigError(key, value.dump(), "must be a number");
    return value.get<double>();
  };
  results::Json settings = results::Json::object();
  advice::Limits limits;
  advice::Options advised{.load = options, .study_name = file_};
  if (!request.is_object()) throw ConfigError("advise", "", "must be an object");
  for (const auto& [key, value] : request.items()) {
    if (key == "settings") {
      settings = value;
    } else if (key == "seconds") {
      advised.budget_seconds = number(value, key);
    } else if (key == "limits") {
      if (!value.is_object()) throw ConfigError(key, value.dump(), "must be an object");
      for (const auto& [limit, allowed] : value.items()) {
        std::optional<double>* known = limit == "own_loss"     ? &limits.own_loss
                                       : limit == "membership" ? &limits.membership
                                       : limit == "mae"        ? &limits.mae
                                                               : nullptr;
        if (known == nullptr) {
          throw ConfigError("limits", limit, "is not known; there are own_loss, membership and mae");
        }
        *known = number(allowed, limit);
      }
    } else {
      throw ConfigError("advise", key, "is not known; there are settings, limits and seconds");
    }
  }
  // The study's own game, whether or not the page plays it.
  if (settings.is_object()) settings["membership"] = true;
  experiment::Study study = study_of(base_, settings);
  if (study.published) study.defences = {*study.published};
  study.published.reset();
  advised.seed = study.seed;
  return {{"event", "advice"}, {"advice", advice::advice_json(advice::advise(engine_, study, limits, advised))}};
}

void Session::run(Wish wish, const std::string& body, const Tell& tell, const std::stop_token& stop) {
  engine::LoadOptions options = options_;
  options.stop = stop;
  options.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t all) {
    tell({{"event", "progress"}, {"stage", stage}, {"done", done}, {"all", all}});
  };
  try {
    const std::optional<results::Json> asked = results::parse_json(body);
    if (!asked) throw ConfigError("settings", "", "must be JSON");
    tell(wish == Wish::kAdvice ? advice(*asked, options) : report(*asked, options));
  } catch (const Cancelled&) {
  } catch (const ConfigError& error) {
    tell(error_event(error.what(), error.parameter()));
  } catch (const std::exception& error) {
    tell(error_event(error.what(), ""));
  }
}

}  // namespace hearsay::studio
