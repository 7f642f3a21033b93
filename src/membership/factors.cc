// SPDX-License-Identifier: Apache-2.0
#include "membership/factors.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace hearsay::membership {
namespace {

constexpr int kRounds = 12;  // of subspace iteration: factors need not be exact to weigh cells

struct TargetLesson final : Lesson {
  std::vector<double> weights;  // by factor
};

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Makes the rows orthonormal, one after the other; what is left of none becomes 0.
void orthonormalise(std::vector<std::vector<double>>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (int twice = 0; twice < 2; ++twice) {
      for (std::size_t j = 0; j < i; ++j) {
        const double along = dot(rows[i], rows[j]);
        for (std::size_t k = 0; k < rows[i].size(); ++k) rows[i][k] -= along * rows[j][k];
      }
    }
    const double length = std::sqrt(dot(rows[i], rows[i]));
    for (double& x : rows[i]) x = length > 1e-12 ? x / length : 0;
  }
}

// The inverse of a symmetric positive definite matrix, by Gauss and Jordan.
std::vector<double> inverted(std::vector<double> matrix, std::size_t n) {
  std::vector<double> inverse(n * n);
  for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = matrix[i * n + i];
    for (std::size_t k = 0; k < n; ++k) {
      matrix[i * n + k] /= pivot;
      inverse[i * n + k] /= pivot;
    }
    for (std::size_t j = 0; j < n; ++j) {
      const double factor = matrix[j * n + i];
      if (j == i || factor == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        matrix[j * n + k] -= factor * matrix[i * n + k];
        inverse[j * n + k] -= factor * inverse[i * n + k];
      }
    }
  }
  return inverse;
}

}  // namespace

Factors::Factors(const Question& question, std::size_t factors)
    : question_(question),
      group_(static_cast<double>(question.group)),
      size_(std::min(factors, question.crowd.traces.size())),
      columns_(question.grid.cells() * size_),
      inverse_(question.grid.cells()),
      crowd_(size_) {
  find_columns();
  invert();
}

// Subspace iteration on the covariance of presence, person by person: nobody's cells are made dense.
void Factors::find_columns() {
  const std::span<const std::vector<std::uint32_t>> traces = question_.crowd.traces;
  const std::span<const double> chances = question_.crowd.chances;
  const std::size_t cells = question_.grid.cells();
  std::vector<std::vector<double>> rows(size_, std::vector<double>(cells));
  SeededBits bits(mix(question_.seed, "factors"));
  for (std::vector<double>& row : rows) {
    for (double& x : row) x = bits.unit() - 0.5;
  }
  orthonormalise(rows);
  std::vector<double> lengths(size_);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t f = 0; f < size_; ++f) {
      std::vector<double>& row = rows[f];
      double usual = 0;
      for (std::size_t cell = 0; cell < cells; ++cell) usual += row[cell] * chances[cell];
      std::vector<double> next(cells);
      double all = 0;
      for (const std::vector<std::uint32_t>& trace : traces) {
        double along = -usual;
        for (const std::uint32_t cell : trace) along += row[cell];
        all += along;
        for (const std::uint32_t cell : trace) next[cell] += along;
      }
      for (std::size_t cell = 0; cell < cells; ++cell) {
        next[cell] = (next[cell] - all * chances[cell]) / static_cast<double>(traces.size());
      }
      lengths[f] = std::sqrt(std::max(0.0, dot(next, row)));
      row = std::move(next);
    }
    orthonormalise(rows);
  }
  for (std::size_t f = 0; f < size_; ++f) {
    for (std::size_t cell = 0; cell < cells; ++cell) columns_[cell * size_ + f] = rows[f][cell] * lengths[f];
  }
}

void Factors::invert() {
  std::vector<double> matrix(size_ * size_);
  for (std::size_t f = 0; f < size_; ++f) matrix[f * size_ + f] = 1 / group_;
  for (std::size_t cell = 0; cell < inverse_.size(); ++cell) {
    const std::span<const double> column(&columns_[cell * size_], size_);
    const double q = question_.crowd.chances[cell];
    // What the factors explain is not left to the cell; a tenth of it stays, as few people were known.
    const double alone = std::max(q * (1 - q) - dot(column, column), 0.1 * q * (1 - q));
    inverse_[cell] = 1 / (group_ * alone + question_.rule.variance);
    for (std::size_t f = 0; f < size_; ++f) {
      crowd_[f] += column[f] * inverse_[cell] * q;
      for (std::size_t g = 0; g < size_; ++g) matrix[f * size_ + g] += column[f] * inverse_[cell] * column[g];
    }
  }
  core_ = inverted(std::move(matrix), size_);
}

std::unique_ptr<Lesson> Factors::of_target(Target target) const {
  std::vector<double> own(size_);
  for (std::size_t f = 0; f < size_; ++f) own[f] = -crowd_[f];
  for (const Presence& presence : target) {
    add(presence.cell, presence.chance * inverse_[presence.cell], own);
  }
  auto lesson = std::make_unique<TargetLesson>();
  for (std::size_t f = 0; f < size_; ++f) {
    lesson->weights.push_back(dot(std::span(core_).subspan(f * size_, size_), own));
  }
  return lesson;
}

double Factors::common(const Lesson& target, std::span<const double> shared) const {
  return dot(static_cast<const TargetLesson&>(target).weights, shared);
}

}  // namespace hearsay::membership
