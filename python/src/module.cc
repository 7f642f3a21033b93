// SPDX-License-Identifier: Apache-2.0
#include "registration.h"

NB_MODULE(_core, module) {
  using namespace hearsay::python;
  module.doc() = "The engine. Use it through the package hearsay.";
  register_errors(module);
  register_studio(module);
  register_data(module);
  register_look(module);
  register_beliefs(module);
  register_releases(module);
  register_priors(module);
  register_attacks(module);
  register_mechanisms(module);
  register_metrics(module);
  register_own_prior(module);
  register_studies(module);
  register_advice(module);
  register_tables(module);
  register_synthetic(module);
  register_placing(module);
  register_gathering(module);
  register_cluster(module);
}
