// SPDX-License-Identifier: Apache-2.0
//
// What a program needs to run a study, with entries of its own where it has any: load_study, run_study, Registry, and
// the errors they throw. With CMake: find_package(hearsay), and link hearsay::hearsay.
#pragma once

#include "base/errors.h"
#include "base/version.h"
#include "experiment/study.h"
#include "job/run_study.h"

namespace hearsay {

using experiment::load_study;
using experiment::Registry;
using experiment::Study;
using job::Outcome;
using job::run_study;
using job::RunOptions;

}  // namespace hearsay
