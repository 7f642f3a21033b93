// SPDX-License-Identifier: Apache-2.0
#include "prior/prior.h"

namespace hearsay::prior {

std::unique_ptr<belief::Series> PriorEntry::create(const Knowledge& knowledge) const {
  if (!learning) return make(knowledge, info.values());
  const dataset::ObservedCounts counts = dataset::observed_counts(knowledge.observation, knowledge.threads);
  const std::unique_ptr<CrowdLearning> crowd = learning(counts, info.values());
  const std::unique_ptr<UnfinishedSeries> series = crowd->predict(knowledge, crowd->learn(knowledge));
  return series->finish(series->contribution());
}

}  // namespace hearsay::prior
