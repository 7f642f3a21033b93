// SPDX-License-Identifier: Apache-2.0
#include "goal/read_releases.h"

#include "base/parallel.h"

namespace hearsay::goal {

const release::Published& ReadReleases::of(const release::Published& release, attack::Reads reads) {
  if (!attack::reads_otherwise(release, reads)) return release;
  const auto at = std::pair(&release, reads);
  auto found = made_.find(at);
  if (found == made_.end()) {
    expect();
    found = made_.emplace(at, read(release, reads)).first;
  }
  return found->second;
}

void ReadReleases::expect() {
  if (!expected_.empty()) return;
  expected_.resize(prior_.tables());
  parallel_for(expected_.size(), threads_, [&](std::size_t table, std::size_t) {
    expected_[table] = attack::people_of_units(attack::expected_units(prior_.table(table), crowd_));
  });
}

void ReadReleases::expect(const std::map<std::string, std::vector<std::vector<std::uint64_t>>>& told,
                          const std::string& prior) {
  const auto found = told.find(prior);
  if (found == told.end()) return;
  for (const std::vector<std::uint64_t>& units : found->second) expected_.push_back(attack::people_of_units(units));
}

release::Published ReadReleases::read(release::Published release, attack::Reads reads) const {
  if (!attack::reads_otherwise(release, reads)) return release;
  return attack::as_read(release, reads, crowd_.people(), [&](EpochId epoch) -> const std::vector<double>& {
    return expected_[prior_.table_of(epoch)];
  });
}

}  // namespace hearsay::goal
