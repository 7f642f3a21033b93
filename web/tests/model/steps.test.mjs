// SPDX-License-Identifier: Apache-2.0
// Steps as text and as something to edit, the sliders, and settings in words.
import { describe, expect, test } from 'vitest';
import { key_of } from '../../src/studio/catalogue';
import { directs, moved, value_words } from '../../src/studio/direct';
import { entry_of, nearest, new_step, publish_of, step_text, steps_of, stops_of, with_step, with_value } from '../../src/studio/steps';
import { name_of, words_of } from '../../src/studio/words';
import { catalogue, settings, with_steps } from './samples.mjs';

const steps = (...texts) => steps_of(catalogue, { steps: texts });
const texts = (all) => all.map(step_text);

describe('a step', () => {
  test.each([
    ['LAPLACE(epsilon=1,unit=event)', 'LAPLACE', { epsilon: '1', unit: 'event' }], [' LAPLACE ( epsilon = 1 ) ', 'LAPLACE', { epsilon: '1' }],
    ['LAPLACE', 'LAPLACE', {}], ['LAPLACE()', 'LAPLACE', {}], ['X(a=b=c)', 'X', { a: 'b=c' }],
  ])('%j is read', (text, name, values) => {
    expect(steps(text)).toEqual([{ name, values }]);
  });

  test('is written as it is read', () => {
    for (const text of ['LAPLACE(epsilon=1,unit=event)', 'LAPLACE']) expect(texts(steps(text))).toEqual([text]);
    expect(step_text({ name: 'X', values: { a: '', b: '2' } })).toBe('X(b=2)');
  });

  test('that is new has a value for what must be given, and of alternatives one', () => {
    expect(step_text(new_step(entry_of(catalogue, { name: 'BOUND' })))).toMatch(/^BOUND\(at_most=\d+\)$/);
    expect(Object.keys(new_step(entry_of(catalogue, { name: 'BELL' })).values)).toEqual(['epsilon']);
    expect(step_text(new_step(entry_of(catalogue, { name: 'TIDY' })))).toBe('TIDY(how=up)');
  });

  test('with another value loses what stood for it', () => {
    const [step] = steps('BELL(rho=0.5)');
    const [epsilon] = entry_of(catalogue, step).parameters;
    expect(step_text(with_value(step, epsilon, '2'))).toBe('BELL(epsilon=2)');
    expect(step_text(with_value(step, epsilon, ''))).toBe('BELL(rho=0.5)');
  });

  test('on visits comes before every step on counts', () => {
    const added = with_step(catalogue, steps('BOUND(at_most=3)', 'LAPLACE(epsilon=1)'), { name: 'THIN', values: { rate: '0.5' } });
    expect(texts(added)).toEqual(['BOUND(at_most=3)', 'THIN(rate=0.5)', 'LAPLACE(epsilon=1)']);
    expect(texts(with_step(catalogue, steps('LAPLACE(epsilon=1)'), { name: 'SUPPRESS', values: {} }))).toEqual(['LAPLACE(epsilon=1)', 'SUPPRESS']);
  });
});

describe('what is published', () => {
  test('is the steps of a preset, or of one that is not known none', () => {
    expect(texts(steps_of(catalogue, { preset: 'careful' }))).toEqual(catalogue.presets[0].steps);
    expect(steps_of(catalogue, { preset: 'unknown' })).toEqual([]);
    expect(steps_of(catalogue, null)).toEqual([]);
  });

  test('without steps is the counts as they are; with others it keeps how noisy counts are put right', () => {
    expect(publish_of([], { steps: ['X'], post_process: 'clip' })).toBe(null);
    expect(publish_of(steps('X'), { steps: ['Y'], post_process: 'clip' })).toEqual({ steps: ['X'], post_process: 'clip' });
    expect(publish_of(steps('X'), { preset: 'careful' })).toEqual({ steps: ['X'] });
  });
});

describe('the stops of a slider', () => {
  const range = (from, to, scale, whole) => stops_of({ from, to, scale, whole });
  test('are every whole number of a short range', () => expect(range(2, 6, 'linear', true)).toEqual([2, 3, 4, 5, 6]));
  test('are easy to say, rising, and reach from end to end', () => {
    for (const stops of [range(0.01, 10, 'log', false), range(1, 5000, 'log', true), range(0.1, 0.9, 'linear', false)]) {
      expect(stops.length).toBeGreaterThan(25);
      expect(stops.length).toBeLessThan(62);
      expect(stops.every((stop, i) => i === 0 || stop > stops[i - 1])).toBe(true);
      expect(stops.every((stop) => Number(stop.toPrecision(2)) === stop || Number.isInteger(stop))).toBe(true);
    }
    expect(range(0.01, 10, 'log', false).at(0)).toBe(0.01);
    expect(range(0.01, 10, 'log', false).at(-1)).toBe(10);
  });
  test('of a range of one value are that value', () => expect(range(3, 3, 'linear', true)).toEqual([3]));
  test('are found by the nearest', () => expect([0, 2.6, 99].map((value) => nearest([1, 2, 3], value))).toEqual([0, 2, 2]));
});

describe('the sliders', () => {
  const of = (id, all) => directs(catalogue, all).find((direct) => direct.id === id);
  const move = (all, id, value) => moved(catalogue, all, of(id, all), value);

  test('are those that the data and the server allow', () => {
    expect(directs(catalogue, []).map(({ id }) => id)).toEqual(['hours', 'cells', 'bound', 'noise', 'threshold']);
    expect(directs({ ...catalogue, places: null }, []).map(({ id }) => id)).toEqual(['hours', 'bound', 'noise', 'threshold']);
    expect(directs({ ...catalogue, steps: catalogue.steps.filter(({ name }) => name !== 'SUPPRESS') }, []).map(({ id }) => id)).not.toContain('threshold');
  });

  test('hide more further right', () => {
    const { stops: noise } = of('noise', []);
    const { stops: threshold } = of('threshold', []);
    expect(noise[0]).toBeGreaterThan(noise.at(-1));
    expect(threshold[0]).toBeLessThan(threshold.at(-1));
  });

  test('put a step where it belongs, change it, and take it out', () => {
    let all = move([], 'noise', 1.5);
    all = move(all, 'threshold', 3);
    all = move(all, 'hours', 2);
    all = move(all, 'bound', 20);
    expect(texts(all)).toEqual(['EPOCHS(of=2)', 'BOUND(at_most=20)', 'LAPLACE(epsilon=1.5)', 'SUPPRESS(at_most=3)']);
    expect(texts(move(all, 'noise', 0.5))[2]).toBe('LAPLACE(epsilon=0.5)');
    expect(texts(move(all, 'noise', null))).toEqual(['EPOCHS(of=2)', 'BOUND(at_most=20)', 'SUPPRESS(at_most=3)']);
  });

  test('leave steps of other kinds where they are', () => {
    expect(texts(move(steps('THIN(rate=0.5)', 'TIDY(how=up)'), 'noise', 1))).toEqual(['THIN(rate=0.5)', 'LAPLACE(epsilon=1)', 'TIDY(how=up)']);
    expect(texts(move(steps('TIDY(how=up)'), 'bound', 5))).toEqual(['BOUND(at_most=5)', 'TIDY(how=up)']);
  });

  test('take whichever step has an epsilon for the noise, also where it says it in another way', () => {
    const all = steps('BELL(rho=0.5)');
    expect([of('noise', all).at, of('noise', all).value, value_words(catalogue, all, of('noise', all))]).toEqual([0, null, 'BELL(rho=0.5)']);
    expect(texts(move(all, 'noise', 2))).toEqual(['BELL(epsilon=2)']);
  });

  test('say their values in words', () => {
    const all = steps('EPOCHS(of=24)', 'PLACES(of=2)', 'BOUND(at_most=1000)', 'LAPLACE(epsilon=0.5)', 'SUPPRESS(at_most=3)');
    expect(directs(catalogue, all).map((direct) => value_words(catalogue, all, direct)))
      .toEqual(['counts of 1 day', '2 by 2 cells become one', 'at most 1,000', 'epsilon 0.5', 'counts up to 3 are left out']);
    expect(directs(catalogue, []).map((direct) => value_words(catalogue, [], direct))).toEqual(['as counted', 'as counted', 'all', 'none', 'none']);
  });
});

describe('settings', () => {
  test('are the same in whatever order they are said', () => {
    const one = { ...settings, priors: ['A', 'B'], publish: { steps: ['X'] } };
    const other = { publish: { post_process: undefined, steps: ['X'] }, ...settings, ...{ priors: ['B', 'A'] } };
    other.publish = { steps: ['X'] };
    expect(key_of(one)).toBe(key_of(other));
    for (const changed of [{ seed: 2 }, { membership: true }, { publish: null }, { publish: { preset: 'X' } }, { publish: { steps: ['X'], post_process: 'clip' } }, { publish: { steps: ['X', 'Y'] } }]) {
      expect(key_of({ ...one, ...changed })).not.toBe(key_of(one));
    }
    expect(key_of({ ...one, publish: { steps: ['X', 'Y'] } })).not.toBe(key_of({ ...one, publish: { steps: ['Y', 'X'] } }));
  });

  test('are named by what is published and what else is not as at the start', () => {
    expect(name_of(catalogue, settings)).toBe('the counts as they are');
    expect(name_of(catalogue, { ...with_steps('LAPLACE(epsilon=1)', 'SUPPRESS(at_most=3)'), seed: 2 })).toBe('LAPLACE(epsilon=1), SUPPRESS(at_most=3); seed: 2');
    expect(name_of(catalogue, { ...settings, publish: { preset: 'careful' } })).toBe('preset careful');
  });

  test('are said one by one', () => {
    const words = Object.fromEntries(words_of(catalogue, { ...settings, publish: { steps: ['X'], post_process: 'clip' }, membership: true }));
    expect([words['what is published'], words['noisy counts become'], words.membership]).toEqual(['X', 'clip', 'yes']);
  });
});
