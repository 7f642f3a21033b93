// SPDX-License-Identifier: Apache-2.0
// The address of the page is its state, and may come from anywhere.
import { describe, expect, test } from 'vitest';
import { encode, plain_view, read_address, settings_of, view_of } from '../../src/studio/link';
import { settings as start, with_steps } from './samples.mjs';

const through = (state) => read_address(`#token/${encode(state)}`);

test('a state comes back as it was, whatever its letters', () => {
  const state = { settings: { ...start, priors: ['Zürich', '東京 🗼', 'a/b#c?d=e+f'] }, view: { ...plain_view(), pins: [{ name: 'п', settings: start }] } };
  expect(through(state)).toEqual({ token: 'token', state });
  expect(encode(state)).toMatch(/^[\w-]+$/);
});

test.each([
  ['', '', null], ['#', '', null], ['#token', 'token', null], ['#token/', 'token', null], ['#token/***', 'token', null], ['#token/e30', 'token', {}],
  ['#token/bm90IGpzb24', 'token', null],
])('the address %j', (hash, token, state) => {
  expect(read_address(hash)).toEqual({ token, state });
});

describe('settings', () => {
  test.each([null, undefined, 3, 'text', [], {}])('that are %j are as at the start', (value) => {
    expect(settings_of(value, start)).toEqual(start);
  });

  test('that are right stay', () => {
    const given = { priors: ['A'], attacks: ['B'], goals: ['C'], membership: true, seed: 9, publish: { steps: ['X(y=1)'], post_process: 'clip' } };
    expect(settings_of(given, start)).toEqual(given);
    expect(settings_of({ ...given, publish: { preset: 'careful' } }, start).publish).toEqual({ preset: 'careful' });
    expect(settings_of({ ...given, publish: null }, with_steps('X')).publish).toBe(null);
  });

  test('that are wrong are as at the start, each by itself', () => {
    const wrong = { priors: 3, attacks: [1], goals: {}, membership: 'yes', seed: '7' };
    for (const publish of [7, 'raw', {}, { steps: 'X' }, { steps: [1] }, { preset: 1 }]) {
      expect(settings_of({ ...wrong, publish }, with_steps('X'))).toEqual(with_steps('X'));
    }
    expect(settings_of({ ...wrong, seed: 5 }, start)).toEqual({ ...start, seed: 5 });
  });

  test('name each entry once', () => {
    expect(settings_of({ ...start, priors: ['A', 'B', 'A'] }, start).priors).toEqual(['A', 'B']);
  });
});

describe('what is looked at', () => {
  test.each([null, undefined, 3, { focus: null, pins: 'x', beside: 9, whom: 1 }, { focus: 7, pins: null, beside: -1 }])('that is %j is everything', (value) => {
    expect(view_of(value, start)).toEqual(plain_view());
  });

  test('keeps hours, places and a group that are right', () => {
    const focus = { from: 22, to: 6, places: ['1', '2'], group: { title: 'activity', number: 1 } };
    expect(view_of({ focus }, start).focus).toEqual(focus);
    expect(view_of({ focus: { from: -1, to: 25, places: [1], group: { title: 3 } } }, start).focus).toEqual(plain_view().focus);
    expect(view_of({ focus: { from: 1.5, to: NaN, places: ['1', '1'] } }, start).focus).toEqual({ from: 0, to: 24, places: ['1'], group: null });
  });

  test('gives a pin a name and settings, and drops a pin beside the present that is not there', () => {
    const { pins, beside } = view_of({ pins: [null, { name: 'mine', settings: with_steps('X') }, { settings: 3 }], beside: 3 }, start);
    expect(pins).toEqual([{ name: 'Pin 1', settings: start }, { name: 'mine', settings: with_steps('X') }, { name: 'Pin 3', settings: start }]);
    expect(beside).toBe(null);
    expect(view_of({ pins: [{}], beside: 0 }, start).beside).toBe(0);
  });

  test('keeps the adversary chosen', () => {
    const whom = { goal: 'profiling', prior: 'HABIT' };
    expect(view_of({ whom }, start).whom).toEqual(whom);
    expect(view_of({ whom: { goal: 1 } }, start).whom).toBe(null);
  });
});
