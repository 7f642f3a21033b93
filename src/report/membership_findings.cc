// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text_table.h"
#include "goal/combination.h"
#include "report/membership.h"
#include "report/words.h"

namespace hearsay::report {
namespace {

// From where on an AUC is called more than a hint, and nearly certain: those that the shares of targets are given for.
constexpr double kHint = 0.6;
constexpr double kSure = 0.9;
constexpr std::size_t kListed = 5;

// 1 is said only where it is meant.
std::string auc_words(double auc) {
  if (auc >= 1) return "1";
  if (auc > 0.9995) return "above 0.999";
  return fmt::format("{:.{}f}", auc, auc > 0.995 ? 3 : 2);
}

// The same rounded down, for "or more".
std::string floor_words(double auc) {
  const double unit = auc >= 0.99 && auc < 1 ? 1000 : 100;
  return fmt::format("{:g}", std::floor(auc * unit + 1e-9) / unit);
}

std::string knowledge_words(const MembershipLine& line) {
  return fmt::format("{} and {}", target_words(line.target), crowd_words(line.crowd));
}

// The same where the person is first spoken of.
std::string introduced(std::string words) {
  const std::string the = "the person";
  const std::size_t at = words.find(the);
  return at == std::string::npos ? words : words.replace(at, the.size(), "a person");
}

bool same_knowledge(const MembershipLine& a, const MembershipLine& b) {
  return a.target == b.target && a.crowd == b.crowd;
}

bool same_release(const MembershipLine& a, const MembershipLine& b) {
  return a.release == b.release && a.parameter == b.parameter;
}

// Of lines that are the same by `same`, the strongest at a group; in order of appearance.
struct Reached {
  const MembershipLine* line;
  double auc;
};
template <typename Same>
std::vector<Reached> strongest_of(const Membership& membership, std::size_t group, const Same& same) {
  std::vector<Reached> all;
  for (const MembershipLine& line : membership.lines) {
    const MembershipPoint* point = line.at(group);
    if (point == nullptr || !membership.tells(*point)) continue;
    const double auc = membership.typical(*point);
    const auto found = std::find_if(all.begin(), all.end(), [&](const Reached& one) { return same(*one.line, line); });
    if (found == all.end()) {
      all.push_back({&line, auc});
    } else if (auc > found->auc) {
      *found = {&line, auc};
    }
  }
  return all;
}

const char* average_words(const Membership& membership, const MembershipPoint& point) {
  return membership.tells_median(point) ? "median" : "mean";
}

std::string counted_sentence(const Membership& membership, const MembershipChoice& choice) {
  const MembershipLine& line = membership.lines[choice.line];
  const MembershipPoint& point = *line.at(choice.group);
  const double auc = membership.typical(point);
  const char* can = auc >= kSure   ? "can tell"
                    : auc >= kHint ? "can tell better than by guessing"
                                   : "can tell hardly better than by guessing, if at all,";
  const std::string counts =
      line.is_raw() ? "the counts" : "the counts of " + release_words(line.release, line.parameter);
  std::string sentence = fmt::format(
      "Were you counted: somebody who knows {} {} from {} of a group of {} people whether that person is among them. ",
      introduced(knowledge_words(line)), can, counts, with_commas(point.group));
  const std::string people = with_commas(point.targets);
  sentence += membership.tells_median(point)
                  ? fmt::format(
                        "Of two groups, one with the person and one without, she picks the right one with a "
                        "probability (AUC) of {} for {}half of the {} people tried",
                        floor_words(auc) + (auc < 1 ? " or more" : ""), auc < 1 ? "" : "at least ", people)
                  : fmt::format(
                        "Of two groups, one with the person and one without, she picks the right one with a "
                        "probability (AUC) of {} on average over the {} people tried",
                        auc_words(auc), people);
  sentence += fmt::format(
      " ({}); 0.5 is a blind guess. The groups were drawn at random from the people in the data, {} with and as many "
      "without each person.",
      line.attack, with_commas(point.trials));
  if (point.near_all) {
    sentence +=
        " They are more than a quarter of all people, so that they differ too little and the AUC is overstated.";
  }
  return sentence;
}

// What others who know something else of the person reach on the same counts: of each knowledge the strongest, as the
// choice has it.
std::string knowledge_sentence(const Membership& membership, const MembershipChoice& choice) {
  const MembershipLine& chosen = membership.lines[choice.line];
  std::vector<Reached> others;
  for (const Reached& one : strongest_of(membership, choice.group, [](const auto&a, const auto&b) {
         return same_knowledge(a, b) && same_release(a, b);
       })) {
    if (!same_release(*one.line, chosen) || one.line->target == chosen.target) continue;
    const auto found = std::find_if(others.begin(), others.end(),
                                    [&](const Reached& other) { return other.line->target == one.line->target; });
    if (found == others.end()) {
      others.push_back(one);
    } else if (membership.rank(*one.line, choice.group) > membership.rank(*found->line, choice.group)) {
      *found = one;
    }
  }
  if (others.empty()) return "";
  std::stable_sort(others.begin(), others.end(), [](const Reached& a, const Reached& b) { return a.auc > b.auc; });
  const bool some = others.size() > kListed;
  if (some) others.erase(others.begin() + kListed - 1, others.end() - 1);
  std::vector<std::string> words;
  words.reserve(others.size());
  for (const Reached& one : others) {
    words.push_back(fmt::format("{} knowing {}", auc_words(one.auc), knowledge_words(*one.line)));
  }
  return fmt::format("Counted, to whom else: in groups of {} the {} AUC is {}{}.", with_commas(choice.group),
                     average_words(membership, *chosen.at(choice.group)), fmt::join(words, ", "),
                     some ? " (the strongest, and the weakest tried)" : "");
}

// The same knowledge against defended counts, and the best attack on each.
std::string defended_sentence(const Membership& membership, const MembershipChoice& choice) {
  const MembershipLine& chosen = membership.lines[choice.line];
  const MembershipPoint& point = *chosen.at(choice.group);
  if (!chosen.is_raw()) return "";
  std::vector<Reached> defended;
  for (const Reached& one : strongest_of(membership, choice.group, [](const auto&a, const auto&b) {
         return same_knowledge(a, b) && same_release(a, b);
       })) {
    if (!one.line->is_raw() && same_knowledge(*one.line, chosen)) defended.push_back(one);
  }
  if (defended.empty()) return "";
  const auto words = [](const Reached& one) {
    return fmt::format("{} with {}", auc_words(one.auc), release_words(one.line->release, one.line->parameter));
  };
  const std::string start =
      fmt::format("Counted, defended: with the same knowledge and groups of {}, the {} AUC of {} becomes ",
                  with_commas(choice.group), average_words(membership, point), auc_words(membership.typical(point)));
  if (defended.size() <= kListed) {
    std::vector<std::string> all;
    all.reserve(defended.size());
    for (const Reached& one : defended) all.push_back(words(one));
    return fmt::format("{}{}.", start, fmt::join(all, ", "));
  }
  const auto weaker = [](const Reached& a, const Reached& b) { return a.auc < b.auc; };
  const Reached& low = *std::min_element(defended.begin(), defended.end(), weaker);
  const Reached& high = *std::max_element(defended.begin(), defended.end(), weaker);
  return fmt::format("{}{} at the least and {} at the most, of {} releases tried.", start, words(low), words(high),
                     defended.size());
}

std::string audit_words(const AuditRow& row) {
  return fmt::format("{} claims epsilon {:.4g} for {}; at least {:.4g} was found",
                     release_words(row.release, row.parameter), row.claimed, row.unit, row.found);
}

std::string audit_sentence(const std::vector<AuditRow>& audits) {
  if (audits.empty()) return "";
  std::vector<std::string> broken;
  for (const AuditRow& row : audits) {
    if (row.broken) broken.push_back(audit_words(row));
  }
  if (broken.empty()) {
    const auto closest = std::max_element(audits.begin(), audits.end(), [](const AuditRow& a, const AuditRow& b) {
      return a.found * b.claimed < b.found * a.claimed;
    });
    if (audits.size() == 1) {
      return fmt::format("Audit: {}, no more than it claims. That proves nothing beyond the attack tried.",
                         audit_words(*closest));
    }
    return fmt::format(
        "Audit: none of the {} promises tried was found broken. The one that came closest: {}. That proves nothing "
        "beyond the attack tried.",
        audits.size(), audit_words(*closest));
  }
  const std::size_t count = broken.size();
  const std::size_t more = count > kListed ? count - kListed : 0;
  broken.resize(count - more);
  return fmt::format("Audit: {} of the {} promises tried {} broken, each at 95% confidence. {}{}.", count,
                     audits.size(), count == 1 ? "is" : "are", fmt::join(broken, ". "),
                     more > 0 ? fmt::format(". {} more are in the table", more) : "");
}

}  // namespace

std::vector<std::string> membership_sentences(const Membership& membership) {
  std::vector<std::string> sentences;
  if (const std::optional<MembershipChoice> choice = membership.choice()) {
    sentences = {counted_sentence(membership, *choice), knowledge_sentence(membership, *choice),
                 defended_sentence(membership, *choice)};
  } else if (!membership.lines.empty()) {
    sentences.push_back(
        fmt::format("Were you counted: it was tried on fewer than {} people, too few to tell of "
                    "(results.least_people).",
                    membership.least_people));
  }
  sentences.push_back(audit_sentence(membership.audits));
  std::erase(sentences, "");
  return sentences;
}

}  // namespace hearsay::report
