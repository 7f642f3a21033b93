// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace hearsay::ingest {

struct Visit {
  std::uint32_t epoch;
  std::uint32_t user;
  std::uint32_t roi;
};

// Distinct visits, epoch by epoch, in each by user and then ROI. 8 bytes a visit.
class VisitList {
 public:
  VisitList() = default;
  VisitList(const std::vector<Visit>& visits) {  // NOLINT(google-explicit-constructor): the same thing, packed
    for (const Visit& visit : visits) push_back(visit);
  }
  VisitList(std::initializer_list<Visit> visits) : VisitList(std::vector<Visit>(visits)) {}

  static std::uint64_t key(std::uint32_t user, std::uint32_t roi) { return std::uint64_t{user} << 32 | roi; }
  static std::uint32_t user(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }
  static std::uint32_t roi(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

  // Visits must come in order.
  void push_back(const Visit& visit) {
    if (visit.epoch >= epochs.size()) epochs.resize(visit.epoch + std::size_t{1});
    epochs[visit.epoch].push_back(key(visit.user, visit.roi));
  }
  std::size_t size() const {
    std::size_t total = 0;
    for (const auto& epoch : epochs) total += epoch.size();
    return total;
  }
  std::vector<Visit> all() const {
    std::vector<Visit> list;
    for (std::uint32_t e = 0; e < epochs.size(); ++e) {
      for (const std::uint64_t visit : epochs[e]) list.push_back({e, user(visit), roi(visit)});
    }
    return list;
  }

  // key(user, roi), ascending; epochs after the last visit may be missing
  std::vector<std::vector<std::uint64_t>> epochs;
};

}  // namespace hearsay::ingest
