// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string_view>
#include <utility>

namespace hearsay {

// In [0, 1), of the upper 53 bits of a word.
constexpr double unit_of(std::uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1p-53;
}

// A source of random 64-bit words, fit for the distributions of <random>.
class RandomBits {
 public:
  using result_type = std::uint64_t;
  virtual ~RandomBits() = default;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return next(); }

  // Uniform below `bound` >= 1, without bias.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [0, 1), 53 bits.
  double unit();

 private:
  virtual result_type next() = 0;
};

// Puts them into one of all orders, each as likely (Fisher and Yates).
template <typename Item>
void shuffle(std::span<Item> items, RandomBits& bits) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[bits.below(i)]);
}

// For evaluation: the same words for the same key, on every machine.
class SeededBits final : public RandomBits {
 public:
  explicit SeededBits(std::uint64_t key) : engine_(key) {}

 private:
  result_type next() override { return engine_(); }
  std::mt19937_64 engine_;
};

// For publishing: the operating system's secure source, never seeded.
class SecureBits final : public RandomBits {
 public:
  SecureBits();
  ~SecureBits() override;

 private:
  result_type next() override;
  static constexpr std::size_t kWords = 512;
  std::unique_ptr<std::uint64_t[]> words_;
  std::size_t used_ = kWords;
};

// Mixes a further number or text into a key, so that streams with different keys are unrelated.
std::uint64_t mix(std::uint64_t key, std::uint64_t value);
std::uint64_t mix(std::uint64_t key, std::string_view text);

// Laplace noise of the given scale, in floating point: never for publishing (Mironov, CCS 2012).
double laplace(RandomBits& bits, double scale);

// Standard normal draws, for synthetic data: Marsaglia's polar method makes two at a time. That of <random> may differ
// between libraries, and a seed is to mean the same data everywhere.
class Normal {
 public:
  double operator()(RandomBits& bits);

 private:
  bool kept_ = false;
  double second_ = 0;
};

}  // namespace hearsay
