// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "release/step.h"

namespace hearsay::release {

// A step as a study names it: "BOUND", "at_most=20".
struct NamedStep {
  std::string name;
  std::string parameter;  // empty where none was given
  // "BOUND(at_most=20)"
  std::string text() const { return parameter.empty() ? name : name + "(" + parameter + ")"; }
};

// A defence: steps in the order they are taken. Those that give visits come first; the first other one makes the
// promise, and what follows it is free, as it sees nothing but what that one gave.
class Chain {
 public:
  // Throws ConfigError for parameters out of range, and where the step asks for visits that an earlier one did not
  // keep.
  void add(const StepEntry& entry, const Parameters& parameters);

  // "SCM"; "BOUND+LAPLACE" of several; or what it is called.
  const std::string& name() const { return name_; }
  // By a name of its own, in place of its steps and their parameters.
  void call(const std::string& name);
  // "sensitivity=event,epsilon=0.1"; of several steps, those that have any, with "; " between them.
  const std::string& parameter() const { return parameter_; }
  // "BOUND(at_most=20), LAPLACE(epsilon=1)", whatever it is called.
  const std::string& steps() const { return steps_text_; }
  // The same, one by one.
  const std::vector<NamedStep>& named_steps() const { return named_steps_; }

  // Whether every step goes by cell, or by place, and whether one reads visits.
  bool by_cell() const;
  // Whether steps that give visits go by person and the others by cell: leaving a person out changes the cells that it
  // was counted in and no others.
  bool by_person() const;
  bool by_place() const;
  bool reads_visits() const;
  // Whether it can be run on shares of the people: prepare() and ask() on each, and the rest on
  // Draft::of_everybody().
  bool works_in_shares() const;

  // Throws ConfigError where a step does not fit such places, and such epochs before the first that gives other visits.
  void check(Shape shape) const;

  bool gives_visits() const { return visit_steps_ > 0; }
  // The steps that give visits, where the visits do not depend on the draw; else, and without such steps, empty. Chains
  // that have the same prepare the same draft.
  std::string drawless_visits() const;
  // The draft after the steps that give visits.
  Draft prepare(const Draft& draft, const NoiseSource& source) const;
  // What the other steps ask of the visits of a draft so prepared, besides the counts of them.
  Answers ask(const Draft& prepared, const NoiseSource& source) const;
  // What the chain promises, and the noise of its counts, of a draft so prepared.
  Guarantee guarantee(const Draft& prepared) const;
  // True if visits may be missing from its counts, so that noise is not all that they are off by.
  bool leaves_out() const;
  // None where others than rules follow the step that adds it.
  std::optional<Noise> noise(const Draft& prepared) const;
  // What everybody may know of how its counts come about.
  Rule rule(const Draft& prepared) const;
  // The other steps. `noisy`: filled with the counts after the first of them, where anybody asks.
  Draft finish(const Draft& prepared, const NoiseSource& source, CountMatrix* noisy = nullptr) const;

  Draft run(const Draft& draft, const NoiseSource& source) const { return finish(prepare(draft, source), source); }

 private:
  std::vector<std::shared_ptr<const Step>> steps_;
  std::size_t visit_steps_ = 0;  // the first of them, which give visits
  std::string name_;
  std::string parameter_;
  std::string steps_text_;
  std::vector<NamedStep> named_steps_;
};

}  // namespace hearsay::release
