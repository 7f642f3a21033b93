// SPDX-License-Identifier: Apache-2.0
// One sentence for every kind of number on the page.
import type { ReportDocument } from '../document';
import { capital, fraction } from '../lib/format';
import { baseline_name, find_entry, is_blind } from '../lib/model';

export function glossary(report: ReportDocument): [string, string][] {
  const { attacks, decisions, metrics } = report.entries;
  const comparison = (with_what: string) => metrics.find((entry) => entry.compares_with === with_what)?.summary ?? '';
  const readings = decisions.filter((entry) => report.summary.some((row) => row.decision === entry.name));
  const names = readings.map((entry) => entry.name).join(', ');
  const baseline = baseline_name(report);
  const errors = report.goals.map(({ name, metric, largest }): [string, string] => [
    `${name} error`,
    `${find_entry(metrics, metric)?.summary ?? ''} ${largest === 1 ? '' : `In this study it is at most ${fraction(largest)}. `}Larger is better for the user.`,
  ]);
  const measured = [...metrics.filter((entry) => report.goals.some((goal) => goal.metric === entry.name)), ...readings];
  const parameters = measured
    .flatMap((entry) => entry.parameters.map(({ name, summary }) => ({ name, summary, of: entry.name })))
    .filter((one, index, all) => all.findIndex((other) => other.name === one.name && other.summary === one.summary) === index)
    .map(({ name, summary, of }): [string, string] => [name.replaceAll('_', ' '), `A parameter of ${of}. ${capital(summary)}.`]);
  const control = report.adversaries.some((one) => one.own !== null);
  const terms: [string, string, boolean?][] = [
    ['user', 'One person, card or device whose movements are in the data; she or he counts once in every mean.'],
    ['ROI', 'A region of interest: a station, or a cell of a grid, whose visitors are counted.'],
    ['epoch', 'The step of time at which visitors are counted.'],
    ['visit', 'One user at one ROI in one epoch, however many events there were.'],
    ['observation, inference', 'The epochs from which the adversary built what she knows, and the later ones about which she infers.'],
    ...errors,
    [names, `How her beliefs become a prediction. ${readings.map((entry) => `${entry.name}: ${entry.summary}`).join(' ')}`, readings.length > 0],
    [baseline, find_entry(attacks, baseline)?.summary ?? ''],
    ...attacks.filter((entry) => is_blind(report, { attack: entry.name })).map((entry): [string, string] => [entry.name, entry.summary]),
    ['best response', 'The least mean error about everybody of all strategies tried, ignoring the counts among them. One strategy for all people, not one each with hindsight.'],
    ['counts without the person', 'The published counts with one person taken off, as if she or he had never been in the data; her error about that person with them. Each person in turn.', control],
    ['crowd part', 'The best error without any counts less that with counts without the person: what the others\' counts say about anybody.', control],
    ['own part', 'Her error about a person with counts without the person less that with the counts: what being counted costs. Below 0 it misleads her.', control],
    ['people it matters to', 'The share of people whose own part is above 0, however small, or at least 1% of her error without the person where that is said.', control],
    ["own part's bound", 'The most that a guarantee for a user allows: the largest error times tanh(epsilon / 2), averaged over the noise. Of a guarantee for less than a user no bound on a person follows.', control && report.defences.length > 0],
    ['strongest tried', 'Of a goal and a release, the knowledge, attack and reading with the least mean error about everybody, ignoring the counts among them.', report.chains.length > 0],
    ['preset', 'A rule by which others publish counts, as a chain of steps; hearsay explain says what was left out of it.', report.chains.some((chain) => chain.preset)],
    ['privacy loss', `${comparison('prior')} 0% is nothing, 100% is all; users for whom her error grew count as 0%.`],
    ['paper, strongest', 'With what she knows, the adversary who errs least on average about all people: of the paper\'s own attacks and readings, and of all that were tried. Both may ignore the counts.', report.best.length > 0],
    ['mean, median', 'The average over users, and the value that half of the users are below.'],
    ['users affected', 'The share of users about whom she is strictly less wrong with the published counts than without.'],
    ['95th percentile', 'The own part or loss that one user in twenty reaches or exceeds.'],
    ['curve (CDF)', 'The height of a curve is the share of users whose error is at most the value below it. Each point is the mean of a step of users, never of fewer than the least number of people.'],
    ['loss by hour', "One minus the ratio of the adversary's summed error with the counts to her summed error without them, over the epochs of that hour; below 0 the counts mislead her."],
    ['loss by ROI', 'The same ratio over the users and epochs truly at that ROI.'],
    ['group', 'Users in order of the quantity named, cut at every tenth of them; equal values are in one group, so there may be fewer than ten.'],
    ['exposed user', 'A user of whose error at least half goes: by being counted (own part), or to the counts (the paper\'s loss).', report.adversaries.length > 0],
  ];
  const defended = report.defences.length > 0;
  const counted = !!report.membership?.lines.length;
  const audited = !!report.membership?.audit.length;
  terms.push(
    ['privacy gain', `${comparison('raw')} The paper's measure: no prior need ever have erred by 1. 0% is nothing.`, defended],
    ['given back', 'Of the mean error that the raw counts took from the adversaries tried, the share that they lack again under a defence. Errors above that of the prior count as the prior\'s, since she can fall back on it: 100% is all. ' +
      `Each is read in the way${names ? ` (${names})` : ''} that errs least.`, defended],
    ['MRE', 'Mean relative error: how far a protected count is from the true one, as a share of the true one (or of a small floor), averaged over places and epochs.', defended],
    ['MAE', 'Mean absolute error: how many visitors a protected count is off by.', defended],
    ['top-10 overlap', "The share of an epoch's ten busiest places that the protected counts still name.", defended],
    ['rank correlation', "Spearman's: whether the places are in the same order by an epoch's protected counts as by the true ones (1: the same, 0: none).", defended],
    ['published', 'The share of the counts that are there at all; a defence may leave some out.', defended],
    ['baselines of utility', 'What could be published without counting anybody in the inference period: zeros, or what earlier weeks had. A defence that is further off gives less than that.', defended],
    ['±', 'Half the width of the 95% confidence interval over repeated draws of the noise; absent for a single draw.', defended],
    ['guarantee', 'The epsilon of differential privacy and what it protects (an event, a user at one place, a user): smaller hides more; "none" where the mechanism proves nothing. It is that of the counts that would be published, without the people seen nowhere (null); "with null" is that of what this study gave the adversary.', defended],
    ['Pareto front', 'The defences that no other beats on both what it spares people and MRE.', defended],
    ['target', 'A person of whom somebody wants to know whether she or he was counted in a group.', counted],
    ['AUC', 'The probability that she ranks the counts of a group with the target above those of one without, ties counted half: 0.5 is a blind guess, 1 is never wrong, and below 0.5 she is misled. One number a target, over many groups.', counted],
    ['loss (AUC)', 'How far of the way from a blind guess to certainty she comes: (AUC - 0.5) / 0.5, and 0% below 0.5.', counted],
    ['TPR at 1% FPR', 'True positive rate: the share of groups with the target that she names when she is allowed to be wrong about 1% of those without. It tells of the cases in which she is sure.', counted],
    ['trials', 'How many groups with the target were drawn, and as many without; of an audit, how many times the counts were drawn.', counted || audited],
    ['overstated', 'Groups of more than a quarter of all people differ too little from each other, and an AUC measured with them is too high.', counted],
    ['company', 'The mean number of other people counted at the places and times at which the target was: small where the target goes where few go.', counted],
    ['claimed, found', 'The epsilon that a release promises, and the least that it can truly be by what was seen, at 95% confidence. A promise is broken where more was found than claimed.', audited],
    ['paper, here, difference', "A figure of the paper, the same figure in this study, and the second minus the first.", !!report.paper],
    ...parameters,
    ['seed', 'The number from which all noise of this study was drawn; the same seed gives the same results.'],
    ['SHA-256', 'A fingerprint of an input file: the same file has the same one.'],
  );
  return terms.filter(([, , show]) => show !== false).map(([term, text]) => [term, text]);
}
