// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "goal/ground.h"
#include "release/published.h"
#include "release/utility.h"

namespace hearsay::goal {

// A draw of a defence, ready to be published, and what it promises.
struct Defended {
  release::Draft draft;
  release::Guarantee guarantee;
  release::Rule rule;
  release::Published publish() const { return draft.publish(guarantee, rule); }
};

// A draw with one person fewer in every cell.
struct OneFewer {
  release::Published counts;
  // Where people are counted, by the study's own places and epochs; none: where they are.
  std::shared_ptr<const dataset::VisitStore> visits = nullptr;
  std::optional<dataset::Truth> counted = std::nullopt;
};

// One release of one chain: what it costs and what it promises. Or a baseline (release/baselines.h), which is no draw
// and promises nothing.
struct ReleaseResult {
  std::string release;
  std::string parameter;
  std::size_t repeat = 0;  // 0 of a baseline
  release::Utility utility;
  release::Guarantee guarantee;
  std::string baseline = {};  // of a baseline: what it is in words ("publishing zeros"); else empty
};

// Draws the defences of a ground. The same draw each time it is asked for. Not for use by two threads at once, but for
// without().
class Releases {
 public:
  explicit Releases(const Ground& ground);

  Defended defend(const Defence& defence, std::size_t repeat) const;
  // The same draw with one person fewer in every cell, for chains that go by person and cell: what the cells that a
  // person is counted in would be without that person. None for others.
  std::optional<OneFewer> one_fewer(const Defence& defence, std::size_t repeat) const;
  // The same draw on the data without a person.
  release::Published without(const Defence& defence, std::size_t repeat, UserId user) const;
  // What the draw published in the place of the raw counts and every draw of every defence are good for, in order, and
  // then every baseline; nothing where there is no draw.
  void measure(const std::function<void(const ReleaseResult& result)>& take) const;

 private:
  release::Draft prepare(const Defence& defence, std::size_t repeat, const release::NoiseSource& noise) const;
  // The raw draft after the steps that give visits; the last one is kept, as it is asked for more than once.
  const release::Draft& prepared(const Defence& defence, std::size_t repeat, const release::NoiseSource& noise) const;
  static Defended finish(const release::Draft& prepared, const release::NoiseSource& noise, const Defence& defence);

  std::size_t number_of(const Defence& defence) const {
    return static_cast<std::size_t>(&defence - ground_.defences.data());
  }

  const Ground& ground_;
  std::optional<release::Draft> raw_;      // where there are draws
  std::optional<release::Draft> at_hand_;  // the same of the people at hand, where these are not all
  std::optional<release::CountMatrix>
      seen_;  // its counts without the people declared but not seen, where there are any
  struct Prepared {
    const Defence* defence;
    std::size_t repeat;
    std::string visits;  // as Chain::drawless_visits
    release::Draft draft;
  };
  mutable std::optional<Prepared> prepared_;
  mutable std::optional<Defended> published_;  // what stands in the place of the raw counts, once drawn
};

}  // namespace hearsay::goal
