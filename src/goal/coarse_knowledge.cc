// SPDX-License-Identifier: Apache-2.0
#include "goal/coarse_knowledge.h"

#include <algorithm>
#include <map>

namespace hearsay::goal {
namespace {

std::uint32_t coarse_cell(std::uint32_t cell, const release::Geometry& geometry) {
  const std::size_t epochs = geometry.epoch_of.size();
  return static_cast<std::uint32_t>(geometry.place_of[cell / epochs] * geometry.epochs +
                                    geometry.epoch_of[cell % epochs]);
}

}  // namespace

std::vector<std::uint32_t> coarse_cells(std::span<const std::uint32_t> cells, const release::Geometry& geometry) {
  std::vector<std::uint32_t> coarse;
  coarse.reserve(cells.size());
  for (const std::uint32_t cell : cells) coarse.push_back(coarse_cell(cell, geometry));
  std::sort(coarse.begin(), coarse.end());
  coarse.erase(std::unique(coarse.begin(), coarse.end()), coarse.end());
  return coarse;
}

KnownTarget coarse_target(const KnownTarget& target, const release::Geometry& geometry) {
  KnownTarget coarse;
  if (!target.known.empty()) {
    coarse.known.assign(geometry.epochs, 1);
    for (std::size_t epoch = 0; epoch < target.known.size(); ++epoch) {
      if (target.known[epoch] == 0) coarse.known[geometry.epoch_of[epoch]] = 0;
    }
  }
  std::map<std::uint32_t, double> absent;  // chance, by cell
  for (const membership::Presence& presence : target.presences) {
    absent.try_emplace(coarse_cell(presence.cell, geometry), 1.0).first->second *= 1 - presence.chance;
  }
  for (const auto& [cell, chance] : absent) {
    if (coarse.known.empty() || coarse.known[cell % geometry.epochs] != 0)
      coarse.presences.push_back({cell, 1 - chance});
  }
  return coarse;
}

KnownCrowd coarse_crowd(const KnownCrowd& crowd, const release::Geometry& geometry) {
  KnownCrowd coarse{{}, {}, crowd.people, crowd.pool};
  for (const std::vector<std::uint32_t>& trace : crowd.traces) coarse.traces.push_back(coarse_cells(trace, geometry));
  if (crowd.chances.empty()) return coarse;
  std::vector<double> absent(geometry.places * geometry.epochs, 1.0);
  for (std::size_t cell = 0; cell < crowd.chances.size(); ++cell) {
    absent[coarse_cell(static_cast<std::uint32_t>(cell), geometry)] *= 1 - crowd.chances[cell];
  }
  constexpr double kLeast = 1e-12;  // chances are above 0 and below 1
  for (const double chance : absent) coarse.chances.push_back(std::clamp(1 - chance, kLeast, 1 - kLeast));
  return coarse;
}

}  // namespace hearsay::goal
