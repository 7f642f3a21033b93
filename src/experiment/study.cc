// SPDX-License-Identifier: Apache-2.0
#include "experiment/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <numbers>

#include "base/civil_time.h"
#include "base/errors.h"
#include "base/regular_file.h"
#include "base/version.h"
#include "experiment/chosen.h"
#include "experiment/read_data.h"
#include "experiment/read_defences.h"
#include "experiment/read_membership.h"
#include "experiment/read_trajectories.h"
#include "experiment/settings.h"
#include "ingest/settings.h"

namespace hearsay::experiment {
namespace {

constexpr std::uint64_t kLongestStudy = 1 << 20;  // bytes

// The entries named at `key`; all of them where the key is absent.
template <typename Entry, typename NameOf>
std::vector<const Entry*> chosen(Settings& settings, const std::string& key, const std::vector<const Entry*>& all,
                                 const NameOf& name_of, Registry& registry) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Entry* entry : all) names.push_back(name_of(*entry));
  try {
    return choose<Entry>(key, settings.texts(key, names), all, name_of, registry);
  } catch (const ConfigError& error) {
    throw ConfigError(error.parameter(), error.value(), error.constraint(), settings.where(key));
  }
}

// Makes what was given parameters once, so that a value out of range is refused now.
template <typename Entry>
void check_parameters(Settings& settings, const std::string& key, const std::vector<const Entry*>& entries) {
  for (const Entry* entry : entries) {
    if (entry->info.given.empty()) continue;
    try {
      entry->create();
    } catch (const ConfigError& error) {
      throw ConfigError(error.parameter(), error.value(), error.constraint(), settings.where(key));
    }
  }
}

// A length of time as a number of epochs.
std::uint32_t epochs_of(Settings& settings, const std::string& key, std::uint32_t epoch_seconds) {
  const std::uint64_t seconds = settings.duration(key, epoch_seconds);
  if (seconds % epoch_seconds != 0) settings.fail(key, fmt::format("must be whole epochs of {} s", epoch_seconds));
  if (seconds / epoch_seconds > ingest::kMostEpochs) {
    settings.fail(key,
                  fmt::format("is more than {} epochs of {} s; use longer ones", ingest::kMostEpochs, epoch_seconds));
  }
  return static_cast<std::uint32_t>(seconds / epoch_seconds);
}

// First of all: what a later schema means by the other keys is not known here.
void read_schema(Settings& settings) {
  const std::string key = "schema";
  const std::uint64_t written_in = settings.whole(key, 1);
  if (written_in == 0) settings.fail(key, "must be 1 or more");
  if (written_in > kStudySchema) {
    settings.fail(key, fmt::format("this is hearsay {}, which reads studies up to schema {}: upgrade hearsay",
                                   version(), kStudySchema));
  }
  settings.set(key, written_in);
}

void read_period(Settings& settings, Study& study) {
  settings.expect("period", {"start", "epoch", "length", "observe"});
  study.data.period.start = settings.civil_time("period.start");
  const std::uint64_t epoch = settings.duration("period.epoch", 1, 3600);
  if (epoch > dataset::kDaySeconds || dataset::kDaySeconds % epoch != 0) {
    settings.fail("period.epoch", "must divide a day, such as \"15 min\", \"1h\" or \"1 day\"");
  }
  study.data.period.epoch_seconds = static_cast<std::uint32_t>(epoch);
  study.data.period.epochs = epochs_of(settings, "period.length", study.data.period.epoch_seconds);
  study.data.observe = epochs_of(settings, "period.observe", study.data.period.epoch_seconds);
  if (study.data.observe >= study.data.period.epochs) {
    settings.fail("period.observe", fmt::format("must be shorter than period.length ({} epochs): the rest is inferred",
                                                study.data.period.epochs));
  }
}

// study.delta from before decisions took parameters.
void read_delta(Settings& settings, Study& study) {
  const std::string key = "study.delta";
  const double delta = settings.number(key, goal::kDelta);
  if (delta <= 0 || delta > 1) settings.fail(key, "must be above 0 and at most 1");
  study.use_delta(delta);
  if (!settings.has(key)) return;
  std::vector<std::string> names;
  for (const decision::DecisionEntry* entry : study.adversary.decisions) {
    const std::string& name = entry->info.name;
    const bool plain = entry->info.given.empty() || name.find('(') != std::string::npos;
    if (!entry->of_assignments) names.push_back(plain ? name : fmt::format("{}({})", name, entry->info.given.label()));
  }
  settings.deprecate(key, key,
                     delta == goal::kDelta
                         ? "leave it out, since it is the default"
                         : fmt::format("write study.decisions = [\"{}\"]", fmt::join(names, "\", \"")));
}

// Those that read assignments are always there: an attack that assigns people can be read in no other way. So are those
// that read rates where there are any.
void read_decisions(Settings& settings, Study& study) {
  const auto name_of = [](const decision::DecisionEntry& entry) { return entry.info.name; };
  study.adversary.decisions =
      chosen<decision::DecisionEntry>(settings, "study.decisions", study.registry.decisions, name_of, study.registry);
  check_parameters(settings, "study.decisions", study.adversary.decisions);
  const auto other = [](const decision::DecisionEntry* entry) { return entry->of_assignments || entry->profiles; };
  if (std::all_of(study.adversary.decisions.begin(), study.adversary.decisions.end(), other)) {
    settings.fail("study.decisions", "must name one that reads places off probabilities, such as ALL, POP or BEST");
  }
  const goal::AdversarySpec& her = study.adversary;
  const bool rates =
      std::any_of(her.attacks.begin(), her.attacks.end(), [](const auto* entry) { return entry->needs_rates; }) ||
      std::any_of(her.priors.begin(), her.priors.end(), [](const auto* entry) { return entry->only_rates; });
  for (const decision::DecisionEntry* entry : study.registry.decisions) {
    const bool missing = std::find(study.adversary.decisions.begin(), study.adversary.decisions.end(), entry) ==
                         study.adversary.decisions.end();
    if (missing && (entry->of_assignments || (rates && entry->of_rates))) study.adversary.decisions.push_back(entry);
  }
  read_delta(settings, study);
}

// Errors, which inference is run for, and goals by their own names. Where nothing is named, all errors.
void read_goals(Settings& settings, Study& study) {
  const std::string key = "study.goals";
  const auto goal_of = [](const metric::MetricEntry& entry) { return entry.goal; };
  const auto info_name = [](const goal::GoalEntry& entry) { return entry.info.name; };
  std::vector<const metric::MetricEntry*> errors;
  std::vector<const goal::GoalEntry*> games;
  std::vector<std::string> names;
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    if (entry->make == nullptr) continue;
    errors.push_back(entry);
    names.push_back(entry->goal);
  }
  const std::vector<std::string> texts = settings.texts(key, names);
  for (const goal::GoalEntry* entry : study.registry.goals) {
    if (entry->of_errors) continue;
    games.push_back(entry);
    names.push_back(entry->info.name);
  }
  std::vector<std::string> named_errors;
  std::vector<std::string> named_games;
  try {
    for (const std::string& text : texts) {
      const NamedChoice choice = parse_choice(key, text);
      const auto place = std::find(names.begin(), names.end(), choice.name) - names.begin();
      if (place == std::ssize(names)) {
        throw ConfigError(key, choice.name, "is not known" + suggestion(choice.name, names));
      }
      const bool is_error = place < std::ssize(errors);
      if (is_error && !choice.given.empty()) {
        throw ConfigError(key, text, "takes names only; study.log_base sets the logarithm");
      }
      (is_error ? named_errors : named_games).push_back(text);
    }
    study.adversary.goals = choose<metric::MetricEntry>(key, named_errors, errors, goal_of, study.registry);
    study.goals = choose<goal::GoalEntry>(key, named_games, games, info_name, study.registry);
  } catch (const ConfigError& error) {
    throw ConfigError(error.parameter(), error.value(), error.constraint(), settings.where(key));
  }
  if (study.adversary.goals.empty()) return;
  for (const goal::GoalEntry* entry : study.registry.goals) {
    if (entry->of_errors) study.goals.insert(study.goals.begin(), entry);
  }
}

// Refuses priors that the period does not suit. Where no error is measured, nothing built in uses a prior: those that
// nobody named are then left out.
void check_priors(Settings& settings, Study& study) {
  const bool may_go = study.adversary.goals.empty() && !settings.has("study.priors");
  std::erase_if(study.adversary.priors, [&](const prior::PriorEntry* entry) {
    try {
      entry->check(study.calendar());
      return false;
    } catch (const ConfigError& error) {
      if (may_go) return true;
      throw ConfigError(error.parameter(), error.value(), error.constraint(), settings.where(error.parameter()));
    }
  });
}

void read_adversary(Settings& settings, Study& study) {
  const auto info_name = [](const auto& entry) { return entry.info.name; };
  study.adversary.priors =
      chosen<prior::PriorEntry>(settings, "study.priors", study.registry.priors, info_name, study.registry);
  study.adversary.attacks =
      chosen<attack::AttackEntry>(settings, "study.attacks", study.registry.attacks, info_name, study.registry);
  check_parameters(settings, "study.attacks", study.adversary.attacks);
  const auto& priors = study.adversary.priors;
  if (std::none_of(priors.begin(), priors.end(), [](const auto* entry) { return entry->rates; })) {
    const auto needs_rates = [](const attack::AttackEntry* entry) { return entry->needs_rates; };
    if (settings.has("study.attacks") &&
        std::any_of(study.adversary.attacks.begin(), study.adversary.attacks.end(), needs_rates)) {
      settings.fail("study.attacks", "TILT needs a prior that offers rates, such as FREQ_ROI or HISTORY");
    }
    std::erase_if(study.adversary.attacks, needs_rates);
  }
  const attack::AttackEntry* baseline = study.registry.attacks.front();
  if (study.adversary.attacks.empty() || study.adversary.attacks.front() != baseline)
    study.adversary.attacks.insert(study.adversary.attacks.begin(), baseline);

  // What needs nothing at all is what everything else must beat.
  for (const attack::AttackEntry* entry : study.registry.attacks) {
    const bool blind = !entry->uses_prior && !entry->uses_release;
    std::vector<const attack::AttackEntry*>& chosen_attacks = study.adversary.attacks;
    if (blind && std::find(chosen_attacks.begin(), chosen_attacks.end(), entry) == chosen_attacks.end()) {
      chosen_attacks.push_back(entry);
    }
  }
  read_goals(settings, study);
  check_priors(settings, study);
  read_decisions(settings, study);
}

void read_control(Settings& settings, Study& study) {
  study.adversary.control = settings.yes("study.control", true);
  study.adversary.control_sample = settings.whole("study.control_sample", goal::kControlSample);
  if (study.adversary.control_sample < 2) {
    settings.fail("study.control_sample", "must be 2 or more; study.control = false measures none");
  }
}

void read_metric(Settings& settings, Study& study) {
  const std::string base = settings.shown("study.log_base");
  if (base == "\"e\"" || base == "'e'") {
    settings.has("study.log_base");
    study.adversary.metric.log_base = std::numbers::e;
  } else {
    study.adversary.metric.log_base = settings.number("study.log_base", 2.0);
    if (study.adversary.metric.log_base <= 1) settings.fail("study.log_base", "must be above 1, or \"e\"");
  }
  study.seed = settings.whole("study.seed", 1);
}

void read_results(Settings& settings, Study& study) {
  study.results.show_users = settings.yes("results.show_users", false);
  study.results.least_people = settings.whole("results.least_people", kLeastPeople);
  if (study.results.least_people == 0) settings.fail("results.least_people", "must be 1 or more; 1 holds nothing back");
  const std::string shown = settings.shown("results.users");
  if (shown.empty() || shown == "\"auto\"" || shown == "'auto'") {
    settings.has("results.users");
  } else if (shown == "\"all\"" || shown == "'all'" || shown == "true") {
    settings.has("results.users");
    study.results.user_rows = std::numeric_limits<std::size_t>::max();
  } else if (shown == "\"none\"" || shown == "'none'" || shown == "false") {
    settings.has("results.users");
    study.results.user_rows = 0;
  } else {
    try {
      study.results.user_rows = settings.whole("results.users");
    } catch (const ConfigError&) {
      settings.fail("results.users", "must be \"auto\", \"all\", \"none\" or a number of users to sample");
    }
  }
}

}  // namespace

release::Shape DataSpec::shape() const {
  const auto* grid = std::get_if<ingest::Grid>(&rois);
  const auto* ids = std::get_if<ingest::RoiIds>(&rois);
  return {calendar().inference(), grid == nullptr ? 0 : grid->cols, ids != nullptr && !ids->zone.empty()};
}

std::int64_t Study::start_of(std::size_t epoch) const {
  return parse_civil(data.period.start).value() +
         static_cast<std::int64_t>(epoch) * data.period.epoch_seconds * kSecond;
}

goal::Ground Study::ground(const dataset::Dataset& dataset, goal::RunOptions options) const {
  goal::Ground ground{dataset, adversary, defences, data.population, seed, std::move(options)};
  if (published) ground.published = &*published;
  if (parse_civil(data.period.start)) {
    ground.first_second = static_cast<std::uint32_t>(start_of(0) / kSecond % dataset::kDaySeconds);
  }
  return ground;
}

void Study::use_delta(double value) {
  constexpr const char* kName = "delta";
  adversary.delta = value;
  if (value == goal::kDelta) return;
  for (const decision::DecisionEntry*& entry : adversary.decisions) {
    const auto& known = entry->info.parameters;
    const bool has = std::any_of(known.begin(), known.end(), [](const auto& one) { return one.name == kName; });
    if (!has || entry->info.given.has(kName)) continue;
    Parameters given = entry->info.given;
    given.set(kName, fmt::format("{}", value));
    entry = registry.keep(*entry, entry->info.name, given);
  }
}

Study parse_study(const std::string& text, const std::string& name, const std::string& folder,
                  const std::vector<std::string>& overrides, Registry registry) {
  Settings settings(text, name, overrides);
  Study study;
  study.registry = std::move(registry);
  read_schema(settings);
  read_data(settings, folder, study);
  read_rois(settings, folder, study);
  read_period(settings, study);
  read_metric(settings, study);
  read_control(settings, study);
  read_results(settings, study);
  read_adversary(settings, study);
  read_membership(settings, study);
  read_trajectories(settings, study);
  read_defences(settings, study);
  settings.check_all_used();
  study.as_run = settings.as_toml();
  study.overrides = overrides;
  study.deprecated = settings.deprecated();
  return study;
}

std::vector<std::string> reasons_against(const Study& study, const release::Guarantee& guarantee) {
  std::vector<std::string> reasons;
  if (!guarantee.epsilon) reasons.push_back(guarantee.note);
  const auto* ids = std::get_if<ingest::RoiIds>(&study.data.rois);
  if (ids != nullptr && ids->list.empty()) {
    reasons.emplace_back("The places are read off the data: name them in rois.list.");
  }
  if (study.data.source.bad_rows == ingest::BadRows::kSkip) {
    reasons.emplace_back(
        "data.bad_rows = \"skip\" leaves out rows by looking at the data: mend them and write bad_rows = \"stop\" into "
        "[data].");
  }
  if (study.data.user_limit > 0) reasons.emplace_back("data.users picks people by looking at the data.");
  return reasons;
}

Study load_study(const std::string& path, const std::vector<std::string>& overrides, Registry registry) {
  const std::optional<std::string> text = read_regular_file(path, kLongestStudy);
  if (!text) throw InputError({path, 0, ""}, "no such study file");
  return parse_study(*text, path, std::filesystem::path(path).parent_path().string(), overrides, std::move(registry));
}

}  // namespace hearsay::experiment
