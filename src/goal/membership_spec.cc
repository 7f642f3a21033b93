// SPDX-License-Identifier: Apache-2.0
#include "goal/membership_spec.h"

#include <charconv>
#include <string_view>

namespace hearsay::goal {
namespace {

constexpr const char* kKnockKnock =
    "Pyrgelis, Troncoso, De Cristofaro: Knock Knock, Who's There? Membership Inference on Aggregate Location Data. "
    "NDSS "
    "2018.";

std::optional<std::size_t> hour_of(std::string_view text) {
  std::size_t hour = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), hour);
  if (problem != std::errc() || end != text.data() + text.size() || hour > 23) return std::nullopt;
  return hour;
}

// "7-9+17": the hours from 7 to 9, and 17.
std::array<bool, 24> hours_of(const Parameters& parameters) {
  std::array<bool, 24> hours{};
  std::string_view rest = parameters.text("hours");
  if (rest == "all") return TargetKnowledge::all_hours();
  while (true) {
    const std::string_view part = rest.substr(0, rest.find('+'));
    const std::size_t dash = part.find('-');
    const std::optional<std::size_t> first = hour_of(part.substr(0, dash));
    const std::optional<std::size_t> last = dash == std::string_view::npos ? first : hour_of(part.substr(dash + 1));
    if (!first || !last || *first > *last) {
      parameters.fail("hours", "must be hours of the day from 0 to 23 such as 7-9+17, or all");
    }
    for (std::size_t hour = *first; hour <= *last; ++hour) hours[hour] = true;
    if (part.size() == rest.size()) return hours;
    rest.remove_prefix(part.size() + 1);
  }
}

double share_of(const Parameters& parameters) {
  const double share = parameters.number("share");
  if (!(share > 0 && share <= 1)) parameters.fail("share", "must be above 0 and at most 1");
  return share;
}

}  // namespace

const std::vector<EntryInfo>& target_knowledge() {
  static const std::vector<EntryInfo> kList = {
      {.position = 1,
       .name = "trace",
       .summary = "Where the target was, hour by hour.",
       .explanation =
           "The target's visits in the inference period: all, a share of the hours drawn at random, or those "
           "at some hours of the day. Of the other hours she knows nothing.",
       .parameters = {{"share", "1", "of the hours in which the target was somewhere that she knows"},
                      {"hours", "all", "of the day that she knows, such as 7-9+17"}},
       .citation = kKnockKnock},
      {.position = 2,
       .name = "habits",
       .summary = "How often the target was where in the observation period.",
       .explanation =
           "The rates of a prior that counts visits: how often the target was at a place at that time of the "
           "week (ROI_DAY_WEEK), of the day (ROI_DAY) or at all (FREQ_ROI). A rate seen in few epochs leans "
           "towards that of the day, and that towards the one at all, by the weight of five epochs.",
       .parameters = {{"prior", "ROI_DAY_WEEK", "FREQ_ROI, ROI_DAY or ROI_DAY_WEEK"}},
       .citation = kPaper}};
  return kList;
}

const std::vector<EntryInfo>& crowd_knowledge() {
  static const std::vector<EntryInfo> kList = {
      {.position = 1,
       .name = "none",
       .summary = "Nothing of anybody but the target: what is usual is read off the release itself.",
       .explanation = "How likely somebody is in a cell is the product of the margins of the published counts over "
                      "places and over hours.",
       .parameters = {},
       .citation = "Guan, Guépin, Crețu, de Montjoye: A Zero Auxiliary Knowledge Membership Inference Attack on "
                   "Aggregate Location Data. PETS 2024."},
      {.position = 2,
       .name = "sample",
       .summary = "The traces of some other people.",
       .explanation =
           "She knows the visits of a share of all people in the inference period. Nobody of them is a target "
           "or in a group.",
       .parameters = {{"share", "0.2", "of all people"}},
       .citation = kKnockKnock},
      {.position = 3,
       .name = "past",
       .summary = "Earlier counts of everybody.",
       .explanation =
           "How many people were where in the observation period, at the same time of the week or, where that "
           "was not observed, of the day.",
       .parameters = {},
       .citation = kKnockKnock}};
  return kList;
}

TargetKnowledge target_knowledge_of(const std::string& name, const Parameters& parameters) {
  TargetKnowledge knowledge;
  knowledge.name = name;
  knowledge.habits = parameters.has("prior");
  if (knowledge.habits) {
    constexpr std::array<std::size_t, 3> kSeasons = {0, 24, 168};
    knowledge.season_hours = kSeasons[parameters.choice("prior", {"FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK"})];
    return knowledge;
  }
  knowledge.share = share_of(parameters);
  knowledge.hours = hours_of(parameters);
  return knowledge;
}

CrowdKnowledge crowd_knowledge_of(const std::string& name, const Parameters& parameters) {
  using Kind = CrowdKnowledge::Kind;
  if (parameters.has("share")) {
    const double share = share_of(parameters);
    if (share > 0.5) parameters.fail("share", "must be at most 0.5: groups are drawn from the others");
    return {name, Kind::kSample, share};
  }
  return {name, name == "past" ? Kind::kPast : Kind::kNone, 0};
}

}  // namespace hearsay::goal
