// SPDX-License-Identifier: Apache-2.0
#include "release/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.h"

namespace hearsay::release {
namespace {

// Streams of its own for each step after the first.
class StepNoise final : public NoiseSource {
 public:
  StepNoise(const NoiseSource& source, std::size_t position) : source_(source), position_(position) {}
  std::unique_ptr<RandomBits> stream(std::uint64_t index) const override { return source_.stream(own(index)); }
  double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const override {
    return source_.noise(bits, sensitivity, epsilon, grid);
  }
  double gaussian(RandomBits& bits, double deviation, double grid) const override {
    return source_.gaussian(bits, deviation, grid);
  }
  bool discrete() const override { return source_.discrete(); }
  bool secure() const override { return source_.secure(); }
  std::uint64_t word(std::uint64_t index) const override { return source_.word(own(index)); }

 private:
  std::uint64_t own(std::uint64_t index) const { return position_ == 0 ? index : mix(mix(0, position_), index); }

  const NoiseSource& source_;
  std::size_t position_;
};

void check_counts(const CountMatrix& counts, const NamedStep& step) {
  constexpr double kMost = 0x1p53;
  const auto all = counts.all();
  if (std::all_of(all.begin(), all.end(), [](double count) { return std::fabs(count) <= kMost; })) return;
  throw ConfigError("release.steps", step.text(),
                    fmt::format("makes counts that are not between {0:.3g} and {1:.3g}, where whole numbers are exact: "
                                "its noise is too large to leave anything of them",
                                -kMost, kMost));
}

}  // namespace

void Chain::add(const StepEntry& entry, const Parameters& parameters) {
  std::shared_ptr<const Step> step = make_step(entry, parameters);
  const bool visits_left = visit_steps_ == steps_.size();
  if ((step->needs_visits() || step->gives_visits()) && !visits_left) {
    throw ConfigError("release.steps", entry.info.name,
                      fmt::format("must come first: after {} there are counts, and nobody's visits", name_));
  }
  if (visits_left && step->gives_visits()) ++visit_steps_;
  steps_.push_back(std::move(step));
  name_ += (name_.empty() ? "" : "+") + entry.info.name;
  if (!parameters.empty()) parameter_ += (parameter_.empty() ? "" : "; ") + parameters.label();
  named_steps_.push_back({entry.info.name, parameters.empty() ? "" : parameters.label()});
  steps_text_ += (steps_text_.empty() ? "" : ", ") + named_steps_.back().text();
}

void Chain::call(const std::string& name) {
  name_ = name;
  parameter_.clear();
}

bool Chain::by_cell() const {
  return std::all_of(steps_.begin(), steps_.end(), [](const auto& step) { return step->by_cell(); });
}

bool Chain::by_person() const {
  return std::all_of(steps_.begin(), steps_.end(),
                     [](const auto& step) { return step->gives_visits() ? step->by_person() : step->by_cell(); });
}

bool Chain::by_place() const {
  return std::all_of(steps_.begin(), steps_.end(), [](const auto& step) { return step->by_place(); });
}

bool Chain::reads_visits() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const auto& step) { return step->reads_visits(); });
}

bool Chain::works_in_shares() const {
  for (std::size_t i = 0; i < visit_steps_; ++i) {
    if (!steps_[i]->by_person()) return false;
  }
  if (visit_steps_ == steps_.size()) return true;
  const Step& first = *steps_[visit_steps_];
  return !first.reads_visits() || first.asks();
}

void Chain::check(Shape shape) const {
  for (const auto& step : steps_) {
    step->check(shape);
    if (step->gives_visits()) shape.epochs.reset();
  }
}

std::string Chain::drawless_visits() const {
  std::string text;
  for (std::size_t i = 0; i < visit_steps_; ++i) {
    if (steps_[i]->draws()) return "";
    text += named_steps_[i].name + "(" + named_steps_[i].parameter + ")";
  }
  return text;
}

Draft Chain::prepare(const Draft& draft, const NoiseSource& source) const {
  Draft prepared = draft;
  for (std::size_t i = 0; i < visit_steps_; ++i) prepared = steps_[i]->apply(prepared, StepNoise(source, i));
  return prepared;
}

Answers Chain::ask(const Draft& prepared, const NoiseSource& source) const {
  if (visit_steps_ == steps_.size()) return {};
  return steps_[visit_steps_]->ask(prepared, StepNoise(source, visit_steps_));
}

Guarantee Chain::guarantee(const Draft& prepared) const {
  if (visit_steps_ == steps_.size()) return {std::nullopt, "none", "No noise is added.", std::nullopt};
  Guarantee promise = steps_[visit_steps_]->guarantee(prepared);
  for (std::size_t i = visit_steps_; i-- > 0 && promise.epsilon;) promise = steps_[i]->carried(promise);
  return promise;
}

bool Chain::leaves_out() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const auto& step) { return step->leaves_out(); });
}

std::optional<Noise> Chain::noise(const Draft& prepared) const {
  if (visit_steps_ == steps_.size()) return std::nullopt;
  const auto first = steps_.begin() + static_cast<std::ptrdiff_t>(visit_steps_);
  const bool rules = std::all_of(first + 1, steps_.end(), [](const auto& step) { return step->is_rule(); });
  return rules ? (*first)->noise(prepared) : std::nullopt;
}

Rule Chain::rule(const Draft& prepared) const {
  Rule rule;
  for (const auto& step : steps_) step->describe(prepared, rule);
  return rule;
}

Draft Chain::finish(const Draft& prepared, const NoiseSource& source, CountMatrix* noisy) const {
  Draft draft = prepared;
  for (std::size_t i = visit_steps_; i < steps_.size(); ++i) {
    steps_[i]->check({draft.geometry().epochs});
    draft = steps_[i]->apply(draft, StepNoise(source, i));
    check_counts(draft.counts(), named_steps_[i]);
    if (noisy != nullptr && i == visit_steps_) *noisy = draft.counts();
  }
  return draft;
}

}  // namespace hearsay::release
