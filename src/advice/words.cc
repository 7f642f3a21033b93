// SPDX-License-Identifier: Apache-2.0
#include "advice/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "advice/choice.h"
#include "base/text_table.h"
#include "experiment/presets.h"

namespace hearsay::advice {
namespace {

std::string figures_of(const Priced& one) {
  std::string text = fmt::format("its counts are off by {} on average", interval_words(*one.mae, "{:.3g}"));
  if (one.own_loss) {
    text += fmt::format(
        ", being counted takes at most {} of her error, on average over people and against the adversaries tried",
        interval_words({100 * one.own_loss->mean, 100 * one.own_loss->low, 100 * one.own_loss->high}, "{:.2f}%"));
  }
  if (one.membership) {
    text += fmt::format(
        ", and somebody tells who was counted with an AUC of at most {}, on average over the people asked about",
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

std::string number_words(std::size_t number, const char* thing) {
  return fmt::format("{} {}{}", with_commas(number), thing, number == 1 ? "" : "s");
}

std::string candidates_were(std::size_t number) {
  return number_words(number, "candidate") + (number == 1 ? " was" : " were");
}

// Why nothing is named.
std::string nothing_sentence(const Advice& advice) {
  if (advice.candidates > 0 && advice.nothing == advice.candidates) {
    return "Nothing can be advised: every candidate publishes nothing but zeros.";
  }
  if (advice.unplayable > 0) {
    return "Nothing can be advised: no candidate was measured against all limits, as the attacks on membership "
           "that the study names have nothing to say of them. Name others.";
  }
  return "Nothing can be advised: the search ended before a candidate was measured against the limits. Give it a "
         "larger budget.";
}

std::string choice_sentence(const Advice& advice) {
  if (advice.chosen) {
    const Priced& one = advice.frontier[*advice.chosen];
    return fmt::format(
        "Publish {}: of the candidates measured best it is the most useful that keeps to the limits, by the upper end "
        "of each interval; {}.",
        one.candidate.label(), figures_of(one));
  }
  if (!advice.nearest) return nothing_sentence(advice);
  std::vector<std::string> names;
  for (const std::string& limit : advice.impossible) names.push_back(limit_words(limit));
  std::string sentence =
      names.empty()
          ? "No candidate that was measured keeps to all limits together, though each limit is kept to by one."
          : fmt::format("No candidate that was measured keeps to the limit on {}, whatever the other limits.",
                        names.size() == 1 ? names.front() : fmt::format("{}", fmt::join(names, ", nor to that on ")));
  const Priced& one = advice.frontier[*advice.nearest];
  std::vector<std::string> misses;
  for (const Miss& miss : advice.misses) misses.push_back(miss_words(miss));
  return fmt::format("{} Nearest is {}: {}; {}.", sentence, one.candidate.label(), list_words(misses), figures_of(one));
}

// How well the one shown is known.
std::string fidelity_sentence(const Priced& one) {
  std::string text = fmt::format("Own loss was measured on {}", number_words(one.draws, "draw"));
  if (one.people > 0) text += fmt::format(" and {} people", with_commas(one.people));
  if (one.membership) {
    text += fmt::format(", membership on {} and {} groups each", number_words(one.targets, "target"),
                        with_commas(2 * one.trials));
  }
  text += ".";
  const bool noisy = one.candidate.epsilon() > 0;
  if (one.rung < kLastRung) {
    text += fmt::format(
        " That is little{}, as the budget was spent: measured better, it may be further off or give away more.",
        noisy && one.draws == 1 ? ", and other draws of its noise may differ" : "");
  } else if (noisy && one.draws == 1) {
    text += " Other draws of its noise may differ.";
  }
  return text;
}

std::string guarantee_sentence(const Advice& advice, const Priced& one) {
  const release::Guarantee& guarantee = one.guarantee;
  if (!advice.reasons.empty() || !guarantee.epsilon) {
    return fmt::format(
        "It promises nothing: {} What was measured is what these adversaries reached, not what others could.",
        fmt::join(advice.reasons, " "));
  }
  std::string text =
      fmt::format("It promises epsilon {:.4g} for {}{}.", *guarantee.epsilon, guarantee.unit,
                  guarantee.delta > 0 ? fmt::format(", but for a chance of {:.3g}", guarantee.delta) : "");
  if (!guarantee.note.empty()) text += " " + guarantee.note;
  if (advice.a_year) text += " " + advice.a_year->sentence;
  return text;
}

// What is to be known of the one shown besides its figures.
std::vector<std::string> shown_sentences(const Advice& advice, const Priced& one) {
  std::vector<std::string> sentences = {fidelity_sentence(one), guarantee_sentence(advice, one)};
  if (one.left_out >= 0.0005) {
    sentences.push_back(
        fmt::format("Of the true counts above 0, {:.1f}% are 0 in it or left out.", 100 * one.left_out));
  }
  if (!one.worse_than.empty()) {
    sentences.push_back(fmt::format(
        "{}, made without counting anybody in the period to be published, is nearer to the true counts by MAE.",
        one.worse_than));
  }
  return sentences;
}

std::string tried_sentence(const Advice& advice) {
  const std::string tried =
      fmt::format("{} tried: of all of them the error was measured, of {} what being counted costs",
                  candidates_were(advice.candidates), with_commas(advice.measured));
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

// What the search did not look at, and why.
std::vector<std::string> gap_sentences(const Advice& advice) {
  std::vector<std::string> sentences;
  if (!advice.no_membership.empty()) sentences.push_back("Membership was not measured: " + advice.no_membership);
  if (advice.unplayable > 0) {
    sentences.push_back(
        candidates_were(advice.unplayable) +
        " not measured for membership: no attack on it that the study names has anything to say of such "
        "counts, which does not mean that nobody could tell.");
  }
  if (advice.nothing > 0) {
    sentences.push_back(candidates_were(advice.nothing) + " dropped because nothing but zeros would be published.");
  }
  if (advice.unmeasured > 0) {
    sentences.push_back(candidates_were(advice.unmeasured) +
                        " left out, or measured a little only, because the budget was spent; a larger one may find "
                        "better.");
  }
  if (advice.cut_short) {
    sentences.emplace_back(
        "The search was cut short by the clock: this is what was measured until then, and another run "
        "may differ.");
  }
  return sentences;
}

// What may leave the house.
std::string permission_sentence(const Advice& advice) {
  std::string text =
      "For your eyes only: the advice was made by looking at the data, and its figures, the frontier and what was "
      "dropped must not be published.";
  if (advice.command.empty()) return text;
  text += advice.reasons.empty()
              ? " What may be is the file that the command writes, by its promise alone, which does not cover that the "
                "release was chosen by looking."
              : " The file that the command writes is made to be, and has no guarantee: whether what it may give away "
                "can be borne is for you to decide.";
  if (!advice.chosen) text += " It does not keep to your limits.";
  return text;
}

}  // namespace

std::string interval_words(const Value& value, const std::string& format) {
  const auto shown = [&](double number) { return fmt::format(fmt::runtime(format), number); };
  if (value.low == value.high) return shown(value.mean);
  return fmt::format("{} ({} to {})", shown(value.mean), shown(value.low), shown(value.high));
}

std::string limit_words(const std::string& limit) {
  return limit == "own_loss" ? "own loss" : limit == "mae" ? "MAE" : limit;
}

std::vector<std::string> steps_in_words(const Candidate& candidate, const experiment::Study& study) {
  std::vector<std::string> sentences;
  if (const experiment::Preset* preset = experiment::preset_named(candidate.preset)) {
    sentences.push_back("The preset " + candidate.preset + ". " + preset->info.summary);
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
  const auto add = [&](const std::vector<std::string>& more) {
    sentences.insert(sentences.end(), more.begin(), more.end());
  };
  if (const auto shown = advice.chosen ? advice.chosen : advice.nearest) {
    add(shown_sentences(advice, advice.frontier[*shown]));
  }
  if (!advice.rungs.empty()) sentences.push_back(tried_sentence(advice));
  add(gap_sentences(advice));
  sentences.push_back(permission_sentence(advice));
  return sentences;
}

}  // namespace hearsay::advice
