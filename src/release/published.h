// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "release/geometry.h"
#include "release/guarantee.h"
#include "release/release.h"
#include "release/rule.h"

namespace hearsay::release {

// A count that was not published, and what the rule that left it out says of it.
struct Missing {
  std::uint32_t place = 0;  // of the publication, null among them as the last
  std::uint32_t epoch = 0;
  double least = 0;
  double most = 0;
};

// The end of a chain of defences: all that anybody gets to see of the inference period.
class Published {
 public:
  // Counts of the study's own places and epochs, all of them there, without a promise.
  explicit Published(Release counts);
  // Counts by the places and epochs of `geometry`; `users`: how many people there are.
  Published(const CountMatrix& counts, Geometry geometry, std::size_t users, std::vector<Missing> missing,
            Guarantee guarantee, Rule rule = {});

  const Geometry& geometry() const { return geometry_; }
  const Release& counts() const { return *counts_; }
  // For whoever asks about the study's own places and epochs: the counts themselves where they are those, else
  // expanded.
  const Release& fine() const { return *fine_; }
  const std::vector<Missing>& missing() const { return missing_; }  // by epoch and place; 0 among the counts
  const Guarantee& guarantee() const { return guarantee_; }
  const Rule& rule() const { return rule_; }  // how the counts came about

 private:
  Geometry geometry_;
  std::shared_ptr<const Release> counts_;
  std::shared_ptr<const Release> fine_;
  std::vector<Missing> missing_;
  Guarantee guarantee_;
  Rule rule_;
};

}  // namespace hearsay::release
