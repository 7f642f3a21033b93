// SPDX-License-Identifier: Apache-2.0
//
// Attacks, priors and mechanisms written in Python, as entries of one study's registry.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "experiment/registry.h"
#include "interruptible.h"

namespace hearsay::python {

// A Python object that C++ may copy and let go in any thread, with the interpreter's lock or without.
class Held {
 public:
  explicit Held(nanobind::object object);
  nanobind::handle get() const { return *object_; }

 private:
  std::shared_ptr<nanobind::object> object_;
};

// Adds a class by what it can do: infer makes it an attack, believe a prior, perturb or keep a mechanism. Errors its
// code raises go to `job`. Throws ConfigError for anything else, and for a name that is taken.
void add_own(experiment::Registry& registry, nanobind::handle given, const std::shared_ptr<Job>& job);

// The parts of that.
EntryInfo own_info(nanobind::handle given, int position);
attack::AttackEntry own_attack(nanobind::handle given, const std::shared_ptr<Job>& job);
prior::PriorEntry own_prior(nanobind::handle given, const std::shared_ptr<Job>& job);
release::StepEntry own_mechanism(nanobind::handle given, const std::shared_ptr<Job>& job);

// The step of an object with keep, which leaves out visits before they are counted. What it states of its sensitivity
// is checked with every draw. Throws ConfigError for a statement that is none. Call with the interpreter's lock held.
std::unique_ptr<release::Step> own_visits_step(const Held& object, const std::string& name,
                                               const std::shared_ptr<Job>& job);

// An instance: the object itself, or one made by calling the class without arguments.
nanobind::object instance_of(nanobind::handle given);

}  // namespace hearsay::python
