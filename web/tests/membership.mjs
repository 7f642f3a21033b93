// SPDX-License-Identifier: Apache-2.0
// What a study of whether people were counted leaves in the report's document, made up.

const targets = 150;

function point(group, median, near_all = false) {
  const auc = { p05: null, p25: Math.max(0.45, median - 0.06), p50: median, p75: Math.min(1, median + 0.03), p95: null, mean: median - 0.01 };
  return {
    group, targets, trials: 200, auc, half_width: 0.034, loss: Math.max(0, (median - 0.5) / 0.5), tpr_1: median / 2, tpr_01: null,
    above_06: median > 0.6 ? 0.8 : 0.2, above_09: median > 0.9 ? 0.7 : 0, near_all,
  };
}

const sizes = [5, 10, 50, 100, 300];
function line(attack, [target, knows], [crowd, knows_of_others], release, parameter, medians) {
  const points = sizes.map((group, i) => point(group, medians[i], group > 267));
  return { attack, target, crowd, knows, knows_of_others, release, parameter, raw: release === 'RAW', points };
}

const trace = ['trace', 'where the person was'];
const part = ['trace(share=0.1)', 'where the person was in 10% of the hours out'];
const habits = ['habits(prior=ROI_DAY_WEEK)', 'how often the person was where at each time of the week'];
const nothing = ['none', 'nothing of the others'];
const sample = ['sample(share=0.2)', 'where 20% of the others were'];

const thirds = (title, unit, aucs) => ({
  title, unit,
  groups: aucs.map((auc, i) => ({ from: i ? 20 * i + 1 : null, to: i < 2 ? 20 * i + 20 : null, targets: 50, auc })),
});

const entry = (name, summary) => ({ name, summary, explanation: 'An example.', citation: '', parameters: [] });

export const membership = {
  attacks: [entry('LIKELIHOOD', 'She compares how likely the counts are with and without the person.'), entry('LINEAR', 'She adds up what the counts are above those expected.')],
  lines: [
    line('LIKELIHOOD', trace, nothing, 'RAW', '', [1, 1, 1, 0.998, 0.99]),
    line('LIKELIHOOD', trace, sample, 'RAW', '', [1, 1, 1, 1, 1]),
    line('LIKELIHOOD', part, nothing, 'RAW', '', [0.99, 0.99, 0.985, 0.98, 0.97]),
    line('LIKELIHOOD', habits, nothing, 'RAW', '', [0.72, 0.68, 0.64, 0.61, 0.6]),
    line('LINEAR', trace, nothing, 'RAW', '', [0.99, 0.98, 0.97, 0.96, 0.95]),
    line('LINEAR', trace, nothing, 'SCM', 'sensitivity=event,epsilon=1', [1, 1, 0.99, 0.99, 0.98]),
    line('LINEAR', trace, nothing, 'SCM', 'sensitivity=event,epsilon=0.1', [0.96, 0.95, 0.93, 0.92, 0.91]),
    line('LINEAR', habits, nothing, 'SCM', 'sensitivity=event,epsilon=0.1', [0.53, 0.52, 0.51, 0.5, 0.49]),
  ],
  exposure: [[0, [0.97, 0.998, 1], [1, 0.999, 0.962]], [3, [0.58, 0.61, 0.66], [0.7, 0.61, 0.55]]].map(([of, activity, company]) => ({
    line: of, group: 100,
    by: [thirds('activity', 'visits in the inference period', activity), thirds('company', 'others counted where and when the person was, on average', company)],
  })),
  audit: [
    { release: 'SCM', parameter: 'sensitivity=event,epsilon=1', unit: 'one event', claimed: 1, found: 0.83, trials: 10000, broken: false },
    { release: 'FPA', parameter: 'k=10,epsilon=1', unit: 'a user', claimed: 1, found: 1.7, trials: 10000, broken: true },
  ],
};

export const sentence =
  'Were you counted: somebody who knows where a person was and nothing of the others can tell from the counts of a group of 100 people whether that person is among them.';

/** A report with it beside what it has. */
export const added_to = (report) => ({ ...report, membership, findings: [...report.findings.slice(0, 1), sentence, ...report.findings.slice(1)] });

/** A report of a study that asked nothing else. */
export const alone = (report) => ({
  ...report, membership, findings: [sentence], goals: [], summary: [], cdf: { ...report.cdf, curves: [] }, hours: { times: [], series: [] }, best: [],
  adversary: null, adversaries: [], defences: [], measured: [],
});

/** The text of a page with another document. */
export function refilled(page, change) {
  const escaped = (report) => JSON.stringify(report).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return page.replace(/(<script id="hearsay-data"[^>]*>)([^<]*)/, (_, open, data) => open + escaped(change(JSON.parse(data))));
}
