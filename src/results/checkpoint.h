// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/descriptor.h"
#include "goal/measurement.h"

namespace hearsay::results {

// Finished parts of a study, so that a run that was killed can go on: the measurements of one part of a goal each, in a
// private hidden folder beside the results. A part appears whole or not at all and is used only by the same program on
// the same study and data. It holds numbers by user number, no id. Disk: 8 bytes a number, about 40 a user and row of
// summary.csv.
class Checkpoint {
 public:
  // `target`: the folder of the results; `key`: everything the results depend on. Removes parts with another key.
  // Throws ConfigError where another run keeps its parts there, and where what is there is not a private folder of this
  // user with nothing but parts in it: that stays as it is.
  Checkpoint(const std::string& target, const std::string& key);
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  // Hands over the measurements of a finished part. False, and nothing handed over, where there is none or it is
  // damaged.
  bool replay(const std::string& part, const goal::Emit& take) const;
  // Runs `work`, keeps what it hands over as a part, and passes it on.
  void record(const std::string& part, const std::function<void(const goal::Emit&)>& work,
              const goal::Emit& take) const;
  // The results are in place: removes the folder.
  void discard();

 private:
  std::string path_of(const std::string& part) const;

  std::string folder_;
  std::string key_;
  Descriptor directory_;
  Descriptor lock_;
};

// Removes the parts that an abandoned run kept for this folder of results. What is not such a folder stays.
void remove_parts(const std::string& target);

// Tells builds apart: the SHA-256 of the file, program or library, that this is in. Read once; throws InputError where
// it cannot be.
std::string build_id();

}  // namespace hearsay::results
