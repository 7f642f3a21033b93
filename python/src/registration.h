// SPDX-License-Identifier: Apache-2.0
//
// Each part of the module puts its classes and functions in place.
#pragma once

#include <nanobind/nanobind.h>

namespace hearsay::python {

void register_errors(nanobind::module_& module);
void register_data(nanobind::module_& module);
void register_look(nanobind::module_& module);
void register_beliefs(nanobind::module_& module);
void register_releases(nanobind::module_& module);
void register_priors(nanobind::module_& module);
void register_attacks(nanobind::module_& module);
void register_mechanisms(nanobind::module_& module);
void register_metrics(nanobind::module_& module);
void register_own_prior(nanobind::module_& module);
void register_studio(nanobind::module_& module);
void register_advice(nanobind::module_& module);
void register_studies(nanobind::module_& module);
void register_tables(nanobind::module_& module);
void register_synthetic(nanobind::module_& module);
void register_placing(nanobind::module_& module);
void register_gathering(nanobind::module_& module);
void register_cluster(nanobind::module_& module);

}  // namespace hearsay::python
