// SPDX-License-Identifier: Apache-2.0
// Undo and redo over the browser's history.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeBrowser } from './fake_browser.mjs';

let browser;

/** A page whose state is one text, with its changes. */
async function open(text = 'start') {
  const { Changes } = await import('../../src/studio/history.svelte');
  const page = { text, arrivals: [] };
  const address = () => `#${page.text}`;
  page.changes = new Changes(address, (place, to) => {
    page.arrivals.push(to);
    if (!page.changes.late) page.text = to.slice(1);
    page.changes.arrived(place);
  });
  browser.onpopstate = (place, to) => {
    page.arrivals.push(to);
    if (!page.changes.late) page.text = to.slice(1);
    page.changes.arrived(place);
  };
  page.make = (by, to, going = false) => page.changes.make(by, going, () => (page.text = to));
  return page;
}
const settle = () => vi.advanceTimersByTime(1000);

beforeEach(() => {
  vi.useFakeTimers();
  browser = new FakeBrowser('#start').install();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a change', () => {
  test('is one entry of the browser, and can be undone and done again', async () => {
    const page = await open();
    expect([page.changes.undoable, page.changes.redoable]).toEqual([false, false]);
    page.make('a', 'one');
    page.make('b', 'two');
    expect(browser.entries.map(({ address }) => address)).toEqual(['#start', '#one', '#two']);
    page.changes.undo();
    settle();
    expect([page.text, page.changes.undoable, page.changes.redoable]).toEqual(['one', true, true]);
    page.changes.undo();
    settle();
    expect([page.text, page.changes.undoable, page.changes.redoable]).toEqual(['start', false, true]);
    page.changes.redo();
    settle();
    page.changes.redo();
    settle();
    expect([page.text, page.changes.redoable]).toEqual(['two', false]);
  });

  test('after an undo takes away what could be done again', async () => {
    const page = await open();
    page.make('a', 'one');
    page.changes.undo();
    settle();
    page.make('b', 'other');
    expect([page.changes.redoable, browser.entries.length]).toEqual([false, 2]);
  });

  test('of the same control soon after is the same change', async () => {
    const page = await open();
    for (let i = 1; i <= 5; ++i) {
      page.make('noise', `noise ${i}`);
      vi.advanceTimersByTime(600);
    }
    page.make('threshold', 'threshold');
    settle();
    expect(browser.entries.map(({ address }) => address)).toEqual(['#start', '#noise 5', '#threshold']);
  });

  test('of the same control later is another change', async () => {
    const page = await open();
    page.make('noise', 'one');
    vi.advanceTimersByTime(701);
    page.make('noise', 'two');
    expect(browser.entries.length).toBe(3);
  });

  test('of a control that is held is one change however long it takes', async () => {
    const page = await open();
    for (let i = 1; i <= 5; ++i) {
      page.make('noise', `noise ${i}`, true);
      vi.advanceTimersByTime(10_000);
    }
    page.make('noise', 'let go');
    settle();
    expect(browser.entries.map(({ address }) => address)).toEqual(['#start', '#let go']);
  });

  test('without a control is always one of its own', async () => {
    const page = await open();
    page.make('', 'one');
    page.make('', 'two');
    expect(browser.entries.length).toBe(3);
  });
});

describe('the address', () => {
  test('is written twice for a control that moves a thousand times', async () => {
    const page = await open();
    settle();
    browser.writes = 0;
    for (let i = 0; i < 1000; ++i) page.make('noise', `${i}`, true);
    settle();
    expect([browser.writes, browser.hash, page.changes.pending]).toEqual([2, '#999', false]);
  });

  test('is pending until it is written', async () => {
    const page = await open();
    page.text = 'looked';
    page.changes.later();
    expect([page.changes.pending, browser.hash]).toEqual([true, '#start']);
    settle();
    expect([page.changes.pending, browser.hash, page.changes.undoable]).toEqual([false, '#looked', false]);
  });

  test.each(['throw', 'ignore'])('is written later by a browser that takes no more (%s)', async (how) => {
    const page = await open();
    browser.refusing = how;
    page.make('a', 'one');
    settle();
    expect([browser.hash, page.changes.pending]).toEqual(['#start', true]);
    browser.refusing = null;
    vi.advanceTimersByTime(5000);
    expect([browser.hash, page.changes.pending]).toEqual(['#one', false]);
    page.make('b', 'two');
    page.changes.undo();
    settle();
    expect(page.text).toBe('one');
  });

  test('is written before the next change, so that undo comes back to what was looked at', async () => {
    const page = await open();
    page.text = 'looked';
    page.changes.later();
    page.make('a', 'one');
    page.changes.undo();
    settle();
    expect(page.text).toBe('looked');
  });
});

describe('going back', () => {
  test('twice at once goes one step', async () => {
    const page = await open();
    page.make('a', 'one');
    page.make('b', 'two');
    page.changes.undo();
    page.changes.undo();
    settle();
    expect(page.text).toBe('one');
  });

  test('by the browser is undo as well', async () => {
    const page = await open();
    page.make('a', 'one');
    page.make('b', 'two');
    browser.back();
    settle();
    expect([page.text, page.changes.undoable, page.changes.redoable]).toEqual(['one', true, true]);
    browser.forward();
    settle();
    expect([page.text, page.changes.redoable]).toEqual(['two', false]);
  });

  test('a change meanwhile is a change of what is there', async () => {
    const page = await open();
    page.make('a', 'one');
    page.make('b', 'two');
    page.changes.undo();
    page.make('c', 'two and three');
    settle();
    expect([page.text, page.changes.redoable]).toEqual(['two and three', false]);
    expect(browser.entries.map(({ address }) => address)).toEqual(['#start', '#one', '#two and three']);
    page.changes.undo();
    settle();
    expect(page.text).toBe('one');
  });

  test('with a browser that does not go is given up, and works again', async () => {
    const page = await open();
    page.make('a', 'one');
    browser.stuck = true;
    page.changes.undo();
    expect(page.changes.pending).toBe(true);
    vi.advanceTimersByTime(2999);
    expect(page.changes.pending).toBe(true);
    vi.advanceTimersByTime(1000);
    expect([page.text, page.changes.pending, page.changes.undoable]).toEqual(['one', false, true]);
    browser.stuck = false;
    page.changes.undo();
    settle();
    expect(page.text).toBe('start');
  });

  test('to an address that somebody typed is a change that can be undone', async () => {
    const page = await open();
    page.make('a', 'one');
    browser.entries.push({ state: null, address: '#typed' });
    browser.forward();
    settle();
    expect([page.text, page.changes.undoable, page.changes.redoable]).toEqual(['typed', true, false]);
    page.changes.undo();
    settle();
    expect(page.text).toBe('one');
  });

  test('takes a cancelled change back to where it was not there, and it can be done again', async () => {
    const page = await open();
    page.make('a', 'one');
    page.make('b', 'two');
    page.make('c', 'three');
    page.changes.take_back(1, () => (page.text = 'one'));
    settle();
    expect([page.text, page.changes.undoable, page.changes.redoable, browser.hash]).toEqual(['one', true, true, '#one']);
    page.changes.take_back(1, () => (page.text = 'one, again'));
    settle();
    expect([browser.hash, browser.at]).toEqual(['#one, again', 1]);
  });
});

test('after a reload, what could be undone and done again still can', async () => {
  const page = await open();
  page.make('a', 'one');
  page.make('b', 'two');
  page.changes.undo();
  settle();
  browser.install();
  const again = await open('one');
  expect([again.changes.undoable, again.changes.redoable]).toEqual([true, true]);
  again.changes.redo();
  settle();
  expect([again.text, again.changes.redoable]).toEqual(['two', false]);
});

test('a browser that keeps nothing for the session loses only what could be done again after a reload', async () => {
  const refused = () => { throw new DOMException('no storage', 'SecurityError'); };
  vi.stubGlobal('sessionStorage', { getItem: refused, setItem: refused });
  const page = await open();
  page.make('a', 'one');
  page.changes.undo();
  settle();
  expect([page.text, page.changes.redoable]).toEqual(['start', true]);
});

test('in a frame, undo leaves the history of the page around it alone', async () => {
  browser.framed = true;
  browser.install();
  const page = await open();
  page.make('a', 'one');
  page.make('b', 'two');
  expect([browser.entries.length, browser.hash]).toEqual([1, '#two']);
  page.changes.undo();
  expect([page.text, page.changes.undoable, page.changes.redoable]).toEqual(['one', true, true]);
  page.changes.undo();
  expect([page.text, page.changes.undoable]).toEqual(['start', false]);
  page.changes.redo();
  page.changes.redo();
  settle();
  expect([page.text, page.changes.redoable, browser.entries.length, browser.hash]).toEqual(['two', false, 1, '#two']);
});
