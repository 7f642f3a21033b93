// SPDX-License-Identifier: Apache-2.0
// The studio's state as a whole: settings, answers, undo and what is looked at, with a browser and a server that are made up.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeBrowser } from './fake_browser.mjs';
import { FakeServer, settle } from './fake_server.mjs';
import { catalogue, settings as start, with_steps } from './samples.mjs';

let browser;
let server;
let studio;

async function open(address = '#token') {
  browser = new FakeBrowser(address).install();
  server.install();
  const { Studio } = await import('../../src/studio/state.svelte');
  studio = new Studio();
  browser.onpopstate = (place, to) => studio.arrived(place, to);
  await settle();
}
const go = async (time = 1000) => {
  await settle();
  vi.advanceTimersByTime(time);
  await settle();
};
const noise = (epsilon, going = false) => studio.publish({ steps: [`LAPLACE(epsilon=${epsilon})`] }, 'noise', going);
const published = () => studio.settings.publish?.steps.join() ?? 'as counted';
const shown = () => studio.answer?.settings.publish?.steps.join() ?? 'as counted';
/** The state that the address carries. */
const in_address = async () => {
  const { read_address } = await import('../../src/studio/link');
  return read_address(browser.hash).state;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  server = new FakeServer();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('it starts with the settings of the study, and shows the answer to them', async () => {
  await open();
  expect([studio.settings, studio.old, studio.working, server.asked]).toEqual([start, false, false, [start]]);
  await go();
  expect((await in_address()).settings).toEqual(start);
});

test('what is shown is old until there is another answer', async () => {
  await open();
  server.holding = true;
  noise(1);
  await settle();
  expect([studio.old, studio.working, shown()]).toEqual([true, true, 'as counted']);
  await server.free();
  expect([studio.old, studio.working, shown()]).toEqual([false, false, 'LAPLACE(epsilon=1)']);
});

test('a slider moved a thousand times changes the address twice, and is one change', async () => {
  await open();
  await go();
  browser.writes = 0;
  for (let i = 1; i <= 1000; ++i) noise(i, true);
  noise(1000);
  await go();
  expect([browser.writes, shown(), server.asked.length < 10]).toEqual([2, 'LAPLACE(epsilon=1000)', true]);
  studio.changes.undo();
  await go();
  expect([published(), shown()]).toEqual(['as counted', 'as counted']);
});

describe('undo', () => {
  test('and redo are of settings, and shown without asking again', async () => {
    await open();
    noise(1);
    await go();
    studio.publish({ steps: ['LAPLACE(epsilon=1)', 'SUPPRESS(at_most=3)'] }, 'threshold');
    await go();
    const { length } = server.asked;
    studio.changes.undo();
    await go();
    expect([published(), shown()]).toEqual(['LAPLACE(epsilon=1)', 'LAPLACE(epsilon=1)']);
    studio.changes.redo();
    await go();
    expect(shown()).toBe('LAPLACE(epsilon=1),SUPPRESS(at_most=3)');
    expect(server.asked.length).toBe(length);
  });

  test('leaves pins and focus as they are', async () => {
    await open();
    noise(1);
    await go();
    studio.pin();
    studio.focus({ from: 7, to: 10 });
    await go();
    studio.changes.undo();
    await go();
    expect([studio.settings.publish, studio.view.pins.length, studio.view.focus.from]).toEqual([null, 1, 7]);
    expect((await in_address()).view.pins.length).toBe(1);
  });

  test('with a change on the way is a change of what is there', async () => {
    await open();
    noise(1.5);
    await go();
    studio.publish({ steps: ['LAPLACE(epsilon=1.5)', 'SUPPRESS(at_most=3)'] }, 'threshold');
    await go();
    studio.changes.undo();
    studio.set({ seed: 7 }, '');
    await go();
    expect([studio.settings.seed, published(), studio.changes.redoable]).toEqual([7, 'LAPLACE(epsilon=1.5),SUPPRESS(at_most=3)', false]);
    studio.changes.undo();
    await go();
    expect([studio.settings.seed, published()]).toEqual([start.seed, 'LAPLACE(epsilon=1.5)']);
  });
});

describe('cancelled', () => {
  test('the former settings and answer are back as if nothing had been changed, and it can be run again', async () => {
    await open();
    await go();
    server.holding = true;
    noise(1);
    await settle();
    studio.cancel();
    await go();
    expect([published(), studio.old, studio.working, studio.changes.undoable, studio.changes.redoable]).toEqual(['as counted', false, false, false, true]);
    expect((await in_address()).settings).toEqual(start);
    await server.free();
    studio.again();
    await go();
    expect([published(), shown()]).toEqual(['LAPLACE(epsilon=1)', 'LAPLACE(epsilon=1)']);
  });

  test('after two changes, both are taken back', async () => {
    await open();
    noise(2);
    await go();
    server.holding = true;
    noise(0.5);
    vi.advanceTimersByTime(1000);
    studio.publish({ steps: ['LAPLACE(epsilon=0.5)', 'SUPPRESS(at_most=3)'] }, 'threshold');
    await settle();
    studio.cancel();
    await go();
    expect([published(), studio.old]).toEqual(['LAPLACE(epsilon=2)', false]);
    await server.free();
    studio.changes.undo();
    await go();
    expect(published()).toBe('as counted');
  });

  test('where nothing was shown yet, the settings stay', async () => {
    server.holding = true;
    await open();
    studio.cancel();
    await go();
    expect([studio.settings, studio.answer, studio.working]).toEqual([start, null, false]);
    await server.free();
    studio.again();
    await go();
    expect(shown()).toBe('as counted');
  });
});

describe('pins', () => {
  test('are of what is shown, once each, by name, and restored', async () => {
    await open();
    studio.pin();
    noise(1);
    await go();
    studio.pin();
    studio.pin();
    expect([studio.view.pins.map(({ name }) => name), studio.view.beside]).toEqual([['the counts as they are', 'LAPLACE(epsilon=1)'], 1]);
    studio.set(studio.view.pins[0].settings, '');
    await go();
    expect(shown()).toBe('as counted');
  });

  test('taken away leave the one beside the present in its place', async () => {
    await open();
    for (const epsilon of [1, 2, 3]) {
      noise(epsilon);
      await go();
      studio.pin();
    }
    studio.unpin(0);
    expect([studio.view.pins.length, studio.view.beside]).toEqual([2, 1]);
    studio.look({ beside: 0 });
    studio.unpin(1);
    expect(studio.view.beside).toBe(0);
    studio.unpin(0);
    expect(studio.view.beside).toBe(null);
  });

  test('stay known whatever is asked after them', async () => {
    await open();
    studio.pin();
    for (let seed = 2; seed < 40; ++seed) {
      studio.set({ seed }, '');
      await go();
    }
    const { length } = server.asked;
    studio.set(start, '');
    await go();
    expect([server.asked.length, studio.answer.settings]).toEqual([length, start]);
  });
});

describe('a link', () => {
  test('restores settings, pins, focus and the adversary', async () => {
    await open();
    noise(1);
    await go();
    studio.pin();
    studio.focus({ places: ['7'] });
    studio.look({ whom: { goal: 'profiling', prior: 'HABIT' } });
    await go();
    const [{ settings, view }, address] = [studio, browser.hash];
    expect(address).toBe(studio.address());
    await open(address);
    expect([studio.settings, studio.view, shown()]).toEqual([settings, view, 'LAPLACE(epsilon=1)']);
  });

  test('that is not as it should be opens the studio as it starts', async () => {
    await open('#token/***');
    expect([studio.settings, studio.token]).toEqual([start, 'token']);
  });

  test('typed over the present one is a change', async () => {
    await open();
    const { encode } = await import('../../src/studio/link');
    browser.entries.push({ state: null, address: `#token/${encode({ settings: with_steps('LAPLACE(epsilon=3)') })}` });
    browser.forward();
    await go();
    expect([shown(), studio.changes.undoable]).toEqual(['LAPLACE(epsilon=3)', true]);
  });

  test('with another token loads the page anew', async () => {
    await open();
    browser.entries.push({ state: null, address: '#other' });
    browser.forward();
    await go();
    expect(browser.reloads).toBe(1);
  });
});

test('what the server does not take is said at its setting, and what is shown stays', async () => {
  const { about } = await import('../../src/studio/state.svelte');
  await open();
  server.refuses = ({ publish }) => (publish ? { event: 'error', message: 'must be above 0', key: 'publish.steps[0]' } : null);
  noise(-1);
  await go();
  expect([studio.runner.failure.message, studio.old, shown()]).toEqual(['must be above 0', true, 'as counted']);
  expect(['publish', 'priors', 'pub'].map((key) => about(studio.runner.failure.key, key))).toEqual([true, false, false]);
  studio.set({ publish: null }, '');
  await go();
  expect([studio.runner.failure, studio.old]).toEqual([null, false]);
});

test('a server that goes is said to be gone, and what was wanted is asked when it is back', async () => {
  await open();
  expect(studio.health).toBe('there');
  server.gone = true;
  server.end();
  await settle();
  expect(studio.health).toBe('gone');
  noise(1);
  await settle();
  expect([studio.runner.failure.message, shown(), studio.old]).toEqual(['The server does not answer.', 'as counted', true]);
  server.gone = false;
  await go(2000);
  expect([studio.health, shown(), studio.old, studio.runner.failure]).toEqual(['there', 'LAPLACE(epsilon=1)', false, null]);
});

test('without a token nothing is asked', async () => {
  await open('');
  expect([server.asked.length, studio.catalogue]).toEqual([0, undefined]);
  await open('#token');
  expect(studio.catalogue).toEqual(catalogue);
});
