// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "belief/beliefs.h"

namespace hearsay::prior {

// Chances as a prior lists them: their logits are rounded to a grid, so that few distinct values occur.
class ChanceGrid {
 public:
  static constexpr double kLeast = 1e-5;  // and at most 1 - kLeast
  static constexpr double kSteps = 64;    // a unit of logit

  ChanceGrid();
  // The position of a logit, or of a chance; larger is likelier. Both are clipped.
  std::uint32_t of_logit(double logit) const;
  std::uint32_t of_chance(double chance) const;
  double chance(std::uint32_t position) const { return chances_[position]; }

 private:
  double bound_;  // the largest position on either side of 1/2
  std::vector<double> chances_;
};

// Cells to fit a model on: features of each, one row after another, and whether somebody was there. Cells of a label
// were drawn at one rate; each stands for `weights[label]` of all.
struct Examples {
  std::size_t features = 0;
  std::vector<double> rows;
  std::vector<std::uint8_t> labels;
  std::array<double, 2> weights = {1, 1};

  std::size_t size() const { return labels.size(); }
  std::span<const double> row(std::size_t index) const { return {&rows[index * features], features}; }
};

// A logit that is a polynomial of degree 2 in the features: constant + w x + x' W x.
class ProductModel {
 public:
  ProductModel() = default;
  // Logistic regression on standardised features and all their products. Where all labels are the same, or there are
  // none, a constant that is as sure as so many examples allow.
  explicit ProductModel(const Examples& examples);

  std::size_t features() const { return linear_.size(); }
  double logit(std::span<const double> features) const;
  void put(BytesWriter& bytes) const;
  void get(BytesReader& bytes);

  // The polynomial in the last features where the first are given. Cost of a value: products of the last only.
  class Rest {
   public:
    void open(const ProductModel& model, std::span<const double> first);
    double logit(std::span<const double> last) const;

   private:
    const double* products_ = nullptr;  // of the last features
    std::size_t width_ = 0;             // of the model
    double constant_ = 0;
    std::vector<double> linear_;
  };

 private:
  double constant_ = 0;
  std::vector<double> linear_;
  std::vector<double> products_;  // features x features, above the diagonal and on it
};

// How much the log loss of a model rises, as a share of it, where the values of one feature are dealt out anew among
// the examples; by feature. The draw depends on `seed` only.
std::vector<belief::Lesson> importances(const ProductModel& model, const Examples& examples,
                                        std::span<const std::string> names, std::uint64_t seed);

}  // namespace hearsay::prior
