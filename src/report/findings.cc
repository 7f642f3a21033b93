// SPDX-License-Identifier: Apache-2.0
#include "report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "attack/attack.h"
#include "base/text_table.h"
#include "report/defence_sentence.h"
#include "report/words.h"

namespace hearsay::report {
namespace {

bool is_raw(const results::SummaryRow& row) {
  return row.combination.release == goal::kRaw;
}

std::string goal_words(const std::string& goal) {
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    if (entry->goal == goal) return entry->about;
  }
  return goal;
}

std::string adversary_words(const goal::Combination& key) {
  return key.decision.empty()
             ? fmt::format("{}, {}", key.prior, key.attack)
             : fmt::format("{}, {} read by {} against {}", key.prior, key.attack, key.decision, key.baseline);
}

// Of a strategy that needs no knowledge, what it is besides its name.
std::string strategy_words(const std::string& attack, const std::string& decision) {
  for (const attack::AttackEntry* entry : attack::all_attacks()) {
    if (entry->info.name != attack || entry->uses_prior || entry->uses_release) continue;
    std::string summary = entry->info.summary;
    if (summary.ends_with('.')) summary.pop_back();
    summary[0] = static_cast<char>(std::tolower(summary[0]));
    return fmt::format("{}: {}", attack, summary);
  }
  return decision.empty() ? attack : fmt::format("{} read by {}", attack, decision);
}

std::string strategy_words(const results::Strategy& strategy) {
  return strategy_words(strategy.attack, strategy.decision);
}

// Errors and their differences with as many decimals as the smaller differences need. What is printed adds up.
class Decimals {
 public:
  explicit Decimals(double part) : digits_(std::fabs(part) < 0.01 ? 4 : 3), unit_(digits_ == 4 ? 1e4 : 1e3) {}
  double rounded(double error) const { return std::round(error * unit_) / unit_; }
  std::string error(double error) const { return fmt::format("{:.{}f}", error, digits_); }
  // A difference above 0.
  std::string part(double part) const {
    return is_shown(part) ? error(part) : fmt::format("less than {}", error(1 / unit_));
  }
  bool is_shown(double part) const { return part >= 0.5 / unit_; }
  std::string part(double larger, double smaller) const { return part(rounded(larger) - rounded(smaller)); }

 private:
  int digits_;
  double unit_;
};

std::string taken_out_words(std::size_t people) {
  return people == 1 ? "one person, taken out of the data"
                     : with_commas(people) + " people, taken out of the data one at a time";
}

// Of one person there is no interval.
std::string off_words(std::size_t people, double half_width, const Decimals& in) {
  return people == 1 ? "" : fmt::format(" (+- {}, 95%)", in.error(half_width));
}

// Of one person nothing follows for others.
bool is_telling(double own, std::size_t people, double half_width) {
  return people != 1 && std::fabs(own) > half_width;
}

// What of that which the counts take would be taken by those of the others.
std::string parts_sentence(const results::BestResponse& best, const Decimals& in) {
  const double without = best.without->error;
  const double own = *best.own_part();
  const std::size_t people = best.without->people;
  if (people > 0) {
    const double half_width = best.without->half_width;
    const std::string measured =
        fmt::format("Counts that leave the person out bring it to {}{}, measured on {}", in.error(without),
                    off_words(people, half_width, in), taken_out_words(people));
    if (!is_telling(own, people, half_width)) {
      return measured + ": what being counted costs cannot be told from nothing.";
    }
    if (own < 0) return measured + ": being counted does not help her.";
    return fmt::format("{}. What being counted costs is the difference, {}: {} of the error without the person.",
                       measured, in.part(without, best.with.error), share_words(own / without));
  }
  if (own < -kRounding) {
    return fmt::format(
        "Counts that leave the person out bring it to {}: being counted does not help her, it is all the crowd's "
        "rhythm.",
        in.error(without));
  }
  if (own <= kRounding) {
    return "Counts that leave the person out take as much: it is the crowd's rhythm, and to the adversaries tried "
           "being counted adds nothing, on average.";
  }
  const std::string share = fmt::format("{} of the {} by which she would err without the person",
                                        share_words(own / without), in.error(without));
  if (*best.crowd_part() <= kRounding) {
    return fmt::format("Counts that leave the person out take nothing: all of it is what being counted costs, {}.",
                       share);
  }
  return fmt::format(
      "Of the {} that the counts take, counts that leave the person out take {} as well: the crowd's rhythm. What "
      "being counted costs is the rest, {}: {}.",
      in.part(best.before.error, best.with.error), in.part(best.before.error, without),
      in.part(without, best.with.error), share);
}

std::string leak_sentence(const std::vector<results::SummaryRow>& summary, const results::BestResponse& most,
                          const metric::Options& options) {
  if (most.taken() <= kRounding) {
    results::Strategy least = most.before;
    bool never_wrong = true;
    for (const results::BestResponse& best : results::best_responses(summary)) {
      if (best.goal != most.goal || best.release != goal::kRaw) continue;
      never_wrong = never_wrong && best.before.error <= kRounding;
      if (best.before.error < least.error) least = best.before;
    }
    if (never_wrong) {
      return fmt::format(
          "What leaks: the counts give nothing away about anybody. Without them her best guess ({}) is never wrong "
          "about {}.",
          strategy_words(least), goal_words(most.goal));
    }
    return fmt::format(
        "What leaks: nothing about {} that she would not guess as well without the counts. Her best guess without them "
        "errs by {:.3f} ({}), and none of the adversaries tried does better with them.",
        goal_words(most.goal), least.error, strategy_words(least));
  }
  const double largest = largest_error(most.goal, options);
  const Decimals in(most.own_part().value_or(1));
  std::string sentence = fmt::format(
      "What leaks: an adversary who guesses as well as she can errs by {} about {} without the counts ({}) and by {} "
      "with them ({}, {}), {} less{}.",
      in.error(most.before.error), goal_words(most.goal), strategy_words(most.before), in.error(most.with.error),
      most.prior, strategy_words(most.with), share_words(most.loss()),
      largest == 1 ? "" : fmt::format("; the largest error possible is {:.2f}", largest));
  if (most.without) sentence += " " + parts_sentence(most, in);
  return sentence;
}

// Whom being counted makes a difference to, and how much, if she does the same with and without them.
std::string counted_sentence(const results::SummaryRow& row, bool beats_guess, const Details& details) {
  const results::Control& control = *row.control;
  const goal::Combination& key = row.combination;
  const double own = control.own.mean;
  const Decimals in(own);
  const std::string who =
      beats_guess ? "" : ", who errs least of those who use the counts: by " + in.error(row.error.mean);
  const std::string with_others = fmt::format("did she do the same ({}, {}{}) with counts that leave a person out",
                                              key.prior, strategy_words(key.attack, key.decision), who);
  if (row.sampled()) {
    return fmt::format(
        "For how many: a sample does not tell. On average, {}, her error would be {}{}{}, measured on {}.", with_others,
        in.error(control.without.mean), off_words(control.users, control.half_width, in),
        is_telling(own, control.users, control.half_width)
            ? fmt::format(" in place of {}", in.error(row.error.mean))
            : fmt::format(", too near the {} with them to tell the two apart", in.error(row.error.mean)),
        taken_out_words(control.users));
  }
  std::string sentence = fmt::format("For how many: {}, her error would be ", with_others);
  if (control.counted <= 0) return sentence + (own < -kRounding ? "larger for nobody." : "the same for everybody.");
  sentence += fmt::format("larger for {} of the people", share_words(control.counted));
  if (details.own_hundredth) {
    sentence += fmt::format(", and by a hundredth of it or more for {}",
                            *details.own_hundredth > 0 ? share_words(*details.own_hundredth) : "nobody");
  }
  if (own <= kRounding) return sentence + "; over everybody it would be no larger on average.";
  sentence += fmt::format("; over everybody by {} on average ({} in place of {})", in.part(own),
                          in.error(control.without.mean), in.error(row.error.mean));
  if (details.own_p95 && in.is_shown(*details.own_p95)) {
    sentence += fmt::format(", and for one person in twenty by {} or more", in.part(*details.own_p95));
  }
  return sentence + ".";
}

double error_before(const results::SummaryRow& row, const std::vector<results::SummaryRow>& summary) {
  const goal::Combination& key = row.combination;
  const std::string decision = results::prior_reading(key);
  for (const results::SummaryRow& other : summary) {
    const goal::Combination& c = other.combination;
    if (is_raw(other) && c.is_prior() && c.goal == key.goal && c.prior == key.prior && c.decision == decision) {
      return other.error.mean;
    }
  }
  return row.error.mean;
}

// Of the paper's adversaries, the row with the largest mean loss, against the reading of its prior that errs least: she
// would take no other.
const results::SummaryRow* largest_loss(const std::vector<results::SummaryRow>& summary, const std::string& goal) {
  std::map<std::string, double> least;  // error by prior
  for (const results::SummaryRow& row : summary) {
    const goal::Combination& key = row.combination;
    if (!is_raw(row) || !key.is_prior() || !key.paper || key.goal != goal) continue;
    const auto [found, added] = least.emplace(key.prior, row.error.mean);
    if (!added) found->second = std::min(found->second, row.error.mean);
  }
  const results::SummaryRow* worst = nullptr;
  for (const results::SummaryRow& row : summary) {
    const goal::Combination& key = row.combination;
    if (!is_raw(row) || !row.loss_mean || !key.uses_prior || !key.paper || key.goal != goal) continue;
    if (least.contains(key.prior) && error_before(row, summary) > least[key.prior]) continue;
    if (worst == nullptr || *row.loss_mean > *worst->loss_mean) worst = &row;
  }
  return worst;
}

std::string paper_sentence(const results::SummaryRow& row, const std::vector<results::SummaryRow>& summary) {
  const double before = error_before(row, summary);
  const std::string change =
      row.error.mean < before ? fmt::format("{:.0f}% less", (1 - row.error.mean / before) * 100) : "no less";
  const std::optional<double> without = row.control ? row.control->loss_without : std::nullopt;
  return fmt::format(
      "By the paper's measure: against what she knew before, the counts bring her mean error from {:.2f} to {:.2f}, {} "
      "({}); the mean privacy loss is {:.0f}%, and {:.0f}% of the people lose some. {}",
      before, row.error.mean, change, adversary_words(row.combination), *row.loss_mean * 100, *row.improved * 100,
      without
          ? fmt::format("With counts that leave each person out it would be {:.0f}%: the measure does not tell what "
                        "being counted costs from what the others' counts say about anybody.",
                        *without * 100)
          : "It does not tell what being counted costs a person from what the counts of the others say about "
            "anybody.");
}

// How much better the strongest adversary does than the best of the paper's, where the difference can be seen: with the
// knowledge of the answer, or else over all that was tried.
std::string strongest_sentence(const std::vector<results::SummaryRow>& summary, const results::BestResponse& chosen) {
  const auto differs = [](const results::Strategy& paper, const results::Strategy& best) {
    const double less = paper.error - best.error;
    return Decimals(less).is_shown(less);
  };
  const auto sentence = [&](const std::string& knowing, const results::Strategy& paper, const std::string& papers,
                            const results::Strategy& best, const std::string& whose) {
    const Decimals in(paper.error - best.error);
    return fmt::format(
        "Stronger than the paper's: {} the best of the paper's adversaries tried errs by {} about {} ({}{}), the "
        "strongest tried by {} ({}{}). Judged by the paper's alone, people look safer than they are.",
        knowing, in.error(paper.error), goal_words(chosen.goal), papers, strategy_words(paper), in.error(best.error),
        whose, strategy_words(best));
  };
  if (chosen.paper && differs(*chosen.paper, chosen.with)) {
    return sentence(fmt::format("knowing the same ({}),", chosen.prior), *chosen.paper, "", chosen.with, "");
  }
  std::optional<results::BestResponse> paper;
  results::BestResponse best = chosen;
  for (const results::BestResponse& one : results::best_responses(summary)) {
    if (one.goal != chosen.goal || one.release != goal::kRaw) continue;
    if (one.with.error < best.with.error) best = one;
    if (one.paper && (!paper || one.paper->error < paper->paper->error)) paper = one;
  }
  if (!paper || !differs(*paper->paper, best.with)) return "";
  return sentence("with any knowledge tried,", *paper->paper, paper->prior + ", ", best.with, best.prior + ", ");
}

// To which knowledge the counts add most and least, as best responses have it.
std::string knowledge_sentence(const std::vector<results::SummaryRow>& summary, const results::BestResponse& chosen) {
  std::optional<results::BestResponse> least;
  for (const results::BestResponse& best : results::best_responses(summary)) {
    if (best.goal != chosen.goal || best.release != goal::kRaw) continue;
    if (!least || best.taken() < least->taken()) least = best;
  }
  const auto words = [](const results::BestResponse& best) {
    const Decimals in(best.taken());
    return best.taken() > kRounding ? fmt::format("her least error goes from {} to {}", in.error(best.before.error),
                                                  in.error(best.with.error))
                                    : fmt::format("they take nothing off her least error, {:.3f}", best.before.error);
  };
  if (chosen.taken() <= kRounding) return "";
  if (least->prior == chosen.prior) return fmt::format("To whom: somebody who knows {}.", knows(chosen.prior));
  return fmt::format("To whom: most to somebody who knows {} ({}), least to somebody who knows {} ({}).",
                     knows(chosen.prior), words(chosen), knows(least->prior), words(*least));
}

}  // namespace

const results::SummaryRow* strongest(const std::vector<results::SummaryRow>& summary, const std::string& goal,
                                     const std::string& prior) {
  const results::SummaryRow* best = nullptr;
  for (const results::SummaryRow& row : summary) {
    const goal::Combination& key = row.combination;
    if (!is_raw(row) || !key.uses_release || key.goal != goal || key.prior != prior) continue;
    if (best == nullptr || row.error.mean < best->error.mean) best = &row;
  }
  return best;
}

std::optional<results::BestResponse> chosen_adversary(const std::vector<results::SummaryRow>& summary) {
  const std::vector<results::BestResponse> all = results::best_responses(summary);
  for (const metric::MetricEntry* metric : metric::all_metrics()) {
    if (metric->goal.empty()) continue;
    std::optional<results::BestResponse> chosen;
    double error = 0;
    for (const results::BestResponse& best : all) {
      const results::SummaryRow* row = strongest(summary, best.goal, best.prior);
      if (best.goal != metric->goal || best.release != goal::kRaw || row == nullptr) continue;
      const double more = chosen ? std::max(0.0, best.taken()) - std::max(0.0, chosen->taken()) : 1;
      if (more < -kRounding || (more <= kRounding && row->error.mean >= error)) continue;
      chosen = best;
      error = row->error.mean;
    }
    if (chosen) return chosen;
  }
  return std::nullopt;
}

std::vector<std::string> findings(const std::vector<results::SummaryRow>& summary,
                                  const std::vector<goal::ReleaseResult>& releases, const metric::Options& options,
                                  const Details& details) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string sentence) {
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  };
  const std::optional<results::BestResponse> chosen = chosen_adversary(summary);
  if (chosen) {
    add(leak_sentence(summary, *chosen, options));
    const results::SummaryRow& row = *strongest(summary, chosen->goal, chosen->prior);
    if (row.control) add(counted_sentence(row, chosen->taken() > kRounding, details));
    if (!row.control || row.control->counted > 0) {
      add(details.whom);
      add(details.where);
    }
    add(knowledge_sentence(summary, *chosen));
  }
  for (const std::string& sentence : details.membership) add(sentence);
  for (const std::string& sentence : details.trajectories) add(sentence);
  if (chosen) {
    add(strongest_sentence(summary, *chosen));
    const results::SummaryRow* loss = largest_loss(summary, chosen->goal);
    if (loss != nullptr) add(paper_sentence(*loss, summary));
  }
  add(defence_sentence(tried_defences(summary, releases, options), chosen && chosen->taken() > kRounding));
  return sentences;
}

}  // namespace hearsay::report
