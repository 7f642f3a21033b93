// SPDX-License-Identifier: Apache-2.0
#include "release/gaussian_budget.h"

#include "base/errors.h"
#include "release/accounting.h"

namespace hearsay::release {

GaussianBudget::GaussianBudget(const Parameters& parameters) : rho(0), delta(parameters.fraction("delta")) {
  if (parameters.has("rho") == parameters.has("epsilon")) {
    throw ConfigError(parameters.entry() + ".epsilon", "", "give either epsilon or rho");
  }
  rho = parameters.has("rho") ? parameters.positive("rho") : rho_of(parameters.positive("epsilon"), delta);
  if (!(rho > 0)) parameters.fail("epsilon", "is too small for this delta");
}

std::vector<ParameterInfo> GaussianBudget::parameters() {
  return {{"epsilon", "", "above 0; smaller hides more", "rho"},
          {"rho", "", "above 0; smaller hides more", "epsilon"},
          {"delta", "1e-6", "the chance that epsilon does not hold for, above 0 and below 1"},
          {"unit", "user", "event, user_place, user_epoch, user_day, user_week or user"}};
}

}  // namespace hearsay::release
