// SPDX-License-Identifier: Apache-2.0
#include "advice/advice.h"
#include "advice/choice.h"
#include "report/chains.h"
#include "report/document_numbers.h"

namespace hearsay::advice {
namespace {

results::Json value_json(const std::optional<Value>& value) {
  if (!value) return {};
  return {{"mean", value->mean}, {"low", value->low}, {"high", value->high}};
}

results::Json priced_json(const Priced& one, const Limits& limits) {
  results::Json json = {{"label", one.candidate.label()}};
  json["preset"] = one.candidate.preset.empty() ? results::Json() : results::Json(one.candidate.preset);
  json["steps"] = report::steps_json(one.candidate.chain);
  json.update(report::guarantee_json(one.guarantee));
  json["mae"] = value_json(one.mae);
  json["own_loss"] = value_json(one.own_loss);
  json["own_goal"] = one.own_goal;
  json["own_prior"] = one.own_prior;
  json["membership"] = value_json(one.membership);
  json["draws"] = one.draws;
  json["people"] = one.people;
  json["targets"] = one.targets;
  json["trials"] = one.trials;
  json["unplayable"] = one.unplayable;
  json["rung"] = one.rung;
  json["left_out"] = one.left_out;
  json["worse_than"] = one.worse_than;
  json["keeps"] = keeps_to(one, limits);
  return json;
}

results::Json index_json(const std::optional<std::size_t>& index) {
  return index ? results::Json(*index) : results::Json();
}

}  // namespace

results::Json advice_json(const Advice& advice) {
  results::Json json;
  json["limits"] = {{"own_loss", report::optional_number(advice.limits.own_loss)},
                    {"membership", report::optional_number(advice.limits.membership)},
                    {"mae", report::optional_number(advice.limits.mae)}};
  json["seed"] = advice.seed;
  json["budget_seconds"] = advice.budget_seconds;
  json["candidates"] = advice.candidates;
  json["rungs"] = advice.rungs;
  json["measured"] = advice.measured;
  json["unmeasured"] = advice.unmeasured;
  json["nothing"] = advice.nothing;
  json["unplayable"] = advice.unplayable;
  json["cut_short"] = advice.cut_short;
  json["priors"] = advice.priors;
  json["attacks"] = advice.attacks;
  json["no_membership"] = advice.no_membership;
  json["sentences"] = advice.sentences;
  json["chosen"] = index_json(advice.chosen);
  json["nearest"] = index_json(advice.nearest);
  json["misses"] = results::Json::array();
  for (const Miss& miss : advice.misses) {
    json["misses"].push_back({{"limit", miss.limit}, {"allowed", miss.allowed}, {"found", miss.found}});
  }
  json["impossible"] = advice.impossible;
  json["steps"] = advice.steps;
  json["reasons"] = advice.reasons;
  json["a_year"] = advice.a_year ? results::Json(advice.a_year->sentence) : results::Json();
  json["command"] = advice.command;
  json["command_notes"] = advice.command_notes;
  json["frontier"] = results::Json::array();
  for (const Priced& one : advice.frontier) json["frontier"].push_back(priced_json(one, advice.limits));
  return json;
}

}  // namespace hearsay::advice
