// SPDX-License-Identifier: Apache-2.0
#include "results/people_figures.h"

#include <type_traits>

namespace hearsay::results {
namespace {

// The same walk over all fields writes and reads them.
class Out {
 public:
  explicit Out(BytesWriter& bytes) : bytes_(bytes) {}
  template <typename Value>
  void operator()(const Value& value) {
    bytes_.put(value);
  }
  bool there(bool is) {
    bytes_.put(is);
    return is;
  }
  std::size_t size(std::size_t is) {
    bytes_.put(static_cast<std::uint64_t>(is));
    return is;
  }

 private:
  BytesWriter& bytes_;
};

class In {
 public:
  explicit In(BytesReader& bytes) : bytes_(bytes) {}
  template <typename Value>
  void operator()(Value& value) {
    bytes_.get(value);
  }
  bool there(bool) { return bytes_.get<bool>(); }
  std::size_t size(std::size_t) { return bytes_.get<std::uint64_t>(); }

 private:
  BytesReader& bytes_;
};

template <typename Way, typename Optional, typename Walk>
void walk_optional(Way& way, Optional& optional, const Walk& walk) {
  const bool there = way.there(optional.has_value());
  if constexpr (!std::is_const_v<Optional>) {
    optional.reset();
    if (there) optional.emplace();
  }
  if (there) walk(*optional);
}

template <typename Way, typename Optional>
void walk_number(Way& way, Optional& optional) {
  walk_optional(way, optional, [&](auto& number) { way(number); });
}

template <typename Way, typename List, typename Walk>
void walk_list(Way& way, List& list, const Walk& walk) {
  const std::size_t size = way.size(list.size());
  if constexpr (!std::is_const_v<List>) list.resize(size);
  for (std::size_t i = 0; i < size; ++i) walk(list[i]);
}

template <typename Way, typename Groups>
void walk_groups(Way& way, Groups& groups) {
  walk_list(way, groups, [&](auto& means) { walk_list(way, means, [&](auto& mean) { walk_number(way, mean); }); });
}

template <typename Way, typename Shown>
void walk_exposed(Way& way, Shown& exposed) {
  way(exposed.users);
  way(exposed.most);
}

template <typename Way, typename Row>
void walk_row(Way& way, Row& row) {
  way(row.dataset);
  auto& key = row.combination;
  for (const goal::KeyField& field : goal::kKeyFields) {
    if (field.text != nullptr) {
      way(key.*field.text);
    } else {
      way(key.*field.number);
    }
  }
  way(key.uses_release);
  way(key.uses_prior);
  way(key.paper);
  way(row.users);
  way(row.error);
  walk_number(way, row.loss_mean);
  walk_number(way, row.loss_signed_mean);
  walk_number(way, row.gain_mean);
  walk_number(way, row.improved);
  walk_optional(way, row.control, [&](auto& control) {
    way(control.users);
    way(control.without);
    way(control.own);
    way(control.own_clipped);
    way(control.own_loss);
    way(control.counted);
    way(control.half_width);
    walk_number(way, control.loss_without);
  });
  walk_optional(way, row.active, [&](auto& active) {
    way(active.users);
    way(active.mean);
    walk_number(way, active.without);
  });
}

template <typename Way, typename Figures>
void walk_figures(Way& way, Figures& figures) {
  walk_row(way, figures.row);
  walk_number(way, figures.gains);
  way(figures.error_steps);
  walk_optional(way, figures.loss, [&](auto& loss) {
    walk_number(way, loss.p95);
    walk_groups(way, loss.groups);
    walk_exposed(way, loss.exposed);
  });
  walk_optional(way, figures.own, [&](auto& own) {
    way(own.steps);
    way(own.p95);
    way(own.hundredth);
    walk_groups(way, own.groups);
    walk_exposed(way, own.exposed);
  });
  way(figures.rows);
}

}  // namespace

void write_figures(const PeopleFigures& figures, BytesWriter& bytes) {
  Out out(bytes);
  walk_figures(out, figures);
}

PeopleFigures read_figures(BytesReader& bytes) {
  PeopleFigures figures;
  In in(bytes);
  walk_figures(in, figures);
  return figures;
}

}  // namespace hearsay::results
