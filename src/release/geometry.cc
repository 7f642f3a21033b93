// SPDX-License-Identifier: Apache-2.0
#include "release/geometry.h"

#include <numeric>

namespace hearsay::release {
namespace {

// How many fine ones lie in each.
std::vector<double> sizes(const std::vector<std::uint32_t>& coarse_of, std::size_t coarse) {
  std::vector<double> count(coarse);
  for (const std::uint32_t at : coarse_of) ++count[at];
  return count;
}

}  // namespace

Geometry Geometry::fine(std::size_t places, std::size_t epochs) {
  Geometry geometry{places, epochs, std::vector<std::uint32_t>(places), std::vector<std::uint32_t>(epochs)};
  std::iota(geometry.place_of.begin(), geometry.place_of.end(), 0U);
  std::iota(geometry.epoch_of.begin(), geometry.epoch_of.end(), 0U);
  return geometry;
}

CountMatrix expanded(const CountMatrix& counts, const Geometry& geometry, std::size_t users) {
  if (geometry.is_fine()) return counts;
  const std::vector<double> places = sizes(geometry.place_of, geometry.places);
  const std::vector<double> epochs = sizes(geometry.epoch_of, geometry.epochs);
  const std::size_t fine_places = geometry.place_of.size();
  CountMatrix fine(fine_places + 1, geometry.epoch_of.size());
  for (std::size_t epoch = 0; epoch < fine.epochs(); ++epoch) {
    const std::uint32_t coarse = geometry.epoch_of[epoch];
    for (std::size_t place = 0; place < fine_places; ++place) {
      const std::uint32_t from = geometry.place_of[place];
      fine.series(place)[epoch] = counts.series(from)[coarse] / (geometry.share * places[from] * epochs[coarse]);
    }
    const double out = static_cast<double>(users) - counts.series(geometry.places)[coarse];
    fine.series(fine_places)[epoch] = static_cast<double>(users) - out / (geometry.share * epochs[coarse]);
  }
  return fine;
}

}  // namespace hearsay::release
