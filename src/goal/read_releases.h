// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "attack/likely_counts.h"

namespace hearsay::goal {

// Releases as attacks with one prior read them. What the prior expects of counts is made when first needed.
class ReadReleases {
 public:
  ReadReleases(const belief::Series& prior, const dataset::Crowd& crowd, std::size_t threads)
      : prior_(prior), crowd_(crowd), threads_(threads) {}

  // The release itself, or what is made of it once for all that read it so; valid until clear().
  const release::Published& of(const release::Published& release, attack::Reads reads);
  void clear() { made_.clear(); }

  // The same of a release that is read once, after expect(). May be called from several threads at once.
  void expect();
  // What everybody's tables expect, told from elsewhere: by prior, attack::expected_units by table.
  void expect(const std::map<std::string, std::vector<std::vector<std::uint64_t>>>& told, const std::string& prior);
  release::Published read(release::Published release, attack::Reads reads) const;

 private:
  const belief::Series& prior_;
  dataset::Crowd crowd_;
  std::size_t threads_;
  std::vector<std::vector<double>> expected_;  // counts, by table
  std::map<std::pair<const release::Published*, attack::Reads>, release::Published> made_;
};

}  // namespace hearsay::goal
