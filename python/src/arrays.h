// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

namespace hearsay::python {

using Vector = nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<1>, nanobind::c_contig>;
using Matrix = nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<2>, nanobind::c_contig>;
using Indices = nanobind::ndarray<nanobind::numpy, std::uint32_t, nanobind::ndim<1>, nanobind::c_contig>;
using InputVector = nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using InputMatrix = nanobind::ndarray<const double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using InputIndices =
    nanobind::ndarray<const std::uint32_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// Moves the numbers into an array that owns them.
template <typename T>
nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>, nanobind::c_contig> owned_array(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nanobind::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<T>*>(data); });
  return {kept->data(), {kept->size()}, owner};
}

inline Matrix owned_matrix(std::vector<double> values, std::size_t rows, std::size_t columns) {
  auto* kept = new std::vector<double>(std::move(values));
  const nanobind::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<double>*>(data); });
  return {kept->data(), {rows, columns}, owner};
}

// Ids as the numbers they are.
template <typename Id>
std::vector<std::uint32_t> numbers_of(std::span<const Id> ids) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(ids.size());
  for (const Id id : ids) numbers.push_back(static_cast<std::uint32_t>(id));
  return numbers;
}

}  // namespace hearsay::python
