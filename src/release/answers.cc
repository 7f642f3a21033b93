// SPDX-License-Identifier: Apache-2.0
#include "release/answers.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <vector>

#include "base/bytes.h"

namespace hearsay::release {

void Answers::add(const Answers& others) {
  next_visits = std::max(std::min(most_visits, others.most_visits), std::max(next_visits, others.next_visits));
  most_visits = std::max(most_visits, others.most_visits);
  assert(reports.has_value() == others.reports.has_value());
  if (!reports) return;
  const std::span<double> own = reports->all();
  assert(own.size() == others.reports->all().size());
  std::transform(own.begin(), own.end(), others.reports->all().begin(), own.begin(), std::plus<>());
}

void Answers::remove(const Answers& person) {
  if (person.most_visits == most_visits) most_visits = next_visits;
  if (!reports) return;
  const std::span<double> own = reports->all();
  std::transform(own.begin(), own.end(), person.reports->all().begin(), own.begin(), std::minus<>());
}

std::string Answers::to_bytes() const {
  BytesWriter bytes;
  bytes.put(most_visits);
  bytes.put(next_visits);
  bytes.put(static_cast<std::uint8_t>(reports ? 1 : 0));
  if (reports) reports->write(bytes);
  return bytes.take();
}

Answers Answers::from_bytes(std::string_view bytes) {
  BytesReader reader(bytes);
  Answers answers;
  reader.get(answers.most_visits);
  reader.get(answers.next_visits);
  if (reader.get<std::uint8_t>() == 0) return answers;
  answers.reports = CountMatrix::read(reader);
  return answers;
}

}  // namespace hearsay::release
