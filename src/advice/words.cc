// SPDX-License-Identifier: Apache-2.0
#include "advice/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text_table.h"
#include "experiment/presets.h"

namespace hearsay::advice {
namespace {

std::string interval_words(const Value& value, const char* format) {
  const auto shown = [&](double number) { return fmt::format(fmt::runtime(format), number); };
  if (value.low == value.high) return shown(value.mean);
  return fmt::format("{} ({} to {})", shown(value.mean), shown(value.low), shown(value.high));
}

std::string figures_of(const Priced& one) {
  std::string text = fmt::format("its counts are off by {} on average", interval_words(*one.mae, "{:.3g}"));
  if (one.own_loss) {
    text += fmt::format(
        ", being counted takes at most {} of her error",
        interval_words({100 * one.own_loss->mean, 100 * one.own_loss->low, 100 * one.own_loss->high}, "{:.2f}%"));
  }
  if (one.membership) {
    text += fmt::format(", and somebody tells who was counted with an AUC of {}",
                        interval_words(*one.membership, "{:.2f}"));
  }
  return text;
}

std::string miss_words(const Miss& miss) {
  return fmt::format("{} is up to {:.3g} where {:.3g} is allowed", limit_words(miss.limit), miss.found, miss.allowed);
}

std::string list_words(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string choice_sentence(const Advice& advice) {
  if (advice.chosen) {
    const Priced& one = advice.frontier[*advice.chosen];
    return fmt::format(
        "Publish {}: of the candidates that keep to the limits, by the upper end of each interval, it is "
        "the most useful; {}.",
        one.candidate.label(), figures_of(one));
  }
  if (!advice.nearest) {
    return "Nothing can be advised: the search ended before a candidate was measured against the limits. Give it a "
           "larger budget.";
  }
  std::vector<std::string> names;
  for (const std::string& limit : advice.impossible) names.push_back(limit_words(limit));
  std::string sentence =
      names.empty() ? "No candidate keeps to all limits together, though each can be met by itself."
                    : fmt::format("The limit on {} cannot be met by any candidate measured, whatever the other limits.",
                                  list_words(names));
  const Priced& one = advice.frontier[*advice.nearest];
  std::vector<std::string> misses;
  for (const Miss& miss : advice.misses) misses.push_back(miss_words(miss));
  return fmt::format("{} Nearest is {}: {}; {}.", sentence, one.candidate.label(), list_words(misses), figures_of(one));
}

std::string tried_sentence(const Advice& advice) {
  const std::string tried = with_commas(advice.candidates) + " candidates were tried";
  if (advice.priors.empty()) return tried + ".";
  if (advice.attacks.empty()) {
    return tried +
           "; on the raw counts every adversary of the study does best to ignore them, so that own loss says nothing "
           "here: name stronger attacks.";
  }
  return fmt::format("{}; own loss is against {} with {}, the strongest of the study on the raw counts{}.", tried,
                     list_words(advice.attacks), list_words(advice.priors),
                     advice.last_by_all ? ", and of those measured best against all of its adversaries" : "");
}

}  // namespace

std::string limit_words(const std::string& limit) {
  return limit == "own_loss" ? "own loss" : limit == "mae" ? "MAE" : limit;
}

std::vector<std::string> steps_in_words(const Candidate& candidate, const experiment::Study& study) {
  std::vector<std::string> sentences;
  for (const experiment::Preset& preset : experiment::all_presets()) {
    if (preset.info.name == candidate.preset)
      sentences.push_back("The preset " + candidate.preset + ". " + preset.info.summary);
  }
  for (const release::NamedStep& step : candidate.chain.named_steps()) {
    const release::StepEntry& entry = release::step_named("step", step.name, study.registry.steps);
    sentences.push_back(step.parameter.empty()
                            ? fmt::format("{}: {}", step.name, entry.info.summary)
                            : fmt::format("{} ({}): {}", step.name, step.parameter, entry.info.summary));
  }
  return sentences;
}

std::vector<std::string> answer_of(const Advice& advice) {
  std::vector<std::string> sentences = {choice_sentence(advice)};
  const std::optional<std::size_t> shown = advice.chosen ? advice.chosen : advice.nearest;
  if (shown) {
    const Priced& one = advice.frontier[*shown];
    const release::Guarantee& guarantee = one.guarantee;
    if (advice.reasons.empty() && guarantee.epsilon) {
      sentences.push_back(
          fmt::format("It promises epsilon {:.4g} for {}{}.{}", *guarantee.epsilon, guarantee.unit,
                      guarantee.delta > 0 ? fmt::format(", but for a chance of {:.3g}", guarantee.delta) : "",
                      advice.a_year ? " " + advice.a_year->sentence : ""));
    } else {
      sentences.push_back(
          fmt::format("It promises nothing: {} What was measured is what these adversaries reached, not "
                      "what others could.",
                      fmt::join(advice.reasons, " ")));
    }
    if (!one.worse_than.empty()) {
      sentences.push_back(
          fmt::format("{}, made without counting anybody, is nearer to the true counts by MAE.", one.worse_than));
    }
  }
  sentences.push_back(tried_sentence(advice));
  if (!advice.no_membership.empty()) sentences.push_back("Membership was not measured: " + advice.no_membership);
  if (advice.unmeasured > 0) {
    sentences.push_back(
        fmt::format("{} left out because the budget was spent; a larger one may find better.",
                    advice.unmeasured == 1 ? "1 candidate was" : with_commas(advice.unmeasured) + " candidates were"));
  }
  if (advice.cut_short) {
    sentences.emplace_back(
        "The search was cut short by the clock: this is what was measured until then, and another run "
        "may differ.");
  }
  sentences.push_back(fmt::format(
      "For your eyes only: the advice was made by looking at the data, and its figures, the frontier and what was "
      "dropped must not be published. {}",
      advice.reasons.empty() ? "What may be is the file that the command writes; its guarantee does not cover that the "
                               "release was chosen by looking."
                             : "Only the file that the command writes is made for it, and that has no guarantee."));
  return sentences;
}

}  // namespace hearsay::advice
