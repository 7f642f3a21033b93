// SPDX-License-Identifier: Apache-2.0
//
// What the adversary makes of a prior and a release (paper, section 3.3). One *_attack.cc file an attack. An attack
// never sees the truth: nothing in this folder may include dataset/dataset.h, also not through another header.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/entry.h"
#include "base/ids.h"
#include "dataset/crowd.h"
#include "prior/beliefs.h"
#include "release/release.h"

namespace hearsay::attack {

// What an attack derives from one table of a prior, once, whatever the release. May be empty.
class Preparation {
 public:
  virtual ~Preparation() = default;
};

// Buffers of one worker, kept from epoch to epoch so that nothing is allocated inside one. An attack may use all of it
// and leaves per_user and touched zeroed.
struct Workspace {
  prior::BeliefTable table;
  std::vector<double> background_weights;
  prior::Background background;
  std::vector<std::uint32_t> per_user;
  std::vector<std::uint64_t> touched;  // a bit a user, set where per_user may not be 0
  std::vector<std::uint64_t> pairs;
  std::vector<std::uint32_t> limits;
  std::vector<RoiId> limited;  // where limits is not 0
  std::vector<std::uint32_t> sorted_limits;
};

class Attack {
 public:
  virtual ~Attack() = default;
  virtual std::unique_ptr<Preparation> prepare(const prior::Beliefs& prior, const dataset::Crowd& crowd) const {
    (void)prior, (void)crowd;
    return nullptr;
  }
  // One epoch's inference. The result may point into `prior` and `workspace`. Called from several threads at once, each
  // with its own workspace. Throws only where memory or the positions of a table give out.
  virtual prior::Beliefs infer(const prior::Beliefs& prior, const Preparation* preparation,
                               const release::EpochCounts& counts, const dataset::Crowd& crowd,
                               Workspace& workspace) const = 0;
};

enum class Output { kAsPrior, kDistribution, kAssignment };

struct AttackEntry {
  EntryInfo info;
  Output output = Output::kDistribution;
  bool uses_release = true;  // false: the result is the same for every release
  bool uses_prior = true;    // false: the result is the same for every prior
  bool by_row = false;       // true: infers each row of a prior by itself, so a table may be handed over in parts
  std::function<std::unique_ptr<Attack>()> make;
};

// Every attack, in the paper's order. Generated from the files in this folder.
const std::vector<const AttackEntry*>& all_attacks();

}  // namespace hearsay::attack
