// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
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

// Draws the defences of a ground. The same draw each time it is asked for.
class Releases {
 public:
  explicit Releases(const Ground& ground);

  Defended defend(const Defence& defence, std::size_t repeat) const;
  // The same draw with one person fewer in every cell, for chains that go by cell: what a person's cells would be
  // without that person. None for others.
  std::optional<release::Published> one_fewer(const Defence& defence, std::size_t repeat) const;
  // The same draw on the data without a person.
  release::Published without(const Defence& defence, std::size_t repeat, UserId user) const;
  // What every draw of every defence is good for, in order, and then every baseline; nothing without defences.
  void measure(const std::function<void(const ReleaseResult& result)>& take) const;

 private:
  Defended defend(const release::Draft& draft, const Defence& defence, std::size_t repeat) const;

  const Ground& ground_;
  std::optional<release::Draft> raw_;  // where there are defences
  std::optional<release::CountMatrix>
      seen_;  // its counts without the people declared but not seen, where there are any
};

}  // namespace hearsay::goal
