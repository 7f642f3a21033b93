// SPDX-License-Identifier: Apache-2.0
#include "release/gaussian_budget.h"

#include "base/errors.h"
#include "release/accounting.h"
#include "release/step.h"

namespace hearsay::release {

GaussianBudget::GaussianBudget(const Parameters& parameters) : rho(0), delta(parameters.fraction("delta")) {
  if (parameters.has("rho") == parameters.has("epsilon")) {
    throw ConfigError(parameters.entry() + ".epsilon", "", "give either epsilon or rho");
  }
  rho = parameters.has("rho") ? parameters.positive("rho") : rho_of(parameters.positive("epsilon"), delta);
  if (!(rho > 0)) parameters.fail("epsilon", "is too small for this delta");
}

std::vector<ParameterInfo> GaussianBudget::parameters() {
  ParameterInfo epsilon = epsilon_parameter();
  epsilon.alternative = "rho";
  return {epsilon,
          {"rho", "", epsilon.summary, "epsilon"},
          with_usual({"delta", "1e-6", "the chance that epsilon does not hold for, above 0 and below 1"},
                     {1e-9, 1e-3, false, true}),
          unit_parameter("user")};
}

}  // namespace hearsay::release
