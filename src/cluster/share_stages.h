// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cluster/row.h"
#include "cluster/told.h"
#include "dataset/dataset.h"

namespace hearsay::cluster {

// What the people of a share have to say at a stage.
void run_stage(const Told& told, const experiment::Study& study, const dataset::Dataset& share, std::size_t threads,
               std::vector<Row>& found);

}  // namespace hearsay::cluster
