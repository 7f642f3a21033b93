// SPDX-License-Identifier: Apache-2.0
#include "report/trajectories.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text_table.h"
#include "goal/combination.h"
#include "report/document_entries.h"
#include "report/document_numbers.h"
#include "report/words.h"
#include "trajectory/method.h"

namespace hearsay::report {
namespace {

constexpr std::size_t kListed = 5;
constexpr double kHardly = 0.005;  // no better than shuffled people, to the percent

// Means over the repeats of a release.
struct Line {
  std::string method;
  std::string release;
  std::string parameter;
  std::size_t people = 0;
  std::size_t repeats = 0;
  double right = 0;
  double shuffled = 0;
  double right_active = 0;
  double shuffled_active = 0;

  bool is_raw() const { return release == goal::kRaw; }
  bool same(const Line& other) const {
    return method == other.method && release == other.release && parameter == other.parameter;
  }
};

std::vector<Line> lines_of(const results::MeasuredGoal& goal) {
  std::vector<Line> lines;
  for (const results::MeasuredRow& row : goal.rows) {
    Line made{goal::field_of(row.key, "method"), goal::field_of(row.key, "release"),
              goal::field_of(row.key, "parameter"), row.count};
    auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& one) { return one.same(made); });
    if (line == lines.end()) line = lines.insert(lines.end(), made);
    const double share = 1.0 / static_cast<double>(++line->repeats);
    const auto take = [&](double& mean, std::string_view name) {
      const auto at = std::find(goal.names.begin(), goal.names.end(), name);
      if (at == goal.names.end()) return;
      mean += (row.numbers[static_cast<std::size_t>(at - goal.names.begin())].mean - mean) * share;
    };
    take(line->right, "right");
    take(line->shuffled, "shuffled");
    take(line->right_active, "right_active");
    take(line->shuffled_active, "shuffled_active");
  }
  return lines;
}

const results::MeasuredGoal* find_goal(const std::vector<results::MeasuredGoal>& goals) {
  const auto found = std::find_if(goals.begin(), goals.end(),
                                  [](const results::MeasuredGoal& one) { return one.name == kTrajectories; });
  return found == goals.end() ? nullptr : &*found;
}

std::string percent(double share) {
  return fmt::format("{:.0f}%", 100 * share);
}

std::string paths_sentence(const Line& line) {
  std::string sentence = fmt::format(
      "Paths: from {} alone, with no knowledge of anybody, paths of {} people were rebuilt that are right {} of the "
      "time; paths with shuffled people are right {} of it.",
      line.is_raw() ? "the counts" : "the counts of " + release_words(line.release, line.parameter),
      with_commas(line.people), percent(line.right), percent(line.shuffled));
  if (std::isfinite(line.right_active) && line.right_active > 0) {
    sentence += fmt::format(" While people were somewhere, that is {} and {}.", percent(line.right_active),
                            percent(line.shuffled_active));
  }
  const double more = line.right - line.shuffled;
  const double more_active = line.right_active - line.shuffled_active;
  sentence += more < kHardly && !(more_active >= kHardly)
                  ? " So hours could not be linked to whole paths."
                  : " The difference is what linking the hours gives away; the rest is there without it.";
  return sentence +
         fmt::format(
             " Whose path it is the counts do not say: each is held against the person whom it fits best, one "
             "to one (method {}).",
             line.method);
}

// The best method on each release besides the raw one.
std::string defended_sentence(const std::vector<Line>& lines) {
  std::vector<const Line*> best;
  for (const Line& line : lines) {
    if (line.is_raw()) continue;
    const auto found = std::find_if(best.begin(), best.end(), [&](const Line* one) {
      return one->release == line.release && one->parameter == line.parameter;
    });
    if (found == best.end()) {
      best.push_back(&line);
    } else if (line.right > (*found)->right) {
      *found = &line;
    }
  }
  if (best.empty()) return "";
  const std::size_t more = best.size() > kListed ? best.size() - kListed : 0;
  best.resize(best.size() - more);
  std::vector<std::string> words;
  words.reserve(best.size());
  for (const Line* line : best) {
    words.push_back(fmt::format("{} ({} shuffled) with {}", percent(line->right), percent(line->shuffled),
                                release_words(line->release, line->parameter)));
  }
  return fmt::format("Paths, defended: the share of the time that is right becomes {}{}.", fmt::join(words, ", "),
                     more > 0 ? fmt::format("; {} more are in the table", more) : "");
}

}  // namespace

std::vector<std::string> trajectory_sentences(const std::vector<results::MeasuredGoal>& goals,
                                              std::size_t least_people) {
  const results::MeasuredGoal* goal = find_goal(goals);
  if (goal == nullptr) return {};
  const std::vector<Line> lines = lines_of(*goal);
  const Line* best = nullptr;
  for (const Line& line : lines) {
    if (best == nullptr || (line.is_raw() == best->is_raw() ? line.right > best->right : line.is_raw())) best = &line;
  }
  if (best == nullptr) return {};
  if (best->people < least_people) {
    return {
        fmt::format("Paths: there are fewer than {} people, too few to tell of (results.least_people).", least_people)};
  }
  std::vector<std::string> sentences = {paths_sentence(*best)};
  if (best->is_raw()) sentences.push_back(defended_sentence(lines));
  std::erase(sentences, "");
  return sentences;
}

results::Json trajectories_json(const std::vector<results::MeasuredGoal>& goals, std::size_t least_people) {
  const results::MeasuredGoal* goal = find_goal(goals);
  if (goal == nullptr) return {};
  const std::vector<Line> all = lines_of(*goal);
  results::Json lines = results::Json::array();
  for (const Line& line : all) {
    const auto number = [&](double value) {
      return line.people >= least_people && std::isfinite(value) ? results::Json(rounded(value)) : results::Json();
    };
    lines.push_back({{"method", line.method},
                     {"release", line.release},
                     {"parameter", line.parameter},
                     {"raw", line.is_raw()},
                     {"people", line.people},
                     {"repeats", line.repeats},
                     {"right", number(line.right)},
                     {"shuffled", number(line.shuffled)},
                     {"right_active", number(line.right_active)},
                     {"shuffled_active", number(line.shuffled_active)}});
  }
  results::Json methods = results::Json::array();
  for (const trajectory::MethodEntry* entry : trajectory::all_methods()) {
    const bool used = std::any_of(all.begin(), all.end(), [&](const Line& line) {
      return line.method == entry->info.name || line.method.starts_with(entry->info.name + "(");
    });
    if (used) methods.push_back(info_json(entry->info));
  }
  return {{"methods", methods}, {"lines", lines}};
}

}  // namespace hearsay::report
