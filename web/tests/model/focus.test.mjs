// SPDX-License-Identifier: Apache-2.0
// The answer for some hours, places or people, and two answers beside each other.
import { describe, expect, test } from 'vitest';
import { compared, differing, her_of } from '../../src/studio/figures';
import { all_hours, at_hours, at_places, everything, of_group } from '../../src/studio/focus';
import { plain_view } from '../../src/studio/link';
import { catalogue, settings, with_steps } from './samples.mjs';

const key = { goal: 'profiling', prior: 'HABIT', decision: 'GUESS' };
const her = {
  ...key, attack: 'FILL', baseline: 'IGNORE', before: 0.5, without: 0.45, with: 0.4, own: 0.05,
  places: { own: [0.1, 0.3, null] }, by: [{ title: 'activity', groups: [{ from: null, to: 3, users: 40, own: 0.02 }, { from: 4, to: null, users: 60, own: 0.07 }] }],
};
const hours = ['2010-03-01 22:00:00', '2010-03-01 23:00:00', '2010-03-02 05:00:00', '2010-03-02 06:00:00', '2010-03-02 12:00:00'];
const report = {
  dataset: { users: 100 }, adversaries: [her], adversary: 0, published: null, membership: null,
  entries: { attacks: [{ name: 'IGNORE', uses_prior: true, uses_release: false }, { name: 'FILL', uses_prior: true, uses_release: true }] },
  summary: [{ ...key, attack: 'FILL', baseline: 'IGNORE', baseline_decision: 'GUESS' }],
  rois: { shape: 'points', places: [{ id: '1', name: 'Station', visits: 30 }, { id: '2', name: null, visits: 10 }, { id: '3', name: null, visits: null }] },
  hours: { times: hours, series: [
    { ...key, attack: 'IGNORE', errors: [0.5, 0.6, 0.7, 0.8, 0.9] }, { ...key, attack: 'FILL', errors: [0.1, 0.2, null, 0.4, 0.5], without: [0.2, 0.4, null, 0.6, 0.6] },
  ] },
};
const focus = (change) => ({ ...plain_view().focus, ...change });

test('everybody, always, is the adversary of the document', () => {
  expect(everything(report, her)).toMatchObject({ before: 0.5, without: 0.45, with: 0.4, own: 0.05, of: '100 people' });
  expect([her_of(report, null), her_of(report, { goal: 'profiling', prior: 'HABIT' }), her_of({ ...report, adversaries: [] }, null)]).toEqual([her, her, undefined]);
});

describe('hours', () => {
  test('go over midnight, without the last', () => {
    const found = at_hours(report, her, focus({ from: 22, to: 6 }));
    expect(found.what).toBe('from 22:00 to 06:00');
    expect(found.of).toBe('2 epochs'); // the third is not known
    expect([found.before, found.without, found.with, found.own]).toEqual([0.6, 0.3, 0.15, 0.15].map((value) => expect.closeTo(value)));
  });
  test('of a day', () => {
    expect(at_hours(report, her, focus({ from: 6, to: 13 }))).toMatchObject({ of: '2 epochs', with: expect.closeTo(0.45), before: expect.closeTo(0.85) });
  });
  test('in which nothing is known say so', () => {
    expect(at_hours(report, her, focus({ from: 1, to: 2 }))).toMatchObject({ before: null, without: null, with: null, own: null, of: '0 epochs' });
  });
  test('are all where none is left out', () => {
    expect([[0, 24], [5, 5], [0, 23]].map(([from, to]) => all_hours(focus({ from, to })))).toEqual([true, true, false]);
  });
});

describe('places', () => {
  test('are weighted by visits', () => {
    expect(at_places(report, her, focus({ places: ['1', '2'] }))).toMatchObject({ what: 'at 2 places', own: expect.closeTo(0.15), of: '40 visits' });
  });
  test('with too few people are counted and not told', () => {
    expect(at_places(report, her, focus({ places: ['1', '3'] }))).toMatchObject({ own: expect.closeTo(0.1), of: '30 visits; 1 with too few people' });
    expect(at_places(report, her, focus({ places: ['3'] }))).toMatchObject({ what: 'at 3', own: null });
  });
  test('of one name, and of a goal that knows none', () => {
    expect(at_places(report, { ...her, places: null }, focus({ places: ['1'] }))).toMatchObject({ what: 'at Station (1)', own: null, of: 'this goal is not scored by place' });
  });
});

test('people of a group, where the document has it', () => {
  expect(of_group(her, focus({ group: { title: 'activity', number: 1 } }))).toMatchObject({ what: 'people by activity: 4 and more', own: 0.07, of: '60 people' });
  expect([of_group(her, focus({ group: { title: 'activity', number: 9 } })), of_group(her, focus({ group: { title: 'x', number: 0 } })), of_group(her, focus({}))]).toEqual([null, null, null]);
});

describe('two answers', () => {
  const published = { mae: 2, mre: 0.5, top10_overlap: 0.9, rank_correlation: 0.8, published: 1, epsilon: 1, unit: 'one event', delta: null };
  const noisy = { ...report, published, adversaries: [{ ...her, own: 0.01, with: 0.44 }] };
  const rows = ({ rows: all }) => Object.fromEntries(all.map(([label, ...rest]) => [label, rest]));

  test('differ by the figures that both have', () => {
    const found = rows(compared(report, noisy));
    expect(found['profiling, HABIT: own part']).toEqual([0.05, 0.01, expect.closeTo(-0.04)]);
    expect(found['mean absolute error (MAE), visitors']).toEqual([0, 2, 2]);
    expect(found['top-10 overlap']).toEqual([1, 0.9, expect.closeTo(-0.1)]);
    expect(found['epsilon for one event']).toEqual([null, 1, null]);
  });
  test('of guarantees for different people have a row each', () => {
    const other = { ...noisy, published: { ...published, unit: 'a user', delta: 1e-6 } };
    const found = rows(compared(noisy, other));
    expect([found['epsilon for one event'], found['epsilon for a user, delta 1.0e-6']]).toEqual([[1, null, null], [null, 1, null]]);
  });
  test('differ in the settings and guarantees that are not the same', () => {
    const answer = (of, with_report) => ({ settings: of, report: with_report });
    expect(differing(catalogue, answer(settings, report), answer({ ...with_steps('LAPLACE(epsilon=1)'), seed: 2 }, noisy))).toEqual([
      ['what is published', 'the counts as they are', 'LAPLACE(epsilon=1)'], ['seed', '1', '2'], ['guarantee', 'none', 'epsilon 1 for one event'],
    ]);
    expect(differing(catalogue, answer(settings, report), answer(settings, report))).toEqual([]);
  });
  test('of membership are at the largest group that does not overstate it', () => {
    const point = (group, p50, near_all = false) => ({ group, near_all, auc: { p50, mean: p50 } });
    const line = (knows, ...points) => ({ knows, knows_of_others: 'nothing', points });
    const membership = { lines: [line('all', point(5, 0.9), point(50, 0.8), point(90, 0.99, true)), line('all', point(50, 0.85)), line('habits', point(50, 0.6))] };
    const found = rows(compared({ ...report, membership }, noisy));
    expect(found['membership AUC in groups of 50, knowing all; nothing']).toEqual([0.85, null, null]);
    expect(found['membership AUC in groups of 50, knowing habits; nothing']).toEqual([0.6, null, null]);
  });
});
