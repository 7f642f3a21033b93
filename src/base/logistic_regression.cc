// SPDX-License-Identifier: Apache-2.0
#include "base/logistic_regression.h"

#include <linear.h>

#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace hearsay {
namespace {

struct Scale {
  std::size_t feature = 0;
  double mean = 0;
  double deviation = 0;
};

// Of the features that vary.
std::vector<Scale> scales_of(std::span<const double> rows, std::size_t count) {
  const std::size_t features = rows.size() / count;
  std::vector<double> means(features);
  std::vector<double> squares(features);
  const auto each = [&](const auto& work) {
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t f = 0; f < features; ++f) work(f, rows[row * features + f]);
    }
  };
  each([&](std::size_t f, double value) { means[f] += value; });
  for (double& mean : means) mean /= static_cast<double>(count);
  each([&](std::size_t f, double value) { squares[f] += (value - means[f]) * (value - means[f]); });
  std::vector<Scale> scales;
  for (std::size_t f = 0; f < features; ++f) {
    const double deviation = std::sqrt(squares[f] / static_cast<double>(count));
    if (deviation > 1e-9 * (1 + std::fabs(means[f]))) scales.push_back({f, means[f], deviation});
  }
  return scales;
}

// Rows as liblinear reads them: numbered from 1, the constant 1 for the intercept, then -1.
std::vector<feature_node> nodes_of(std::span<const double> rows, std::size_t count, const std::vector<Scale>& scales) {
  const std::size_t features = rows.size() / count;
  const int bias = static_cast<int>(scales.size()) + 1;
  std::vector<feature_node> nodes;
  nodes.reserve(count * (scales.size() + 2));
  for (std::size_t row = 0; row < count; ++row) {
    int index = 0;
    for (const Scale& scale : scales) {
      nodes.push_back({++index, (rows[row * features + scale.feature] - scale.mean) / scale.deviation});
    }
    nodes.push_back({bias, 1});
    nodes.push_back({-1, 0});
  }
  return nodes;
}

struct FreeModel {
  void operator()(model* trained) const { free_and_destroy_model(&trained); }
};
using Trained = std::unique_ptr<model, FreeModel>;

Trained train_alone(const problem& examples, const parameter& settings) {
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  std::array<char, 128> state = {};
  char* const before = initstate(1, state.data(), state.size());
  Trained trained(train(&examples, &settings));
  setstate(before);
  return trained;
}

Trained train_on(std::vector<feature_node>& nodes, std::span<const std::uint8_t> labels, Penalty penalty, double cost,
                 std::array<double, 2> weights, double tolerance) {
  static std::once_flag silenced;
  std::call_once(silenced, [] { set_print_string_function([](const char*) {}); });
  const std::size_t width = nodes.size() / labels.size();
  std::vector<double> signs;
  std::vector<feature_node*> starts;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    signs.push_back(labels[row] == 1 ? 1 : -1);
    starts.push_back(&nodes[row * width]);
  }
  const problem examples = {static_cast<int>(labels.size()), static_cast<int>(width) - 1, signs.data(), starts.data(),
                            1};
  parameter settings = {};
  settings.solver_type = penalty == Penalty::kSquare ? L2R_LR : L1R_LR;
  settings.eps = tolerance;
  settings.C = cost;
  std::array<int, 2> weighed = {-1, 1};
  settings.nr_weight = 2;
  settings.weight_label = weighed.data();
  settings.weight = weights.data();
  assert(check_parameter(&examples, &settings) == nullptr);
  return penalty == Penalty::kSquare ? Trained(train(&examples, &settings)) : train_alone(examples, settings);
}

}  // namespace

LinearModel fit_logistic(std::span<const double> rows, std::span<const std::uint8_t> labels, Penalty penalty,
                         double cost, std::array<double, 2> weights, double tolerance) {
  assert(!labels.empty() && rows.size() % labels.size() == 0);
  const std::vector<Scale> scales = scales_of(rows, labels.size());
  std::vector<feature_node> nodes = nodes_of(rows, labels.size(), scales);
  const Trained trained = train_on(nodes, labels, penalty, cost, weights, tolerance);
  const double sign = trained->label[0] == 1 ? 1 : -1;
  LinearModel model;
  model.weights.resize(rows.size() / labels.size());
  model.intercept = sign * trained->w[scales.size()];
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const double weight = sign * trained->w[i] / scales[i].deviation;
    model.weights[scales[i].feature] = weight;
    model.intercept -= weight * scales[i].mean;
  }
  return model;
}

}  // namespace hearsay
