// SPDX-License-Identifier: Apache-2.0
// A small catalogue as the studio's server sends it, and settings of it. The names of the entries are made up but for those that the sliders know.

const range = (from, to, scale, whole) => ({ from, to, scale, whole });
const parameter = (name, extra = {}) => ({ name, summary: '', default: null, slider: null, choices: null, alternative: null, ...extra });
const step = (name, gives_visits, parameters) => ({ name, summary: `What ${name} does.`, explanation: '', citation: '', gives_visits, parameters });

export const settings = { priors: ['HABIT'], attacks: ['FILL'], goals: ['profiling'], membership: false, seed: 1, publish: null };

export const catalogue = {
  title: 'A town', file: 'town.toml', dataset: { users: 100, rois: 20 },
  priors: [{ name: 'HABIT' }, { name: 'LATELY' }], attacks: [{ name: 'FILL', uses_release: true }], goals: [{ name: 'profiling' }],
  steps: [
    step('EPOCHS', true, [parameter('of', { slider: range(2, 24, 'linear', true) })]),
    step('PLACES', true, [parameter('of', { slider: range(2, 8, 'linear', true) })]),
    step('BOUND', true, [parameter('at_most', { slider: range(1, 100, 'log', true) }), parameter('by', { default: 'random', choices: ['random', 'time'] })]),
    step('THIN', true, [parameter('rate', { slider: range(0.1, 0.9, 'linear', false) })]),
    step('LAPLACE', false, [parameter('epsilon', { slider: range(0.01, 10, 'log', false) })]),
    step('BELL', false, [parameter('epsilon', { slider: range(0.01, 10, 'log', false), alternative: 'rho' }), parameter('rho', { alternative: 'epsilon', slider: range(0.01, 10, 'log', false) })]),
    step('TIDY', false, [parameter('how', { choices: ['up', 'down'] })]),
    step('SUPPRESS', false, [parameter('at_most', { slider: range(1, 50, 'linear', true) })]),
  ],
  presets: [{ name: 'careful', summary: 'Careful.', steps: ['BOUND(at_most=20)', 'LAPLACE(epsilon=0.5)'] }],
  post_process: ['clip'], epoch_seconds: 3600, places: { rows: 4, cols: 5 }, settings,
};

export const with_steps = (...steps) => ({ ...settings, publish: { steps } });
export const with_seed = (seed) => ({ ...settings, seed });

/** Numbers from 0 to 1 that are the same in every run. */
export function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
