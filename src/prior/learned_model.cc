// SPDX-License-Identifier: Apache-2.0
#include "prior/learned_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "base/logistic_regression.h"
#include "base/random.h"

namespace hearsay::prior {
namespace {

// What all examples weigh against the penalty. Cabs, 32,000 examples: RECENT errs by 0.0015 more with ten times this.
constexpr double kAllExamples = 320;
constexpr double kMostCost = 1;
constexpr double kTolerance = 5e-2;  // on the cabs errors are those of 1e-3 to 0.001

double log_loss(double logit, bool label) {
  const double wrong = label ? -logit : logit;
  return wrong > 0 ? wrong + std::log1p(std::exp(-wrong)) : std::log1p(std::exp(wrong));
}

// Mean and 1 / deviation of each feature, or 0 where it never varies.
struct Scales {
  std::vector<double> means;
  std::vector<double> factors;

  explicit Scales(const Examples& examples) : means(examples.features), factors(examples.features) {
    const std::size_t width = examples.features;
    const auto count = static_cast<double>(examples.size());
    for (std::size_t i = 0; i < examples.rows.size(); ++i) means[i % width] += examples.rows[i];
    for (double& mean : means) mean /= count;
    for (std::size_t i = 0; i < examples.rows.size(); ++i) {
      const double apart = examples.rows[i] - means[i % width];
      factors[i % width] += apart * apart;
    }
    for (std::size_t f = 0; f < width; ++f) {
      const double deviation = std::sqrt(factors[f] / count);
      factors[f] = deviation > 1e-9 * (1 + std::fabs(means[f])) ? 1 / deviation : 0;
    }
  }
};

// Standardised features and their products, row by row.
std::vector<double> with_products(const Examples& examples, const Scales& scales) {
  const std::size_t width = examples.features;
  std::vector<double> rows;
  rows.reserve(examples.size() * width * (width + 3) / 2);
  std::vector<double> scaled(width);
  for (std::size_t r = 0; r < examples.size(); ++r) {
    for (std::size_t f = 0; f < width; ++f) scaled[f] = (examples.row(r)[f] - scales.means[f]) * scales.factors[f];
    rows.insert(rows.end(), scaled.begin(), scaled.end());
    for (std::size_t f = 0; f < width; ++f) {
      for (std::size_t g = f; g < width; ++g) rows.push_back(scaled[f] * scaled[g]);
    }
  }
  return rows;
}

// constant + w x + x' W x, W above its diagonal and on it, rows `stride` apart.
inline double polynomial(std::size_t width, const double* x, double constant, const double* linear,
                         const double* products, std::size_t stride) {
  double sum = constant;
  for (std::size_t f = 0; f < width; ++f) {
    double factor = linear[f];
    for (std::size_t g = f; g < width; ++g) factor += products[f * stride + g] * x[g];
    sum += factor * x[f];
  }
  return sum;
}

}  // namespace

ChanceGrid::ChanceGrid() : bound_(std::floor(kSteps * std::log((1 - kLeast) / kLeast))) {
  for (double position = -bound_; position <= bound_; ++position) {
    chances_.push_back(1 / (1 + std::exp(-position / kSteps)));
  }
}

std::uint32_t ChanceGrid::of_logit(double logit) const {
  return static_cast<std::uint32_t>(std::clamp(std::nearbyint(logit * kSteps), -bound_, bound_) + bound_);
}

std::uint32_t ChanceGrid::of_chance(double chance) const {
  const double inside = std::clamp(chance, kLeast, 1 - kLeast);
  return of_logit(std::log(inside / (1 - inside)));
}

ProductModel::ProductModel(const Examples& examples)
    : linear_(examples.features), products_(examples.features * examples.features) {
  const std::size_t count = examples.size();
  const std::size_t width = examples.features;
  const auto present = static_cast<std::size_t>(std::count(examples.labels.begin(), examples.labels.end(), 1));
  const double there = examples.weights[1] * static_cast<double>(present);
  const double away = examples.weights[0] * static_cast<double>(count - present);
  if (present == 0 || present == count) {
    constant_ = std::log((there + 0.5) / (away + 0.5));
    return;
  }
  const Scales scales(examples);
  // The examples weigh as much as their number says, whatever the share of each label that was drawn.
  const double mean = (there + away) / static_cast<double>(count);
  const double cost = std::min(kMostCost, kAllExamples / static_cast<double>(count));
  const LinearModel fitted = fit_logistic(with_products(examples, scales), examples.labels, Penalty::kSquare, cost,
                                          {examples.weights[0] / mean, examples.weights[1] / mean}, kTolerance);
  // From standardised features to features as they are.
  constant_ = fitted.intercept;
  for (std::size_t f = 0; f < width; ++f) {
    linear_[f] += fitted.weights[f] * scales.factors[f];
    constant_ -= fitted.weights[f] * scales.factors[f] * scales.means[f];
  }
  auto weight = fitted.weights.begin() + static_cast<std::ptrdiff_t>(width);
  for (std::size_t f = 0; f < width; ++f) {
    for (std::size_t g = f; g < width; ++g) {
      const double product = *weight++ * scales.factors[f] * scales.factors[g];
      products_[f * width + g] = product;
      linear_[f] -= product * scales.means[g];
      linear_[g] -= product * scales.means[f];
      constant_ += product * scales.means[f] * scales.means[g];
    }
  }
}

double ProductModel::logit(std::span<const double> features) const {
  assert(features.size() == this->features());
  return polynomial(features.size(), features.data(), constant_, linear_.data(), products_.data(), features.size());
}

void ProductModel::put(BytesWriter& bytes) const {
  bytes.put(constant_);
  bytes.put(linear_);
  bytes.put(products_);
}

void ProductModel::get(BytesReader& bytes) {
  bytes.get(constant_);
  bytes.get(linear_);
  bytes.get(products_);
}

void ProductModel::Rest::open(const ProductModel& model, std::span<const double> first) {
  width_ = model.features();
  assert(first.size() <= width_);
  constant_ = model.constant_;
  linear_.assign(model.linear_.begin() + static_cast<std::ptrdiff_t>(first.size()), model.linear_.end());
  for (std::size_t f = 0; f < first.size(); ++f) {
    const double* products = &model.products_[f * width_];
    double factor = model.linear_[f];
    for (std::size_t g = f; g < first.size(); ++g) factor += products[g] * first[g];
    constant_ += factor * first[f];
    for (std::size_t g = 0; g < linear_.size(); ++g) linear_[g] += first[f] * products[first.size() + g];
  }
  products_ = model.products_.data() + first.size() * (width_ + 1);
}

double ProductModel::Rest::logit(std::span<const double> last) const {
  assert(last.size() == linear_.size());
  // The sizes there are, so that the compiler unrolls the loops. Most people were not lately at most places.
  if (last.size() == 8 && last[5] == 0 && last[6] == 0 && last[7] == 0) {
    return polynomial(5, last.data(), constant_, linear_.data(), products_, width_);
  }
  if (last.size() == 4) return polynomial(4, last.data(), constant_, linear_.data(), products_, width_);
  if (last.size() == 8) return polynomial(8, last.data(), constant_, linear_.data(), products_, width_);
  return polynomial(last.size(), last.data(), constant_, linear_.data(), products_, width_);
}

std::vector<belief::Lesson> importances(const ProductModel& model, const Examples& examples,
                                        std::span<const std::string> names, std::uint64_t seed) {
  std::vector<belief::Lesson> lessons;
  if (examples.size() == 0) return lessons;
  std::vector<double> row(examples.features);
  std::vector<std::size_t> order(examples.size());
  const auto loss_with = [&](std::size_t shuffled) {
    double sum = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const std::span<const double> own = examples.row(i);
      std::copy(own.begin(), own.end(), row.begin());
      if (shuffled < examples.features) row[shuffled] = examples.row(order[i])[shuffled];
      sum += examples.weights[examples.labels[i]] * log_loss(model.logit(row), examples.labels[i] == 1);
    }
    return sum;
  };
  const double loss = loss_with(examples.features);
  for (std::size_t f = 0; f < examples.features; ++f) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    SeededBits bits(mix(seed, f));
    shuffle(std::span(order), bits);
    lessons.push_back({names[f], loss > 0 ? loss_with(f) / loss - 1 : 0});
  }
  return lessons;
}

}  // namespace hearsay::prior
