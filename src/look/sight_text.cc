// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/civil_time.h"
#include "base/text.h"
#include "base/text_table.h"
#include "look/study_text.h"
#include "look/toml_text.h"

namespace hearsay::look {
namespace {

using Json = nlohmann::ordered_json;

// Bars of counts, at most so many columns wide; a label for each.
std::string bars(const std::vector<std::pair<std::string, std::uint64_t>>& counts, std::size_t width) {
  std::uint64_t most = 1;
  std::size_t labels = 0;
  for (const auto& [label, count] : counts) {
    most = std::max(most, count);
    labels = std::max(labels, label.size());
  }
  const std::size_t numbers = with_commas(most).size();
  const std::size_t room = width > labels + numbers + 6 ? width - labels - numbers - 6 : 1;
  std::string text;
  for (const auto& [label, count] : counts) {
    const auto length =
        static_cast<std::size_t>(static_cast<double>(count) * static_cast<double>(room) / static_cast<double>(most));
    text += fmt::format("  {:<{}}  {:>{}} {}\n", label, labels, with_commas(count), numbers,
                        std::string(count > 0 && length == 0 ? 1 : length, '#'));
  }
  return text;
}

std::vector<std::pair<std::string, std::uint64_t>> by_hour(const Survey& survey) {
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  for (std::size_t hour = 0; hour < survey.hours.size(); hour += 2) {
    counts.emplace_back(fmt::format("{:02}-{:02} h", hour, hour + 2), survey.hours[hour] + survey.hours[hour + 1]);
  }
  return counts;
}

// Days, or as many together as make at most fourteen bars.
std::vector<std::pair<std::string, std::uint64_t>> by_day(const Survey& survey) {
  constexpr std::int64_t kBars = 14;
  const std::int64_t first = survey.days.front().first;
  const std::int64_t days = (survey.days.back().first - first) / kDay + 1;
  const std::int64_t together = (days + kBars - 1) / kBars;
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  for (std::int64_t day = 0; day < days; day += together) {
    counts.emplace_back(format_civil(first + day * kDay).substr(0, 10), 0);
  }
  for (const auto& [day, count] : survey.days) {
    counts[static_cast<std::size_t>((day - first) / kDay / together)].second += count;
  }
  return counts;
}

std::string columns_text(const Sight& sight, std::size_t width) {
  TextTable table({{"column"}, {"type"}, {"values"}});
  for (const Column& column : sight.columns) {
    std::string role;
    for (const auto& [name, mapped] : sight.source.columns) {
      if (mapped == column.name) role = fmt::format(" ({})", name);
    }
    table.add({one_line(column.name, 40) + role, column.type, fmt::format("{}", fmt::join(column.examples, ", "))});
  }
  return table.fitted(width, 1);
}

std::string survey_text(const Sight& sight, const Survey& survey) {
  TextTable table({{"", false}, {"", true}});
  std::uint64_t bad = 0;
  for (const auto& [reason, count] : survey.bad_rows) bad += count;
  table.add({"rows", with_commas(survey.rows)});
  if (bad > 0) table.add({"  of these bad", with_commas(bad)});
  for (const auto& [reason, count] : survey.bad_rows) table.add({"    " + reason, with_commas(count)});
  table.add({"events", with_commas(survey.events)});
  if (survey.users == 0) {
    table.add({"users", "not known"});
  } else {
    table.add({"users", with_commas(survey.users)});
    table.add({"events per user: median, largest",
               fmt::format("{:.0f}, {}", survey.of_a_user.median, with_commas(survey.most_of_a_user))});
    table.add({"events per user and day with any",
               fmt::format("{:.1f}", static_cast<double>(survey.events) / static_cast<double>(survey.user_days))});
  }
  if (survey.places > 0) table.add({"places", with_commas(survey.places)});
  table.add({"first event", format_civil(survey.first)});
  table.add({"last event", format_civil(survey.last)});
  table.add({"days with events", with_commas(survey.days.size())});
  table.add({"time zone", sight.source.timezone.empty() ? "not known" : sight.source.timezone});
  if (!sight.source.time_patterns.empty()) {
    table.add({"times are written as", fmt::format("{}", fmt::join(sight.source.time_patterns, ", "))});
  }
  if (sight.coordinates) {
    table.add({"latitude of the middle 98%", fmt::format("{:.4f} to {:.4f}", survey.lat.p01, survey.lat.p99)});
    table.add({"longitude of the middle 98%", fmt::format("{:.4f} to {:.4f}", survey.lng.p01, survey.lng.p99)});
  }
  return table.aligned();
}

Json quantiles_json(const Quantiles& quantiles) {
  return {{"p01", quantiles.p01}, {"median", quantiles.median}, {"p99", quantiles.p99}};
}

Json survey_json(const Sight& sight, const Survey& survey) {
  Json json = {{"rows", survey.rows},
               {"bad_rows", survey.bad_rows},
               {"events", survey.events},
               {"users", survey.users},
               {"places", survey.places},
               {"events_per_user", quantiles_json(survey.of_a_user)},
               {"most_events_of_a_user", survey.most_of_a_user},
               {"user_days", survey.user_days},
               {"users_with_one_event", survey.once},
               {"repeated_events", survey.repeats},
               {"events_at_midnight", survey.at_midnight},
               {"first_event", format_civil(survey.first)},
               {"last_event", format_civil(survey.last)},
               {"by_hour", survey.hours}};
  for (const auto& [day, count] : survey.days) json["by_day"][format_civil(day).substr(0, 10)] = count;
  if (sight.coordinates) {
    json["lat"] = quantiles_json(survey.lat);
    json["lng"] = quantiles_json(survey.lng);
  }
  return json;
}

}  // namespace

std::string sight_text(const Sight& sight, std::size_t width) {
  std::string text = fmt::format("{} file{}, read as {}\n\n", with_commas(sight.files.size()),
                                 sight.files.size() == 1 ? "" : "s", sight.feed);
  text += columns_text(sight, width);
  if (sight.survey && sight.survey->events > 0) {
    text += survey_text(sight, *sight.survey) + "\nevents by hour of the day\n" + bars(by_hour(*sight.survey), width) +
            "\nevents by day\n" + bars(by_day(*sight.survey), width);
  }
  for (const Reason& reason : sight.reasons) {
    if (reason.setting == "data.utc") text += "\nclock: " + one_line(reason.why);
  }
  for (const std::string& odd : sight.odd) text += "\nodd: " + one_line(odd);
  for (std::size_t i = 0; i < sight.unknowns.size(); ++i) {
    const Unknown& unknown = sight.unknowns[i];
    text += fmt::format("\nunknown {}: {}", i + 1, one_line(unknown.question));
    for (std::size_t choice = 0; choice < unknown.choices.size(); ++choice) {
      const auto& [setting, value] = unknown.choices[choice].settings.front();
      const std::string evidence = one_line(unknown.choices[choice].evidence);
      text += fmt::format("\n  {}. {} = {}: {}", choice + 1, setting, value, evidence);
    }
  }
  return text.ends_with('\n') ? text : text + "\n";
}

std::string sight_json(const Sight& sight) {
  Json json;
  json["files"] = sight.files;
  json["format"] = sight.feed;
  for (const Column& column : sight.columns) {
    json["columns"].push_back({{"name", column.name}, {"type", column.type}, {"examples", column.examples}});
  }
  json["mapped"] = sight.source.columns;
  json["timezone"] = sight.source.timezone.empty() ? Json() : Json(sight.source.timezone);
  json["time_format"] = sight.source.time_patterns;
  if (sight.survey) json["seen"] = survey_json(sight, *sight.survey);
  if (sight.period) {
    json["period"] = {{"start", sight.period->start},
                      {"epoch_seconds", sight.period->epoch_seconds},
                      {"epochs", sight.period->epochs},
                      {"observe", sight.observe}};
  }
  json["guesses"] = Json::object();
  for (const Reason& reason : sight.reasons) json["guesses"][reason.setting] = reason.why;
  json["unknown"] = Json::array();
  for (const Unknown& unknown : sight.unknowns) {
    Json choices = Json::array();
    for (const Choice& choice : unknown.choices) {
      Json settings = Json::object();
      for (const auto& [setting, value] : choice.settings) settings[setting] = value;
      choices.push_back({{"settings", settings}, {"evidence", choice.evidence}});
    }
    json["unknown"].push_back({{"setting", unknown.setting}, {"question", unknown.question}, {"choices", choices}});
  }
  json["odd"] = sight.odd;
  json["problem"] = sight.problem.empty() ? Json() : Json(sight.problem);
  return with_escapes(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace hearsay::look
