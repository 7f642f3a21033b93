// SPDX-License-Identifier: Apache-2.0
#include "release/gaussian_budget.h"

#include <fmt/format.h>

#include "base/errors.h"
#include "release/accounting.h"
#include "release/step.h"

namespace hearsay::release {

GaussianBudget::GaussianBudget(const Parameters& parameters) : rho(0), delta(parameters.fraction("delta")) {
  if (parameters.has("rho") == parameters.has("epsilon")) {
    throw ConfigError(parameters.entry() + ".epsilon", "", "give either epsilon or rho");
  }
  constexpr double kLeast = 1e-15;  // beyond these, noise is no usable number
  constexpr double kMost = 1e25;
  rho = parameters.has("rho") ? parameters.positive("rho") : rho_of(given_epsilon(parameters), delta);
  if (rho >= kLeast && rho <= kMost) return;
  if (parameters.has("rho")) parameters.fail("rho", fmt::format("must be between {:g} and {:g}", kLeast, kMost));
  parameters.fail("epsilon", fmt::format("is too {} for this delta: rho would be {:.3g}, and must be between {:g} and "
                                         "{:g}",
                                         rho < kLeast ? "small" : "large", rho, kLeast, kMost));
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
