// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

#include "dense_reference.h"
#include "experiment/study.h"
#include "ingest/ingest.h"

namespace hearsay::reference {

// A small random study, as the reference sees it and as the fast code does.
struct RandomStudy {
  World world;
  ingest::Visits visits;
  experiment::Study study;  // all priors the calendar allows, all attacks and goals
};

// Sizes, density and regularity vary with the seed, down to one user, one ROI, users and epochs with no visit.
RandomStudy make_random_study(std::uint32_t seed);

// 200 to 400 users in few epochs: enough to be split among threads, and small enough for the reference.
RandomStudy make_crowded_study(std::uint32_t seed);

}  // namespace hearsay::reference
