// SPDX-License-Identifier: Apache-2.0
//
// Local reports: every person tells about one place an epoch, garbled before anybody sees it, and counts are estimated
// from what is told.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "release/step.h"

namespace hearsay::release {

// What such steps have in common. A person who is at several places in an epoch tells about one of them, drawn alike;
// one who is nowhere tells about null. Which place depends on the person and the epoch, the reports of an epoch have a
// stream of their own.
class LocalReports : public Step {
 public:
  bool needs_visits() const final { return true; }

  // For a user in one epoch, where a population is declared. Estimates contain the number of people: read off the data,
  // it would change with a person, and with it every count.
  Guarantee guarantee(const Draft& draft) const final;
  // At a place where nobody is. None of projected estimates, as what is cut off depends on the counts.
  std::optional<Noise> noise(const Draft& draft) const final;
  void describe(const Draft& draft, Rule& rule) const final;
  // How many people tell about each place.
  Answers ask(const Draft& draft, const NoiseSource& source) const final;
  bool asks() const final { return true; }
  Draft apply(const Draft& draft, const NoiseSource& source) const final;

  // "simplex".
  static ParameterInfo simplex_parameter(const char* default_value);

 protected:
  explicit LocalReports(const Parameters& parameters);

 private:
  // Of one report, where there are so many places, null among them.
  virtual double epsilon(std::size_t rois) const = 0;
  // Of the estimate of an empty place, where so many people report.
  virtual double deviation(double people, std::size_t rois) const = 0;
  // Draws reports and estimates counts without bias; `truths`: how many people tell about each place, null last.
  virtual void estimate(std::span<const std::uint64_t> truths, std::uint64_t people, RandomBits& bits,
                        const NoiseSource& source, std::span<double> estimates) const = 0;

  bool simplex_;  // whether estimates are made the nearest counts that are not below 0 and add up to the people
};

}  // namespace hearsay::release
