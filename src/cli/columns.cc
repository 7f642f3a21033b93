// SPDX-License-Identifier: Apache-2.0
#include "cli/columns.h"

namespace hearsay::cli {
namespace {

struct Word {
  const char* name;
  const char* summary;
  const char* where;
};

constexpr const char* kKeys = "A key: what a row is about.";
constexpr const char* kSummary = "summary.csv; users.parquet has it user by user.";
constexpr const char* kControl = "summary.csv. Empty without a control (study.control = false).";
constexpr const char* kUtility = "utility.csv, and the terminal's table of defences. Null is left out.";
constexpr const char* kPromise = "utility.csv, and the terminal's table of defences. docs/defences.md has the rules.";
constexpr const char* kMembership = "membership.csv, over targets.";
constexpr const char* kAudit = "audit.csv.";
constexpr const char* kAdvice = "The terminal's table of `hearsay advise`, and its page; docs/advice.md.";
constexpr const char* kPaths = "trajectories.csv, over people.";
constexpr const char* kBaseline = "A baseline of utility.csv and the terminal: no defence, and no guarantee.";

constexpr Word kWords[] = {
    {"dataset", "The data set's name, data.name of the study.", kKeys},
    {"goal", "What the adversary is after: profiling (habits), localization (who is where when), or another.", kKeys},
    {"prior", "What she knew before.", kKeys},
    {"attack", "What she did with it; PRIOR is what she knew and nothing else.", kKeys},
    {"decision", "How a prediction was read off her beliefs; empty where they are taken as they are.", kKeys},
    {"release", "What was published: RAW, or the name of a defence.", kKeys},
    {"parameter", "Parameters of the defence, and its post-processing where that is not the default.", kKeys},
    {"repeat", "Number of the draw of a defence's noise; 0 for RAW and for baselines.", kKeys},
    {"repeats", "How many draws of a defence's noise a mean is over.", kKeys},
    {"baseline", "What an error is compared with; empty where it is the baseline itself.", kKeys},
    {"kind", "Whether a row is a defence or a baseline.", "utility.csv."},
    {"RAW", "The counts as they are, without a defence.", kKeys},
    {"preset", "A rule by which others publish, as a chain of steps; its name stands under release.",
     "The terminal's table of defences, and the page."},
    {"null", "The place of whoever is at no place in an epoch.",
     "It has a row among the counts that a study hands to the adversary, and none in what would be published."},
    {"users", "People that a row is about.", kSummary},
    {"uid", "The user's number, or the id where the study sets results.show_users = true.", "users.parquet."},
    {"error", "What she gets wrong about a person, by the goal's metric; 0 means that she knows all.", kSummary},
    {"loss_signed", "Privacy loss without clipping at 0: below 0 where the counts mislead her.", kSummary},
    {"improved", "Share of the users whose error is lower than the baseline's.", kSummary},
    {"own", "What being counted costs a person, signed: without - error. The own part.", kControl},
    {"own_clipped", "Mean of max(0, own).", kControl},
    {"own_loss", "max(0, own / without): the share of her error on the counts of the others that being counted takes.",
     kControl},
    {"counted", "Share of the people whose error is lower because they are counted.", kControl},
    {"loss_without", "Privacy loss on counts that leave each person out, against the same baseline.", kControl},
    {"control", "The same adversary on counts that leave each person out in turn.", kControl},
    {"control_users", "People measured without themselves: all, or a sample (study.control_sample).", kControl},
    {"active", "The error over the epochs only in which the person was somewhere.", kSummary},
    {"active_users", "People who were somewhere in the inference period.", kSummary},
    {"active_without", "The active error on counts that leave each person out.", kControl},
    {"paper", "The least mean error of the paper's own adversaries, with the counts or ignoring them.",
     "best.csv and the terminal; empty where the paper has no such knowledge, or none of its attacks was run."},
    {"strongest", "The least mean error of all adversaries tried, with the counts or ignoring them.",
     "The terminal; with in best.csv. One who was not tried may err less."},
    {"epoch", "Number of the step of time, from 0 at the start of the inference period.", "epochs.csv."},
    {"time", "Civil time at which an epoch starts, in the data's time zone.", "epochs.csv."},
    {"roi", "A region of interest: a station, or a cell of a grid.", "rois.csv."},
    {"name", "The place's name, where the list of places has one.", "rois.csv."},
    {"lat", "Latitude of the place, in degrees.", "rois.csv."},
    {"lng", "Longitude of the place, in degrees.", "rois.csv."},
    {"visits", "Pairs of a person and an epoch at a place; of a target, the cells in which it was.",
     "rois.csv and membership.csv, of the inference period."},
    {"feature", "What a fitted prior looks at, in words.", "learned.csv."},
    {"importance", "By how much the log loss rises, as a share, when the values of a feature are dealt out anew.",
     "learned.csv."},
    {"mre", "Mean relative error of counts: |perturbed - raw| / max(beta, raw), beta 0.1% of the mean epoch total.",
     kUtility},
    {"mre_per_roi", "The paper's formula to the letter: beta is 0.1% of each place's own sum.", kUtility},
    {"mae", "Mean absolute error of a count.", kUtility},
    {"top10_overlap", "Share of an epoch's ten busiest places that are still among its ten busiest.", kUtility},
    {"top_10", "Share of an epoch's ten busiest places that are still among its ten busiest: top10_overlap.", kUtility},
    {"suppressed", "Share of the counts above 0 that became 0 or less.", kUtility},
    {"mae_0", "Mean absolute error of the counts whose true number is 0.", kUtility},
    {"mae_1_9", "Mean absolute error of the counts whose true number is 1 to 9.", kUtility},
    {"mae_10_99", "Mean absolute error of the counts whose true number is 10 to 99.", kUtility},
    {"mae_100", "Mean absolute error of the counts whose true number is 100 or more.", kUtility},
    {"rank_correlation", "Spearman's correlation of the places by an epoch's counts, true and perturbed.", kUtility},
    {"daily_profile", "Relative error of the sums over all places and days by epoch of the day.", kUtility},
    {"place_totals", "Relative error of the sums over epochs by place.", kUtility},
    {"epoch_totals", "Relative error of the sums over places by epoch.", kUtility},
    {"forecast_mae", "Mean absolute error where each count is forecast as the published one a day before.", kUtility},
    {"forecast_mae_raw", "The same forecast from the true counts: what the rule itself errs by.", kUtility},
    {"published", "Share of the release's own places and epochs whose count is published.", kUtility},
    {"mre_own_grid", "mre on the release's own places and epochs.", kUtility},
    {"mae_own_grid", "mae on the release's own places and epochs.", kUtility},
    {"worse_than", "The baseline with the least mre, where the release's is larger: it is further off than that.",
     kUtility},
    {"worse_than_mae", "The baseline with the least mae, where the release's is larger.", kUtility},
    {"given_back", "Of the error that the raw counts took from the adversaries tried, the share that they lack again.",
     "The terminal and the page. At most all of it: she can fall back on her prior."},
    {"epsilon", "What the counts as they would be published promise: the smaller, the more is hidden.", kPromise},
    {"a_year", "The epsilon for the same unit where counts of every such period are published for a year.", kPromise},
    {"with_null", "The epsilon of what a study gives the adversary, the noisy null row too: epsilon_with_null.",
     kPromise},
    {"epsilon_with_null", "The epsilon of what a study gives the adversary, the noisy null row too.", kPromise},
    {"hides", "What an epsilon is about: one event, a user in one ROI, epoch, day or week, or a user.", kPromise},
    {"unit", "What an epsilon is about; in the file of a goal, what its numbers are over (user, target, group).",
     kPromise},
    {"delta", "The chance for which epsilon does not hold; 0 but for normal noise.", kPromise},
    {"rho", "What normal noise promises as zero-concentrated differential privacy.", kPromise},
    {"ZEROS", "Publishing 0 everywhere.", kBaseline},
    {"LAST_WEEK_COUNTS", "Publishing the counts of the last week observed.", kBaseline},
    {"AVERAGE_WEEK", "Publishing the mean of the weeks observed.", kBaseline},
    {"count", "How many users, targets, groups or the like a row's numbers are over.", "The file of a goal."},
    {"target", "What she knows of the person asked about.", kMembership},
    {"crowd", "What she knows of everybody else.", kMembership},
    {"group", "People in the counts of a group.", kMembership},
    {"auc", "Probability that she ranks a group with the person above one without: 0.5 is a blind guess.", kMembership},
    {"tpr_1", "Share of the groups with the person that she names when wrong about 1% of those without.", kMembership},
    {"tpr_01", "The same when wrong about 0.1% of those without.", kMembership},
    {"above_06", "Whether the AUC is above 0.6; its mean is the share of such people.", kMembership},
    {"above_09", "Whether the AUC is above 0.9; its mean is the share of such people.", kMembership},
    {"company", "Others counted where and when the person was, on average.", kMembership},
    {"near_all", "Whether the group is more than a quarter of all people: the AUC is then overstated.", kMembership},
    {"trials", "Groups or draws with what is to be told, and as many without.", "membership.csv and audit.csv."},
    {"claimed", "The epsilon that a release promises; of the paper's FPA, the one that it names.", kAudit},
    {"found", "The true epsilon is at least this, at 95%.", kAudit},
    {"broken", "Whether more was found than claimed. Not broken proves nothing beyond the test made.", kAudit},
    {"candidate", "A chain of steps, or a preset, that advice tried.", kAdvice},
    {"MAE", "Mean absolute error of a count, with its 95% interval.", kAdvice},
    {"own loss",
     "What being counted costs, most of the study's goals and the priors that matter: the best response's own part, "
     "as a share of her error without the person.",
     kAdvice},
    {"membership", "AUC of whoever tells from counts of a group whether a person is in it: 0.5 is a blind guess.",
     kAdvice},
    {"keeps", "Whether a candidate keeps to every limit by the upper end of its interval.", kAdvice},
    {"draws", "Draws of the noise that own loss is a mean over.", kAdvice},
    {"method", "How paths were rebuilt from the counts.", kPaths},
    {"right", "Share of the epochs in which a rebuilt path is where the person matched with it was.", kPaths},
    {"shuffled", "The same for shuffled people, matched anew: what is right without linking hours to paths.", kPaths},
    {"right_active", "right over the epochs in which the person was somewhere.", kPaths},
    {"shuffled_active", "shuffled over the epochs in which the person was somewhere.", kPaths},
};

}  // namespace

const std::vector<EntryInfo>& columns() {
  static const std::vector<EntryInfo> kColumns = [] {
    std::vector<EntryInfo> all;
    for (const Word& word : kWords) {
      all.push_back({.name = word.name,
                     .summary = word.summary,
                     .explanation = word.where,
                     .parameters = {},
                     .citation = "docs/results.md."});
    }
    return all;
  }();
  return kColumns;
}

const std::vector<ColumnEnding>& column_endings() {
  static const std::vector<ColumnEnding> kEndings = {
      {"_MEAN", "the mean"},
      {"_SD", "the standard deviation, divided by n"},
      {"_P05", "the 5th percentile"},
      {"_P25", "the 25th percentile"},
      {"_P50", "the median"},
      {"_P75", "the 75th percentile"},
      {"_P95", "the 95th percentile"},
      {"_LOW", "the lower end of its 95% interval"},
      {"_HIGH", "the upper end of its 95% interval"},
      {"_HALF_WIDTH", "half of its 95% interval, 0 where everybody was measured"},
      {"_ATTACK", "the attack that reaches it"},
      {"_DECISION", "the decision by which that is read"},
  };
  return kEndings;
}

}  // namespace hearsay::cli
