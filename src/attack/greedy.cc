// SPDX-License-Identifier: Apache-2.0
#include "attack/greedy.h"

#include <algorithm>
#include <cmath>

#include "attack/greedy_person.h"
#include "attack/greedy_plan.h"
#include "attack/greedy_summary.h"
#include "base/radix_sort.h"
#include "base/table_position.h"

namespace hearsay::attack {
namespace {

bool is_in(double probability, std::uint32_t place, const Cut& cut) {
  return probability > cut.probability || (probability == cut.probability && place <= cut.place);
}

// The ROIs with a count, null left out.
std::span<const RoiId> counted(const release::EpochCounts& counts, const dataset::Crowd& crowd) {
  const bool null_counted = !counts.rois.empty() && counts.rois.back() == crowd.null_roi();
  return counts.rois.first(counts.rois.size() - (null_counted ? 1 : 0));
}

// The cuts and limits of one epoch by ROI, as long as this lives.
class OpenPlan {
 public:
  OpenPlan(const GreedyPlan& plan, std::span<const RoiId> rois, std::size_t all, Workspace& workspace)
      : rois_(rois), workspace_(workspace), copied_(all > kFewRois) {
    workspace.limits.resize(all);
    for (const RoiId roi : workspace.limited) workspace.limits[index_of(roi)] = 0;
    workspace.limited.clear();
    for (std::size_t i = 0; i < plan.limits.size(); ++i) {
      if (plan.limits[i] == 0) continue;
      workspace.limits[index_of(rois[i])] = plan.limits[i];
      workspace.limited.push_back(rois[i]);
    }
    workspace.open_cuts = plan.cuts;
    if (!copied_) return;
    if (workspace.cuts.size() != all) workspace.cuts.assign(all, kNobody);
    for (std::size_t i = 0; i < rois.size(); ++i) workspace.cuts[index_of(rois[i])] = plan.cuts[i];
    workspace.open_cuts = workspace.cuts;
  }
  OpenPlan(const OpenPlan&) = delete;
  OpenPlan& operator=(const OpenPlan&) = delete;
  ~OpenPlan() {
    if (!copied_) return;
    for (const RoiId roi : rois_) workspace_.cuts[index_of(roi)] = kNobody;
  }

 private:
  std::span<const RoiId> rois_;
  Workspace& workspace_;
  bool copied_;
};

}  // namespace

std::unique_ptr<Summary> GreedyAttack::summarise(const belief::Beliefs& prior, const dataset::Crowd& crowd) const {
  return std::make_unique<GreedySummary>(prior, rule_, crowd);
}

std::unique_ptr<Plan> GreedyAttack::plan_places(const Summary& summary, const release::EpochCounts& counts,
                                                PlaceRange places, const dataset::Crowd& crowd) const {
  if (const auto* person = dynamic_cast<const GreedyPerson*>(&summary)) {
    return person->plan(counted(counts, crowd), counts, crowd);
  }
  const auto& candidates = static_cast<const GreedySummary&>(summary);
  auto made = std::make_unique<GreedyPlan>(crowd);
  std::size_t next = 0;
  for (const RoiId roi : counted(counts, crowd)) {
    if (!places.contains(index_of(roi))) continue;
    made->add(roi, candidates.cut_of_roi(roi, whole_people(counts.dense[index_of(roi)], crowd), next));
  }
  made->close();
  if (places.contains(crowd.rois - 1)) {
    made->null_cut = candidates.cut_of_null(whole_people(counts.dense.back(), crowd), crowd.people());
  }
  return made;
}

namespace {

// From so many epochs on, sorting a table's candidates costs less than comparing each with every epoch's cut.
constexpr std::size_t kManyEpochs = 24;

// The probabilities of all entries of the range's rows; none where everybody is alike.
void list_probabilities(const belief::Rows& rows, std::vector<double>& probabilities) {
  for (std::size_t row = 0; row < rows.users.size(); ++row) {
    const double total = rows.total_of(row);
    for (std::size_t i = rows.begins[row]; i < rows.begins[row + 1]; ++i) {
      probabilities.push_back(rows.weight(i) / total);
    }
  }
}

// A table's rows, and the probability of each entry.
struct ListedRows {
  ListedRows(const belief::Beliefs& prior, const Workspace& workspace)
      : rows(std::holds_alternative<belief::Rows>(prior)
                 ? static_cast<const belief::SparseRows&>(std::get<belief::Rows>(prior))
                 : std::get<belief::Assignment>(prior)),
        probabilities(workspace.probabilities) {}
  const belief::SparseRows& rows;
  const std::vector<double>& probabilities;
  double probability(std::size_t entry) const {
    return probabilities.empty() ? 1.0 : probabilities[entry - rows.begins[0]];
  }
  bool has_null(std::size_t row, RoiId null_roi) const { return rows.rois[rows.begins[row + 1] - 1] == null_roi; }
  double null_chance(std::size_t row, RoiId null_roi) const {
    return has_null(row, null_roi) ? probability(rows.begins[row + 1] - 1) : 0.0;
  }
  // One past the last entry that is not null.
  std::size_t end(std::size_t row, RoiId null_roi) const {
    return rows.begins[row + 1] - (has_null(row, null_roi) ? 1 : 0);
  }
};

// Fills the workspace's candidates from rows.
void list_candidates(const ListedRows& listed, const GreedyRule& rule, const dataset::Crowd& crowd,
                     Workspace& workspace) {
  const belief::SparseRows& rows = listed.rows;
  std::vector<Candidate> by_user;
  for (std::size_t row = 0; row < rows.users.size(); ++row) {
    const std::uint32_t place = place_of(rows.users[row], rule, crowd);
    for (std::size_t i = rows.begins[row]; i < listed.end(row, crowd.null_roi()); ++i) {
      workspace.keys.push_back(static_cast<std::uint64_t>(rows.rois[i]) << 32 | by_user.size());
      by_user.push_back({{listed.probability(i), place}, rows.users[row]});
    }
  }
  radix_sort(workspace.keys, workspace.scratch);
  for (const std::uint64_t key : workspace.keys) {
    const auto roi = static_cast<RoiId>(key >> 32);
    if (workspace.candidate_rois.empty() || workspace.candidate_rois.back() != roi) {
      workspace.candidate_rois.push_back(roi);
      workspace.candidate_begins.push_back(workspace.candidates.size());
    }
    workspace.candidates.push_back(by_user[key & 0xffffffffU]);
  }
  workspace.candidate_begins.push_back(workspace.candidates.size());
  for (std::size_t i = 0; i < workspace.candidate_rois.size(); ++i) {
    std::sort(workspace.candidates.begin() + static_cast<std::ptrdiff_t>(workspace.candidate_begins[i]),
              workspace.candidates.begin() + static_cast<std::ptrdiff_t>(workspace.candidate_begins[i + 1]),
              kComesBefore);
  }
}

// The same where all users listed are candidates of every ROI alike: one list.
void list_shared(const belief::Shared& shared, const GreedyRule& rule, const dataset::Crowd& crowd,
                 Workspace& workspace) {
  for (const UserId user : shared.users) {
    workspace.candidates.push_back({{1.0, place_of(user, rule, crowd)}, user});
  }
  if (!rule.by_reports) return;
  std::sort(workspace.candidates.begin(), workspace.candidates.end(), kComesBefore);
}

}  // namespace

void GreedyAttack::enter_table(const belief::Beliefs& prior, belief::UserRange users, std::size_t epochs,
                               const dataset::Crowd& crowd, Workspace& workspace) const {
  workspace.probabilities.clear();
  workspace.candidates.clear();
  workspace.candidate_rois.clear();
  workspace.candidate_begins.clear();
  workspace.keys.clear();
  const auto chances = [&](std::span<const UserId> listed, const auto& chance_of) {
    workspace.null_chances.assign(users.size(), 1.0);
    for (std::size_t row = 0; row < listed.size(); ++row) {
      workspace.null_chances[index_of(listed[row]) - index_of(users.begin)] = chance_of(row);
    }
  };
  if (const auto* shared = std::get_if<belief::Shared>(&prior)) {
    chances(shared->users, [&](std::size_t) { return shared->background.weights.back() / shared->background.total; });
    list_shared(*shared, rule_, crowd, workspace);
    return;
  }
  const auto* rows = std::get_if<belief::Rows>(&prior);
  if (rows != nullptr && rule_.by_probability) list_probabilities(*rows, workspace.probabilities);
  if (epochs < kManyEpochs) return;
  const ListedRows listed(prior, workspace);
  chances(listed.rows.users, [&](std::size_t row) { return listed.null_chance(row, crowd.null_roi()); });
  list_candidates(listed, rule_, crowd, workspace);
}

namespace {

// Takes users, ascending, into the rows of an assignment: the ROIs whose cut they pass, and null.
class RowFiller {
 public:
  RowFiller(const GreedyRule& rule, const GreedyPlan& plan, const dataset::Crowd& crowd, Workspace& workspace)
      : rule_(rule), plan_(plan), crowd_(crowd), workspace_(workspace) {
    workspace.table.clear();
  }

  // `null_chance`: the user's probability of null.
  template <typename AddRois>
  void add(UserId user, double null_chance, const AddRois& add_rois) {
    const std::uint32_t place = place_of(user, rule_, crowd_);
    std::vector<RoiId>& rois = workspace_.table.rois;
    const std::size_t begin = rois.size();
    add_rois(place, rois);
    if (rois.size() == begin && place >= plan_.highest_limit()) return;
    const double chance = rule_.by_probability ? null_chance : null_chance > 0 ? 1.0 : 0.0;
    if (is_in(chance, place, plan_.null_cut)) rois.push_back(crowd_.null_roi());
    if (rois.size() == begin) return;
    workspace_.table.users.push_back(user);
    workspace_.table.begins.push_back(table_position(begin));
  }

  // Of the users of a range, those before this one may have a ROI by the limits, without an entry.
  std::size_t limits_end(belief::UserRange range) const {
    if (plan_.highest_limit() == 0) return index_of(range.begin);
    if (rule_.by_reports || !crowd_.numbers.empty()) return index_of(range.end);
    return std::clamp<std::size_t>(plan_.highest_limit(), index_of(range.begin), index_of(range.end));
  }

  belief::Assignment finish() {
    workspace_.table.close();
    belief::Assignment assignment = workspace_.table.assignment();
    if (plan_.highest_limit() == 0) return assignment;
    assignment.limits = workspace_.limits;
    assignment.sorted_limits = plan_.sorted_limits;
    assignment.places = rule_.by_reports ? crowd_.ranks : crowd_.numbers;
    return assignment;
  }

 private:
  const GreedyRule& rule_;
  const GreedyPlan& plan_;
  const dataset::Crowd& crowd_;
  Workspace& workspace_;
};

// Row by row, each entry against its cut.
belief::Assignment fill_from_rows(const ListedRows& listed, belief::UserRange range, const dataset::Crowd& crowd,
                                  Workspace& workspace, RowFiller& filler) {
  const belief::SparseRows& rows = listed.rows;
  const auto add_row = [&](std::size_t row) {
    filler.add(
        rows.users[row], listed.null_chance(row, crowd.null_roi()), [&](std::uint32_t place, std::vector<RoiId>& rois) {
          for (std::size_t i = rows.begins[row]; i < listed.end(row, crowd.null_roi()); ++i) {
            const std::size_t roi = index_of(rows.rois[i]);
            if (is_in(listed.probability(i), place, workspace.open_cuts[roi]) && place >= workspace.limits[roi]) {
              rois.push_back(rows.rois[i]);
            }
          }
        });
  };
  std::size_t row = 0;
  for (std::size_t u = index_of(range.begin); u < filler.limits_end(range); ++u) {
    if (row < rows.users.size() && index_of(rows.users[row]) == u) {
      add_row(row++);
    } else {
      filler.add(static_cast<UserId>(u), 1.0, [](std::uint32_t, std::vector<RoiId>&) {});
    }
  }
  for (; row < rows.users.size(); ++row) add_row(row);
  return filler.finish();
}

// Takes those in who pass the cut of a ROI: they are the first of its candidates.
void take_in(RoiId roi, std::span<const Candidate> candidates, belief::UserRange range, const dataset::Crowd& crowd,
             Workspace& workspace) {
  const Cut& cut = workspace.open_cuts[index_of(roi)];
  const std::uint32_t limit = workspace.limits[index_of(roi)];
  if (limit >= crowd.people()) return;
  for (const Candidate& one : candidates) {
    if (!is_in(one.probability, one.place, cut)) break;
    if (one.place < limit) continue;
    workspace.taken_users.push_back(static_cast<std::uint32_t>(index_of(one.user) - index_of(range.begin)));
    workspace.taken_rois.push_back(roi);
  }
}

void take_in(std::span<const RoiId> rois, const belief::Beliefs& prior, belief::UserRange range,
             const dataset::Crowd& crowd, Workspace& workspace) {
  workspace.taken_users.clear();
  workspace.taken_rois.clear();
  if (const auto* shared = std::get_if<belief::Shared>(&prior)) {
    for (const RoiId roi : rois) {
      if (shared->background.weights[index_of(roi)] > 0) take_in(roi, workspace.candidates, range, crowd, workspace);
    }
    return;
  }
  for (std::size_t i = 0; i < workspace.candidate_rois.size(); ++i) {
    const std::size_t begin = workspace.candidate_begins[i];
    take_in(workspace.candidate_rois[i],
            std::span(workspace.candidates).subspan(begin, workspace.candidate_begins[i + 1] - begin), range, crowd,
            workspace);
  }
}

// By user: the ROIs came in order, and counting keeps that.
belief::Assignment fill_from_taken(belief::UserRange range, Workspace& workspace, RowFiller& filler) {
  std::vector<std::uint32_t>& begins = workspace.user_begins;
  begins.assign(range.size() + 1, 0);
  for (const std::uint32_t user : workspace.taken_users) ++begins[user + 1];
  for (std::size_t user = 0; user < range.size(); ++user) begins[user + 1] += begins[user];
  workspace.rois_by_user.resize(workspace.taken_rois.size());
  for (std::size_t i = 0; i < workspace.taken_users.size(); ++i) {
    workspace.rois_by_user[begins[workspace.taken_users[i]]++] = workspace.taken_rois[i];
  }
  // Now each begins where the next one did.
  std::uint32_t begin = 0;
  const std::size_t below_limit = filler.limits_end(range) - index_of(range.begin);
  for (std::size_t user = 0; user < range.size(); ++user) {
    const std::uint32_t end = begins[user];
    if (end > begin || user < below_limit) {
      filler.add(static_cast<UserId>(index_of(range.begin) + user), workspace.null_chances[user],
                 [&](std::uint32_t, std::vector<RoiId>& rois) {
                   rois.insert(rois.end(), workspace.rois_by_user.begin() + begin,
                               workspace.rois_by_user.begin() + end);
                 });
    }
    begin = end;
  }
  return filler.finish();
}

}  // namespace

belief::Beliefs GreedyAttack::infer_epoch(const belief::Beliefs& prior, belief::UserRange users,
                                          const release::EpochCounts& counts, const Plan* plan,
                                          const dataset::Crowd& crowd, Workspace& workspace) const {
  const auto& own = static_cast<const GreedyPlan&>(*plan);
  const std::span<const RoiId> rois = counted(counts, crowd);
  const OpenPlan open(own, rois, crowd.rois, workspace);
  RowFiller filler(rule_, own, crowd, workspace);
  if (std::holds_alternative<belief::Shared>(prior) || !workspace.candidate_begins.empty()) {
    take_in(rois, prior, users, crowd, workspace);
    return fill_from_taken(users, workspace, filler);
  }
  return fill_from_rows(ListedRows(prior, workspace), users, crowd, workspace, filler);
}

namespace {

// A user's probability of a place as cuts compare it, 0 where the user is no candidate.
double chance_of(const belief::Beliefs& prior, UserId user, RoiId roi, const GreedyRule& rule, RoiId null_roi) {
  // No further from the first than by its number, and just there where nearly everybody is listed.
  std::span<const UserId> users = belief::users_of(prior);
  if (!users.empty() && users.front() <= user) {
    users = users.first(std::min(users.size(), index_of(user) - index_of(users.front()) + 1));
  }
  const auto found =
      !users.empty() && users.back() == user ? users.end() - 1 : std::lower_bound(users.begin(), users.end(), user);
  if (found == users.end() || *found != user) return roi == null_roi ? 1.0 : 0.0;
  if (const auto* shared = std::get_if<belief::Shared>(&prior)) {
    const double weight = shared->background.weights[index_of(roi)];
    return roi == null_roi && rule.by_probability ? weight / shared->background.total : weight > 0 ? 1.0 : 0.0;
  }
  const auto* rows = std::get_if<belief::Rows>(&prior);
  const belief::SparseRows& listed =
      rows != nullptr ? static_cast<const belief::SparseRows&>(*rows) : std::get<belief::Assignment>(prior);
  const auto row = static_cast<std::size_t>(found - users.begin());
  const std::span<const RoiId> rois = listed.rois_of(row);
  const auto entry = std::lower_bound(rois.begin(), rois.end(), roi);
  if (entry == rois.end() || *entry != roi) return 0;
  if (rows == nullptr || !rule.by_probability) return 1;
  return rows->weight(listed.begins[row] + static_cast<std::size_t>(entry - rois.begin())) / rows->total_of(row);
}

}  // namespace

bool GreedyAttack::assigns(const belief::Beliefs& prior, UserId user, RoiId roi, const release::EpochCounts& counts,
                           const Plan* plan, const dataset::Crowd& crowd) const {
  const auto& own = static_cast<const GreedyPlan&>(*plan);
  const std::uint32_t place = place_of(user, rule_, crowd);
  const double chance = chance_of(prior, user, roi, rule_, crowd.null_roi());
  if (roi == crowd.null_roi()) return is_in(chance, place, own.null_cut);
  const std::span<const RoiId> rois = counted(counts, crowd);
  const auto found = std::lower_bound(rois.begin(), rois.end(), roi);
  if (found == rois.end() || *found != roi) return false;
  const auto i = static_cast<std::size_t>(found - rois.begin());
  const Cut& cut = own.cuts[crowd.rois <= kFewRois ? index_of(roi) : i];
  return (chance > 0 && is_in(chance, place, cut)) || (!own.limits.empty() && place < own.limits[i]);
}

}  // namespace hearsay::attack
