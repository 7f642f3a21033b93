// SPDX-License-Identifier: Apache-2.0
#include "metric/metric.h"

namespace hearsay::metric {

void Scores::add(std::span<const Wide> of_epochs, std::span<const Place> of_places) {
  epochs.resize(of_epochs.size());
  for (std::size_t epoch = 0; epoch < epochs.size(); ++epoch) epochs[epoch] += of_epochs[epoch];
  places.resize(of_places.size());
  for (std::size_t roi = 0; roi < places.size(); ++roi) {
    places[roi].sum += of_places[roi].sum;
    places[roi].visits += of_places[roi].visits;
  }
}

}  // namespace hearsay::metric
