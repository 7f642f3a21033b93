// SPDX-License-Identifier: Apache-2.0
#include "cluster/cluster_study.h"

#include <algorithm>
#include <numeric>

#include "base/temporary_folder.h"
#include "engine/data_warnings.h"
#include "job/study_writer.h"
#include "results/result_folder.h"

namespace hearsay::cluster {

ClusterStudy::ClusterStudy(DriverSettings settings, engine::Provenance provenance, job::RunOptions options)
    : driver_(std::move(settings)),
      provenance_(std::move(provenance)),
      options_(std::move(options)),
      target_(results::checked_result_path(options_.out)) {
  results::tidy_result_place(target_);
}

const Told* ClusterStudy::next() {
  const Told* told = driver_.next();
  if (told != nullptr) {
    clock_.start(title_of(told->stage));
  } else {
    clock_.stop();
  }
  return told;
}

job::Outcome ClusterStudy::write() {
  clock_.start("report");
  const experiment::Study& study = driver_.study();
  const Told& told = driver_.told();
  results::DataFacts facts = facts_of(told, study);
  facts.visits = driver_.visits();
  facts.enough_at = results::enough_of(driver_.visitors(), facts.least_people);
  for (std::size_t place = 0; place < told.rois.size(); ++place) {
    const auto counts = told.whole.counts.series(place);
    facts.inference_visits.push_back(static_cast<std::uint64_t>(std::accumulate(counts.begin(), counts.end(), 0.0)));
  }
  facts.id_of = [this](std::uint32_t user) { return driver_.id_of(user); };
  engine::DataSigns signs{told.people, driver_.seen_at_most(engine::visits_at_once(study)), false, false};
  signs.observed = told.whole.observed.total > 0;
  signs.inferred = std::any_of(facts.inference_visits.begin(), facts.inference_visits.end(),
                               [](std::uint64_t visits) { return visits > 0; });
  for (std::string& warning : engine::data_warnings(study, provenance_, signs)) {
    provenance_.warnings.push_back(std::move(warning));
  }
  const TemporaryFolder temporary("", "hearsay-");
  job::StudyWriter writer(study, facts, {1, options_.load.buffers(), temporary.path(), options_.load.stop});
  driver_.hand_over(
      {[&](const goal::ReleaseResult& release) { writer.take(release); },
       [&](const goal::GoalEntry& goal, const goal::Measurement& measurement) { writer.take(goal, measurement); },
       [&](const results::PeopleFigures& people) { writer.take(people); }});
  return writer.write(target_, options_, provenance_, clock_);
}

}  // namespace hearsay::cluster
