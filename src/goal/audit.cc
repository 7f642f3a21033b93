// SPDX-License-Identifier: Apache-2.0
#include "goal/audit.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/parallel.h"
#include "base/random.h"
#include "goal/coarse_knowledge.h"
#include "goal/group_publisher.h"
#include "membership/scores.h"

namespace hearsay::goal {
namespace {

constexpr std::size_t kPeople = 100;  // besides the one who is there or not
constexpr double kRisk = 0.025;       // of each of two limits

// A way to tell: above a threshold (or below) it is with.
struct Test {
  double threshold = 0;
  bool above = true;

  std::size_t count(std::span<const double> scores) const {
    return static_cast<std::size_t>(std::count_if(
        scores.begin(), scores.end(), [&](double score) { return above ? score > threshold : score < threshold; }));
  }
  // One with is told from one without at least so much better than a guess, but for the chance `delta`; what is above
  // speaks for with.
  double epsilon(std::span<const double> with, std::span<const double> without, double delta) const {
    const std::span<const double>& right = above ? with : without;
    const std::span<const double>& wrong = above ? without : with;
    const double low = membership::least_proportion(count(right), right.size(), kRisk) - delta;
    const double high = membership::most_proportion(count(wrong), wrong.size(), kRisk);
    return low > 0 ? std::max(0.0, std::log(low / high)) : 0;
  }
};

Test best_test(std::span<const double> with, std::span<const double> without, double delta) {
  constexpr std::size_t kThresholds = 200;
  std::vector<double> all(with.begin(), with.end());
  all.insert(all.end(), without.begin(), without.end());
  std::sort(all.begin(), all.end());
  Test best;
  double most = -1;
  for (std::size_t i = 0; i <= kThresholds; ++i) {
    for (const bool above : {true, false}) {
      const Test test{all[(all.size() - 1) * i / kThresholds], above};
      const double epsilon = test.epsilon(with, without, delta);
      if (epsilon > most) {
        most = epsilon;
        best = test;
      }
    }
  }
  return best;
}

// Who is there or not: in as many cells as the unit hides, where most people are, so that no count is cut off at 0.
// `per_day`: epochs; days and weeks are counted from the first.
std::vector<std::vector<std::uint32_t>> canaries(const release::Claim& claim, const membership::Grid& grid,
                                                 std::size_t per_day, std::span<const double> counts) {
  const auto busiest = static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  const std::size_t place = busiest / grid.epochs;
  const std::size_t epoch = busiest % grid.epochs;
  std::vector<std::uint32_t> always_there;
  for (std::size_t e = 0; e < grid.epochs; ++e)
    always_there.push_back(static_cast<std::uint32_t>(place * grid.epochs + e));
  // In all places, at the busiest epoch and those that are in the same stretch of so many.
  const auto everywhere_then = [&](std::size_t together) {
    std::vector<std::uint32_t> cells;
    for (std::size_t p = 0; p < grid.places; ++p) {
      for (std::size_t e = 0; e < grid.epochs; ++e) {
        if (e / together == epoch / together) cells.push_back(static_cast<std::uint32_t>(p * grid.epochs + e));
      }
    }
    return cells;
  };
  const std::vector<std::uint32_t> once = {static_cast<std::uint32_t>(busiest)};
  if (claim.unit == "one event") return {once};
  if (claim.unit == "a user in one ROI") return {always_there};
  if (claim.unit == "a user") return {once, always_there, everywhere_then(grid.epochs)};
  if (claim.unit == "a user in one day") return {once, everywhere_then(per_day)};
  if (claim.unit == "a user in one week") return {once, everywhere_then(7 * per_day)};
  // Of any other unit no more is sure than that it is about a person.
  return {once, everywhere_then(1)};
}

// The counts of a few people, who are in the data, and one more or not.
class Stage {
 public:
  Stage(const Ground& ground, const Traces& traces, const Defence& defence)
      : ground_(ground), grid_(traces.grid()), counts_(grid_.cells()) {
    const std::size_t users = traces.users();
    const std::size_t number = std::min(users, kPeople);
    for (std::size_t i = 0; i < number; ++i) {
      people_.push_back(traces.of(i * users / number));
      for (const std::uint32_t cell : people_.back()) counts_[cell] += 1;
    }
    publisher_.emplace(ground, &defence, grid_, number + 1);
    keep_busiest_place(defence, number + 1);
  }

  std::optional<release::Claim> claim() const {
    const release::Guarantee guarantee = publisher_->guarantee();
    if (guarantee.epsilon) return release::Claim{*guarantee.epsilon, guarantee.unit, guarantee.delta};
    return guarantee.named;
  }

  std::vector<std::vector<std::uint32_t>> canaries(const release::Claim& claim) const {
    return goal::canaries(claim, grid_, ground_.dataset.calendar().per_day(), counts_);
  }

  // Scores of `trials` draws: how far the counts lean towards the canary, as they are and with each cut off where it
  // says no more. By way of scoring, with and without.
  struct Scores {
    std::vector<double> with[2];
    std::vector<double> without[2];
  };
  Scores play(const std::vector<std::uint32_t>& canary, std::size_t trials, std::uint64_t key) const {
    std::vector<double> with = counts_;
    for (const std::uint32_t cell : canary) with[cell] += 1;
    std::vector<std::span<const std::uint32_t>> more = people_;
    more.push_back(canary);
    const release::Draft drafts[] = {publisher_->draft_of(more, with), publisher_->draft_of(people_, counts_)};
    Scores scores;
    for (int way : {0, 1}) {
      scores.with[way].resize(trials);
      scores.without[way].resize(trials);
    }
    const std::size_t threads = std::max<std::size_t>(1, ground_.options.threads);
    std::vector<std::vector<double>> seen(threads, std::vector<double>(publisher_->grid().cells()));
    const std::vector<std::uint32_t> cells = published_cells(canary);
    const std::vector<double> usual = published_counts();
    parallel_for(2 * trials, threads, [&](std::size_t number, std::size_t worker) {
      if (ground_.options.stop.stop_requested()) return;
      const bool in = number % 2 == 0;
      publisher_->publish(drafts[number % 2], mix(key, number), seen[worker]);
      double sums[2] = {};
      for (const std::uint32_t cell : cells) {
        const double lean = std::isnan(seen[worker][cell]) ? 0 : seen[worker][cell] - usual[cell] - 0.5;
        sums[0] += lean;
        sums[1] += std::clamp(lean, -0.5, 0.5);
      }
      for (int way : {0, 1}) (in ? scores.with : scores.without)[way][number / 2] = sums[way];
    });
    ground_.check_stop();
    return scores;
  }

 private:
  std::vector<std::uint32_t> published_cells(std::span<const std::uint32_t> cells) const {
    if (!publisher_->coarse()) return {cells.begin(), cells.end()};
    return coarse_cells(cells, publisher_->geometry());
  }

  std::vector<double> published_counts() const {
    if (!publisher_->coarse()) return counts_;
    std::vector<double> counts(publisher_->grid().cells());
    for (const std::span<const std::uint32_t> person : people_) {
      for (const std::uint32_t cell : published_cells(person)) counts[cell] += 1;
    }
    return counts;
  }

  // Where every place is published by itself, with noise that does not depend on how many there are, one says what all
  // do, and takes no time.
  void keep_busiest_place(const Defence& defence, std::size_t group) {
    const std::optional<release::Claim> promise = claim();
    const bool one_place = promise && (promise->unit == "one event" || promise->unit == "a user in one ROI");
    if (!one_place || publisher_->reads_visits() || !defence.chain.by_place()) return;
    if (defence.post_process == release::PostProcess::kProjected) return;
    const membership::Grid one{1, grid_.epochs};
    const GroupPublisher alone(ground_, &defence, one, group);
    if (alone.rule().variance != publisher_->rule().variance) return;
    const auto busiest = std::max_element(counts_.begin(), counts_.end()) - counts_.begin();
    const std::size_t first = static_cast<std::size_t>(busiest) / grid_.epochs * grid_.epochs;
    counts_ = std::vector<double>(counts_.begin() + static_cast<std::ptrdiff_t>(first),
                                  counts_.begin() + static_cast<std::ptrdiff_t>(first + grid_.epochs));
    grid_ = one;
    publisher_.emplace(ground_, &defence, one, group);
  }

  const Ground& ground_;
  membership::Grid grid_;
  std::vector<std::span<const std::uint32_t>> people_;
  std::vector<double> counts_;
  std::optional<GroupPublisher> publisher_;
};

}  // namespace

double least_epsilon(std::span<const double> with, std::span<const double> without, double delta) {
  const std::size_t half = with.size() / 2;
  const Test test = best_test(with.first(half), without.first(half), delta);
  return test.epsilon(with.subspan(half), without.subspan(half), delta);
}

std::optional<Audit> audit(const Ground& ground, const Traces& traces, const Defence& defence) {
  const Stage stage(ground, traces, defence);
  const std::optional<release::Claim> claim = stage.claim();
  if (!claim) return std::nullopt;
  const MembershipSpec& spec = ground.adversary.membership;
  const std::size_t trials = spec.audit_trials;
  const std::uint64_t key = mix(mix(spec.seed.value_or(ground.seed), "audit"), defence.parameter);
  // The canary and the way of scoring that do best on a quarter of the draws are played again.
  const std::vector<std::vector<std::uint32_t>> canaries = stage.canaries(*claim);
  std::size_t canary = 0;
  int way = 0;
  double most = -1;
  for (std::size_t i = 0; i < canaries.size(); ++i) {
    const Stage::Scores tried = stage.play(canaries[i], std::max<std::size_t>(2, trials / 4), mix(key, i + 1));
    for (int one : {0, 1}) {
      const double epsilon = least_epsilon(tried.with[one], tried.without[one], claim->delta);
      if (epsilon <= most) continue;
      most = epsilon;
      canary = i;
      way = one;
    }
  }
  const Stage::Scores scores = stage.play(canaries[canary], trials, mix(key, 0));
  return Audit{*claim, least_epsilon(scores.with[way], scores.without[way], claim->delta), trials};
}

}  // namespace hearsay::goal
