// SPDX-License-Identifier: Apache-2.0
//
// What the page asks for, and the study that it is. Settings are an object of these; left out, they are the study's
// own, but no game and no release:
//
//   priors, attacks, goals  lists of names; goals are those of errors
//   membership              true: the game is played as well
//   seed                    of the noise
//   publish                 null: the counts as they are; else {"steps": [TEXT...]} or {"preset": NAME}, and perhaps
//                           "post_process": NAME
#pragma once

#include <string>

#include "experiment/study.h"
#include "results/manifest.h"

namespace hearsay::studio {

// A study on the data of `base`, with what `settings` say of adversary and release in the place of its own. Throws
// ConfigError, with the key of `settings` as parameter, for what is not known or allowed. Nothing in them can name a
// file.
experiment::Study study_of(const experiment::Study& base, const results::Json& settings);

// What the page starts with: the study's first knowledge and goal, its attacks or a few of them, and the first defence
// if it has one.
results::Json first_settings(const experiment::Study& base);

}  // namespace hearsay::studio
