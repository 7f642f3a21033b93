// SPDX-License-Identifier: Apache-2.0
//
// What a program needs to run a study: load_study, run_study, and the errors they throw. Link hearsay_report.
#pragma once

#include "base/errors.h"
#include "experiment/study.h"
#include "report/run_study.h"

namespace hearsay {

using experiment::load_study;
using experiment::Study;
using report::Outcome;
using report::run_study;
using report::RunOptions;

}  // namespace hearsay
