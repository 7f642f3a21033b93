// SPDX-License-Identifier: Apache-2.0
//
// Defences (paper, section 5): what is done to visits and counts before they are published, and what that promises. A
// defence is a chain of steps (release/chain.h), one *_step.cc file a step.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/entry.h"
#include "base/parameters.h"
#include "release/accounting.h"
#include "release/draft.h"
#include "release/guarantee.h"
#include "release/noise_source.h"
#include "release/rule.h"

namespace hearsay::release {

class Step {
 public:
  virtual ~Step() = default;

  // What it makes of a draft. A choice made for a person depends on `source` and the person, noise on `source`, place
  // and epoch: on nothing else, so that leaving somebody out changes nothing else.
  virtual Draft apply(const Draft& draft, const NoiseSource& source) const = 0;

  // Of a step that gives no visits: what it needs of Draft::visits(), where the draft has no answers. The answers for
  // shares of the people must give those for everybody.
  virtual Answers ask(const Draft& draft, const NoiseSource& source) const {
    (void)draft;
    (void)source;
    return {};
  }
  // Whether it looks at visits in ask() alone.
  virtual bool asks() const { return false; }

  // Whether it asks who was where, so that no step before it may have changed the counts alone.
  virtual bool needs_visits() const { return false; }
  // True if visits may be missing from its counts, so that noise is not all that they are off by.
  virtual bool leaves_out() const { return gives_visits(); }
  // Whether it looks at Draft::visits() at all, rather than at the counts of them alone.
  virtual bool reads_visits() const { return needs_visits() || gives_visits(); }
  // Whether what it gives still is visits: it leaves out or merges some, and adds nothing to counts.
  virtual bool gives_visits() const { return false; }
  // Of one that gives visits: whether they depend on the draw.
  virtual bool draws() const { return true; }
  // Of one that gives visits: whether what it gives of a person depends on that person's visits and the draw alone.
  virtual bool by_person() const { return false; }
  // Whether what it makes of a count depends on that count, its place and epoch and the noise alone, so that leaving a
  // person out changes that person's cells and no others.
  virtual bool by_cell() const { return false; }
  // Whether what it makes of a place's counts depends on those and the noise alone, and noise does not depend on
  // counts.
  virtual bool by_place() const { return by_cell(); }
  // Whether what it makes of a count follows from that count, without noise.
  virtual bool is_rule() const { return false; }
  // Throws ConfigError where the parameters do not fit such places and epochs.
  virtual void check(const Shape& shape) const { (void)shape; }

  // Of a step that gives no visits: what its counts promise, where those of `draft` are plain counts of visits.
  virtual Guarantee guarantee(const Draft& draft) const {
    (void)draft;
    return {std::nullopt, "none", "It claims no guarantee.", std::nullopt};
  }
  // Of a step that gives visits: what a promise about those means for the visits before it.
  virtual Guarantee carried(const Guarantee& later) const {
    (void)later;
    return {std::nullopt, "none", "What is done to visits before noise is added claims no guarantee.", std::nullopt};
  }
  // From the parameters, the numbers of places and epochs and a declared population alone, so that it may be published;
  // none where it depends on the data besides.
  virtual std::optional<Noise> noise(const Draft& draft) const {
    (void)draft;
    return std::nullopt;
  }
  // What somebody who knows the step knows of how its counts come about, besides what earlier steps did. A step that
  // says nothing may do anything to counts.
  virtual void describe(const Draft& draft, Rule& rule) const {
    if (gives_visits()) return;
    rule.exact = false;
    rule.scale = 0;
    if (const std::optional<Noise> added = noise(draft)) rule.variance += added->deviation * added->deviation;
  }
};

struct StepEntry {
  EntryInfo info;  // its parameters are those make reads
  // Throws ConfigError for parameters missing or out of range.
  std::function<std::unique_ptr<Step>(const Parameters& parameters)> make;
};

// Parameters that several steps have.
ParameterInfo epsilon_parameter();
// Reads the parameter epsilon. Throws ConfigError outside of 1e-9 to 1e15, where noise is no usable number.
double given_epsilon(const Parameters& parameters);
ParameterInfo unit_parameter(const char* default_value);

// The step with these parameters, and the defaults of those not given.
std::unique_ptr<Step> make_step(const StepEntry& entry, const Parameters& given);

// Every step, in the paper's order. Generated from the files in this folder.
const std::vector<const StepEntry*>& all_steps();

// The one of these with this name. Throws ConfigError for `key` where there is none.
const StepEntry& step_named(const std::string& key, const std::string& name,
                            const std::vector<const StepEntry*>& steps);

}  // namespace hearsay::release
