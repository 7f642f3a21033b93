// SPDX-License-Identifier: Apache-2.0
//
// What the adversary makes of a prior and a release (paper, section 3.3). One *_attack.cc file an attack. An attack
// never sees the truth: nothing in this folder may include dataset/dataset.h, also not through another header.
//
// What an attack needs of everybody at once is small, and what it does to each person needs no other person. So an
// attack has up to three moves, of which only the last is required:
//   summarise   range of users -> Summary     adds up over ranges; made once a prior, whatever the release
//   plan        Summary, release -> Plan      a few numbers a place and epoch
//   infer       range of users, Plan -> beliefs about them, epoch by epoch
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "attack/workspace.h"
#include "base/bytes.h"
#include "base/entry.h"
#include "base/ids.h"
#include "base/parameters.h"
#include "belief/beliefs.h"
#include "dataset/crowd.h"
#include "release/published.h"
#include "release/release.h"

namespace hearsay::attack {

// Places from one number to below another, null the last of all.
struct PlaceRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool contains(std::size_t place) const { return begin <= place && place < end; }
};

// A person among everybody: by number, and by place in the order of reports.
struct PersonKey {
  std::uint32_t number = 0;
  std::uint32_t rank = 0;
};

// What an attack must know of everybody in one table of a prior.
class Summary {
 public:
  virtual ~Summary() = default;
  // Takes in the summary of other users, made by the same attack.
  virtual void add(std::unique_ptr<Summary> next) = 0;
  // What it holds of some places, as bytes for Attack::read_summary: for people who are worked on in several processes.
  // One that does not split holds no place apart and is written whole.
  virtual bool splits() const { return true; }
  virtual void write(PlaceRange places, BytesWriter& bytes) const;
  // Of an attack that plans by place: what planning for one person alone takes, for Attack::read_person.
  virtual void write_person(PersonKey person, PlaceRange places, BytesWriter& bytes) const;
};

// Of all together; none where there are none. Neighbours first: all is copied only as often as they can be halved.
std::unique_ptr<Summary> added(std::vector<std::unique_ptr<Summary>> summaries);

// What it derives from a Summary and the counts of one epoch.
class Plan {
 public:
  virtual ~Plan() = default;
  // As bytes for Attack::read_plan.
  virtual void write(BytesWriter& bytes) const;
};

// All that a plan is made of.
struct Evidence {
  std::span<const std::unique_ptr<Summary>> summaries;  // of everybody, by table of the prior
  const belief::Series& prior;
  const release::Published& published;
  const dataset::Crowd& crowd;

  const Summary& summary_at(EpochId epoch) const { return *summaries[prior.table_of(epoch)]; }
};

// What she concludes about the users of a range, epoch by epoch.
class Inference {
 public:
  virtual ~Inference() = default;
  // Valid until the next call. Epochs in any order; those of one table of the prior one after another cost least.
  virtual belief::Beliefs at(EpochId epoch) = 0;
};

// All that an inference is about and may use. What it points to outlives the inference; so does `workspace`, which no
// other inference uses meanwhile.
struct Task {
  const belief::Series& prior;
  belief::UserRange users;
  const release::Published&
      published;  // its fine() is the same for every attack; what it is besides, for those that ask
  std::span<const std::unique_ptr<Plan>> plans;  // by epoch; none for attacks that do not plan
  const dataset::Crowd& crowd;
  Workspace& workspace;
};

// What an attack makes of counts that were left out, or have noise.
enum class Reads {
  kPrinted,  // it takes counts as they are printed; one that is missing is the likeliest it can have been
  kLikely,   // it takes the likeliest count in the place of every one that is not exact
  kRule      // it asks for the rule itself
};

class Attack {
 public:
  virtual ~Attack() = default;
  // Of one that does not ask for the rule: the counts it is given are so already (attack/likely_counts.h).
  virtual Reads reads() const { return Reads::kPrinted; }
  // Whether it knows what to make of rates; else it sees the chances as weights of a distribution.
  virtual bool reads_rates() const { return false; }
  belief::Beliefs seen(const belief::Beliefs& prior) const {
    return reads_rates() ? prior : belief::as_distribution(prior);
  }
  // Whether it needs something of everybody.
  virtual bool summarises() const { return false; }
  // `prior` is the part of a table about a range of users. None where the attack needs nothing of everybody.
  virtual std::unique_ptr<Summary> summarise(const belief::Beliefs& prior, const dataset::Crowd& crowd) const {
    (void)prior, (void)crowd;
    return nullptr;
  }
  // Of an attack that summarises. `counts`: those of the epoch, for whoever looks at no others.
  virtual std::unique_ptr<Plan> plan(const Evidence& evidence, EpochId epoch,
                                     const release::EpochCounts& counts) const {
    (void)evidence, (void)epoch, (void)counts;
    return nullptr;
  }
  // Of an attack whose plan for a place and epoch follows from the count there and what the summary of that epoch's
  // table holds of the place: the plan for some places. None: it plans for all at once.
  virtual bool plans_by_place() const { return false; }
  virtual std::unique_ptr<Plan> plan_places(const Summary& summary, const release::EpochCounts& counts,
                                            PlaceRange places, const dataset::Crowd& crowd) const {
    (void)summary, (void)counts, (void)places, (void)crowd;
    return nullptr;
  }
  // What Summary and Plan wrote, parts in the order of their places. The summary of a person gives plans that are right
  // for that person.
  virtual std::unique_ptr<Summary> read_summary(BytesReader& bytes) const;
  virtual std::unique_ptr<Summary> read_person(PersonKey person, std::span<const std::string_view> parts) const;
  virtual std::unique_ptr<Plan> read_plan(std::span<const std::string_view> parts, const dataset::Crowd& crowd) const;
  // Of an attack that assigns people to places by cell (AttackEntry): whether it puts a user into a place that has the
  // count it has in `counts`, of which the plan was made. `prior` is the part of a table about some range with the user
  // in it.
  virtual bool assigns(const belief::Beliefs& prior, UserId user, RoiId roi, const release::EpochCounts& counts,
                       const Plan* plan, const dataset::Crowd& crowd) const {
    (void)prior, (void)user, (void)roi, (void)counts, (void)plan, (void)crowd;
    return false;
  }
  // Called from several threads at once, each with its own task. This and the inference throw only where memory or the
  // positions of a table give out.
  virtual std::unique_ptr<Inference> infer(const Task& task) const = 0;
};

// An attack that takes every epoch by itself.
class EpochAttack : public Attack {
 public:
  // `prior` is about the users of a range, and so is the result, which may point into `prior` and `workspace`.
  virtual belief::Beliefs infer_epoch(const belief::Beliefs& prior, belief::UserRange users,
                                      const release::EpochCounts& counts, const Plan* plan, const dataset::Crowd& crowd,
                                      Workspace& workspace) const = 0;
  // Called before the epochs of each table, of which there are `epochs`, and once for releases attacked one after
  // another: for what depends on the prior alone.
  virtual void enter_table(const belief::Beliefs& prior, belief::UserRange users, std::size_t epochs,
                           const dataset::Crowd& crowd, Workspace& workspace) const {
    (void)prior, (void)users, (void)epochs, (void)crowd, (void)workspace;
  }
  std::unique_ptr<Inference> infer(const Task& task) const final;
};

// The parameter `counts` of an attack that offers both, and what it says.
inline ParameterInfo counts_parameter() {
  return {"counts", "printed",
          "how she reads counts with noise, rounded or cut: \"printed\", as they are, or \"likely\", each as the "
          "likeliest count given the rule and what her prior expects there"};
}
inline Reads reads_of(const Parameters& parameters) {
  return parameters.choice("counts", {"printed", "likely"}) == 1 ? Reads::kLikely : Reads::kPrinted;
}

enum class Output { kAsPrior, kDistribution, kAssignment, kRates };

struct AttackEntry {
  EntryInfo info;
  Output output = Output::kDistribution;
  bool uses_release = true;  // false: the result is the same for every release and every epoch of a table
  bool uses_prior = true;    // false: the result is the same for every prior
  bool needs_rates = false;  // true: it says nothing of priors that offer no rates
  bool whole_crowd = false;  // true: infers everybody in one range
  // True: what she concludes about a person and place follows from the person's prior and the place's count alone: of
  // distributions the weight, of assignments whether the person is in. Then everybody can be left out of the counts at
  // little cost; else a sample of people is.
  bool by_cell = false;
  // Throws ConfigError for parameters out of range.
  std::function<std::unique_ptr<Attack>(const Parameters& parameters)> make;
  std::unique_ptr<Attack> create() const { return make(info.values()); }
};

// Every attack, in the paper's order. Generated from the files in this folder.
const std::vector<const AttackEntry*>& all_attacks();

}  // namespace hearsay::attack
