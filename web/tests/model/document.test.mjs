// SPDX-License-Identifier: Apache-2.0
// What the page makes of a document: numbers in words, tables, the choice of adversaries and defences.
import { describe, expect, test } from 'vitest';
import { range_label } from '../../src/charts/groups';
import { strongest_table, strongest_words } from '../../src/charts/strongest';
import { check_schema, is_advice, is_studio } from '../../src/document';
import { bytes, civil, count, duration, figure, fraction, percent, plus_minus, points, signed, slug, small } from '../../src/lib/format';
import { best_under, chosen_of, further_off, guarantee, in_order, marks_of, papers_best, pareto_front, spared, sweep } from '../../src/lib/model';
import { extent } from '../../src/lib/parts';
import { sections_of } from '../../src/lib/sections';
import { sorted_rows, to_csv, without_empty } from '../../src/lib/table';

describe('numbers', () => {
  test.each([
    [percent, [[0.1234, '12.3%'], [1, '100.0%'], [-0.0001, '0.0%'], [null, '–'], [NaN, '–'], ['text', '–']]],
    [points, [[0.1234, '12.3 points'], [-0.5, '-50.0 points'], [null, '–']]],
    [fraction, [[0.1235, '0.123'], [2, '2.000'], [undefined, '–']]],
    [small, [[0.00004, '0.0000'], [-0.00004, '0.0000'], [-0.12345, '-0.1235'], [null, '–']]],
    [count, [[1234567, '1,234,567'], [null, '–']]],
    [figure, [[0, '0'], [1234.5, '1,235'], [12.345, '12.3'], [0.0012345, '0.00123'], [0.0000012345, '1.2e-6'], [-1500, '-1,500'], [Infinity, '–']]],
    [signed, [[0.5, '+0.500'], [-0.5, '−0.500'], [0, '+0.000']]],
    [bytes, [[999, '999 bytes'], [1500, '1.5 kB'], [2.5e9, '2.5 GB'], [3e15, '3000.0 TB']]],
    [duration, [[3600, '1 hour'], [7200, '2 hours'], [86400, '1 day'], [604800, '1 week'], [90, '90 s'], [5400, '90 minutes']]],
    [slug, [['A town, 2010', 'a-town-2010'], ['東京', 'report'], ['--x--', 'x']]],
  ])('%o', (format, pairs) => {
    for (const [value, words] of pairs) expect(format(value)).toBe(words);
  });

  test('with an interval', () => {
    expect(plus_minus(0.5, 0.01, percent)).toBe('50.0 ± 1.0%');
    expect(plus_minus(0.5, null, fraction)).toBe('0.500');
    expect(plus_minus(12.3, 0.1234, figure)).toBe('12.3 ± 0.12');
  });

  test('of civil time, whatever the time zone of the reader', () => {
    expect(civil('2010-03-01 07:30:00')).toEqual({ weekday: 0, hour: 7, label: 'Mon 07:30' });
    expect(civil('2012-02-29 23:00:00')).toEqual({ weekday: 2, hour: 23, label: 'Wed 23:00' });
  });

  test('of a range', () => {
    expect([range_label(null, 3), range_label(3, null), range_label(3, 3), range_label(3, 1500), range_label(null, null)]).toEqual(['up to 3', '3 and more', '3', '3 to 1,500', 'all']);
    expect([extent([3, null, 1]), extent([null, NaN]), extent([2, 2])]).toEqual([[1, 3], [0, 1], [1.995, 2.005]]);
  });
});

describe('a table', () => {
  const columns = [{ label: 'name' }, { label: 'a "b", c' }];
  test('as CSV quotes what must be, keeps numbers in full, and makes no formulas', () => {
    const rows = [['a,b', 0.1 + 0.2], ['say "x"', null], ['two\nlines', -5], ['=cmd()', '-5'], ['+1', '-x'], ['@x', '1e-5'], ['\tx', undefined], ["'=", '=1']];
    expect(to_csv({ columns, rows })).toBe(
      'name,"a ""b"", c"\n"a,b",0.30000000000000004\n"say ""x""",\n"two\nlines",-5\n\'=cmd(),-5\n\'+1,\'-x\n\'@x,1e-5\n\'\tx,\n\'=,\'=1\n');
  });

  test('is sorted with what is missing last, rising or falling, and equal ones as they were', () => {
    const rows = [['b', 2], ['a', null], ['c', 10], ['d', 2], ['e', '']];
    const names = (column, falling) => sorted_rows(rows, column, falling).map(([name]) => name).join('');
    expect([names(1, false), names(1, true), names(0, false), names(0, true)]).toEqual(['bdcae', 'cbdae', 'abcde', 'edcba']);
    expect(sorted_rows([['x10'], ['x9']], 0, false)).toEqual([['x9'], ['x10']]);
    expect(rows[0][0]).toBe('b');
  });

  test('loses columns in which there is nothing, not those of zeros', () => {
    expect(without_empty({ columns: [...columns, { label: 'none' }], rows: [['x', 0, null], ['y', 0, undefined]] }))
      .toEqual({ columns, rows: [['x', 0], ['y', 0]] });
  });
});

describe('adversaries', () => {
  const report = { adversaries: [{ goal: 'g', prior: 'A' }, { goal: 'g', prior: 'B' }], adversary: 1 };
  test('are chosen by what tells them apart, else the one of the findings', () => {
    expect([chosen_of(report, { goal: 'g', prior: 'A' }), chosen_of(report, { goal: 'h', prior: 'A' }), chosen_of(report, null)]).toEqual([0, 1, 1]);
    expect(chosen_of({ adversaries: [], adversary: null }, null)).toBe(0);
  });
  test('are listed as the program lists them, unknown ones last', () => {
    expect(in_order(['Z', 'B', 'A', 'B'], [{ name: 'A' }, { name: 'B' }])).toEqual(['A', 'B', 'Z']);
  });
});

describe('the paper\'s adversaries and the strongest', () => {
  const strategy = (error, attack, decision = null) => ({ error, attack, decision });
  const row = (prior, paper) => ({ goal: 'g', prior, before: strategy(0.5, 'IGNORE', 'GUESS'), without: null, with: strategy(0.2, 'BEST', 'GUESS'), paper });

  test('stand beside each other', () => {
    expect(strongest_table([row('A', strategy(0.3, 'FILL')), row('B', null)]).rows).toEqual([
      ['A', 0.3, 0.2, expect.closeTo(0.1), 0.5, 'FILL', 'BEST, GUESS', 'IGNORE, GUESS'], ['B', null, 0.2, null, 0.5, null, 'BEST, GUESS', 'IGNORE, GUESS'],
    ]);
  });

  test('are said to be equal where the numbers are', () => {
    expect(strongest_words([row('A', strategy(0.2, 'FILL')), row('B', strategy(0.3, 'FILL'))])).toMatch(/Nothing tried beats the paper's with A\.$/);
    expect(strongest_words([row('A', strategy(0.20004, 'FILL'))])).toMatch(/Nothing tried beats the paper's with any knowledge/);
    expect(strongest_words([row('A', strategy(0.3, 'FILL'))])).toMatch(/^The strongest is stronger/);
  });

  test('are only compared where one of the paper\'s attacks was tried', () => {
    const entry = (name, citation, uses_release) => ({ name, citation, uses_release, uses_prior: true });
    const entries = { attacks: [entry('IGNORE', 'the paper', false), entry('FILL', 'the paper', true), entry('NEW', 'us', true)] };
    const ran = (...attacks) => ({ entries, best: [best], summary: attacks.map((attack) => ({ goal: 'g', prior: 'A', attack })) });
    const best = row('A', strategy(0.3, 'IGNORE'));
    const ignoring = { goal: 'g', prior: 'A', attack: 'IGNORE', decision: null };
    expect([papers_best(ran('IGNORE', 'NEW'), best), marks_of(ran('IGNORE', 'NEW'), ignoring)]).toEqual([null, []]);
    expect([papers_best(ran('IGNORE', 'FILL'), best), marks_of(ran('IGNORE', 'FILL'), ignoring)]).toEqual([best.paper, ['paper']]);
    expect(papers_best(ran('IGNORE', 'FILL'), { ...best, prior: 'B' })).toBe(null);
    expect(papers_best(ran('FILL'), row('A', null))).toBe(null);
  });

  test('are not spoken of where none was tried', () => {
    expect(strongest_words([row('A', null)])).toBe('');
    expect(strongest_table([row('A', null)]).columns.map(({ label }) => label)).toEqual(['prior', 'strongest', 'without counts', 'strongest by', 'without counts by']);
    expect(strongest_words([row('A', null), row('B', strategy(0.3, 'FILL'))])).toMatch(/dash/);
  });
});

describe('defences', () => {
  const defence = (release, mre, own, own_raw = 0.1, given_back = null) => ({ release, parameter: '', mre, own, own_raw, given_back });
  test('are judged by what they spare, else by the error they give back', () => {
    expect(spared(defence('X', 1, 0.025))).toBeCloseTo(0.75);
    expect(spared(defence('X', 1, -0.1))).toBe(1);
    expect(spared(defence('X', 1, 0, 0, 0.4))).toBe(0.4);
    expect(spared(defence('X', 1, null, null))).toBe(null);
  });
  test('within a limit: the one that spares most, of equal ones the more useful', () => {
    const all = [defence('WEAK', 0.1, 0.09), defence('STRONG', 2, 0), defence('GOOD', 0.5, 0.02), defence('ALSO', 0.4, 0.0201), defence('UNKNOWN', null, 0)];
    expect([3, 1, 0.2, 0].map((limit) => best_under(all, limit)?.release)).toEqual(['STRONG', 'ALSO', 'WEAK', undefined]);
  });
  test('on the front are those that no other beats on both', () => {
    const all = [[1, 1], [2, 3], [3, 2], [2, 1], [4, 4]];
    expect(pareto_front(all, ([error]) => error, ([, gain]) => gain)).toEqual([[1, 1], [2, 3], [4, 4]]);
  });
  test('say what they promise, and for whom', () => {
    expect(guarantee({ epsilon: null })).toBe('none');
    expect(guarantee({ epsilon: 1, unit: 'one event', delta: null, epsilon_with_null: 1 })).toBe('epsilon 1 for one event');
    expect(guarantee({ epsilon: 1, unit: 'a user', delta: 1e-6, epsilon_with_null: 2 })).toBe('epsilon 1, delta 1.0e-6, for a user (2 with null)');
  });
  test('say which baseline they are further off than', () => {
    const baselines = [{ release: 'ZEROS', words: 'publishing zeros' }];
    expect(further_off({ worse_than: 'ZEROS', worse_than_mae: '' }, baselines)).toBe('further off than publishing zeros');
    expect(further_off({ worse_than: '', worse_than_mae: 'ZEROS' }, baselines)).toBe('by MAE further off than publishing zeros');
    expect(further_off({ worse_than: '', worse_than_mae: '' }, baselines)).toBe('');
  });
  test('are swept by epsilon, or by their last parameter', () => {
    const of = (parameter) => sweep({ release: 'X', parameter });
    expect(of('k=10,epsilon=1')).toEqual({ name: 'epsilon', value: '1', family: 'X k=10' });
    expect(of('at_most=3,post_process=clip')).toEqual({ name: 'at_most', value: '3', family: 'X post_process=clip' });
    expect(of('')).toEqual({ name: 'parameter', value: '–', family: 'X' });
  });
});

describe('a document', () => {
  const report = { goals: [{ name: 'profiling' }], adversaries: [{}], chains: [], measured: [{ name: 'alone' }], membership: null, trajectories: null, paper: null };
  test('has a section for what it has', () => {
    expect(sections_of(report).map(([id]) => id)).toEqual(['answer', 'settings', 'profiling', 'when', 'where', 'who', 'defences', 'alone']);
    expect(sections_of({ ...report, published: {}, membership: {} }, true).map(([id]) => id)).toEqual(['answer', 'published', 'settings', 'profiling', 'when', 'where', 'who', 'membership', 'alone']);
    expect(sections_of({ ...report, goals: [], adversaries: [], measured: [] }).map(([, name]) => name)).toEqual(['The answer', 'Settings']);
  });
  test('of another version is refused', () => {
    expect(() => check_schema({ schema: 3 })).toThrow('schema 4, not 3');
    expect(check_schema({ schema: 4 })).toEqual({ schema: 4 });
  });
  test('is told from advice and from the word to ask a studio', () => {
    const kinds = [null, { studio: 1 }, { advice: {} }, { advice: {}, findings: [] }];
    expect(kinds.map((page) => [is_studio(page), is_advice(page)])).toEqual([[false, false], [true, false], [false, true], [false, false]]);
  });
});
