// SPDX-License-Identifier: Apache-2.0
#include "cli/terms.h"

namespace hearsay::cli {

const std::vector<EntryInfo>& terms() {
  constexpr const char* kOwn = "docs/reading.md; defined for this program.";
  static const std::vector<EntryInfo> kTerms = {
      {.name = "BEFORE",
       .summary = "Her error about a person with what she knew, and no counts.",
       .explanation = "The error of the prior. In a best response, the least mean error that she reaches without the "
                      "release: the prior by each decision, or NOWHERE.",
       .parameters = {},
       .citation = kOwn},
      {.name = "WITHOUT",
       .summary = "Her error about a person on counts that leave that person out.",
       .explanation =
           "The same prior and the same attack on A[s,t'] - L[u,s,t'], the counts if u were not in the data, null "
           "included. For everybody, exactly, on raw counts and on defences that change each count by itself (SCM "
           "other than bound and delta), with the same draw of the noise; for other defences, and attacks that do not "
           "go by cell, people are taken out of the data one by one: all in small studies where noise stays as it is "
           "(FPA), else study.control_sample of them. study.control = "
           "false leaves it out.",
       .parameters = {},
       .citation = kOwn},
      {.name = "WITH",
       .summary = "Her error about a person on the counts as they are published.",
       .explanation = "What summary.csv calls error.",
       .parameters = {},
       .citation = kOwn},
      {.name = "CROWD_PART",
       .summary = "What the counts of the others say about anybody: before - without.",
       .explanation = "The crowd's rhythm. A person cannot escape it by not being counted.",
       .parameters = {},
       .citation = kOwn},
      {.name = "OWN_PART",
       .summary = "What being counted costs a person: without - with.",
       .explanation = "Signed; below 0 where the person's own count misleads her. own_clipped is max(0, own), own_loss "
                      "max(0, own / without). counted is the share of people whose error is lower because they are in.",
       .parameters = {},
       .citation = kOwn},
      {.name = "BEST_RESPONSE",
       .summary = "The least mean error among the strategies tried: chosen for everybody, not with hindsight for each.",
       .explanation =
           "By goal, prior and release, three of them: before (NOWHERE, or the prior by each decision), without and "
           "with (each attack by each decision, or ignoring the counts). What leaks is before - with, the crowd part "
           "plus the own part. A stronger adversary than those tried may exist.",
       .parameters = {},
       .citation = kOwn},
      {.name = "ACTIVE_ERROR",
       .summary = "The same error over the epochs only in which the person was somewhere.",
       .explanation = "Where people are seldom seen, an error over all epochs is mostly about when they are nowhere. "
                      "Means are over the people who were somewhere in the inference period.",
       .parameters = {},
       .citation = kOwn},
  };
  return kTerms;
}

}  // namespace hearsay::cli
