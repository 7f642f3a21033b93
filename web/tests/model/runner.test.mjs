// SPDX-License-Identifier: Apache-2.0
// One request at a time, and the latest settings next.
import { beforeEach, describe, expect, test } from 'vitest';
import { Gone, Refused } from '../../src/studio/api';
import { key_of } from '../../src/studio/catalogue';
import { Runner } from '../../src/studio/runner.svelte';
import { dice, with_seed } from './samples.mjs';

/** A server whose requests wait until the test answers them. */
class Server {
  requests = [];
  most_at_once = 0;

  run(settings, signal, progress) {
    const request = { settings, signal, progress, over: false };
    const promise = new Promise((resolve, reject) => {
      request.answer = () => ((request.over = true), resolve(answer_to(settings)));
      request.fail = (error) => ((request.over = true), reject(error));
      signal.addEventListener('abort', () => request.over || request.fail(new DOMException('given up', 'AbortError')));
    });
    this.requests.push(request);
    this.most_at_once = Math.max(this.most_at_once, this.open().length);
    return promise;
  }
  open() {
    return this.requests.filter(({ over }) => !over);
  }
  seeds() {
    return this.requests.map(({ settings }) => settings.seed);
  }
}
const answer_to = (settings) => ({ settings, report: { seed: settings.seed } });

let server;
let runner;
let lost;
let pins;
const want = (seed, going = false) => runner.want(with_seed(seed), going);
const also = (seed) => runner.also(with_seed(seed));
const shown = () => runner.answer?.settings.seed ?? null;
/** Lets everything run that waits for no answer. */
const settle = () => new Promise((done) => setImmediate(done));
const answer = async (number = server.requests.length - 1) => {
  server.requests[number].answer();
  await settle();
};

beforeEach(() => {
  server = new Server();
  lost = 0;
  pins = [];
  runner = new Runner(server, () => ++lost, () => pins);
});

describe('what is wanted', () => {
  test('is asked for, and shown when it is there', async () => {
    want(1);
    expect([server.seeds(), shown(), runner.run.settings.seed]).toEqual([[1], null, 1]);
    await answer();
    expect([shown(), runner.shown, runner.run]).toEqual([1, 1, null]);
  });

  test('later gives up what is under way', async () => {
    want(1);
    want(2);
    await settle();
    expect([server.requests[0].signal.aborted, server.seeds()]).toEqual([true, [1, 2]]);
    await answer();
    expect([shown(), runner.shown]).toEqual([2, 1]);
  });

  test('while a control is held waits for what is under way, and only the latest is next', async () => {
    for (let seed = 1; seed <= 5; ++seed) want(seed, true);
    await settle();
    expect([server.seeds(), server.requests[0].signal.aborted]).toEqual([[1], false]);
    await answer();
    expect([shown(), server.seeds()]).toEqual([1, [1, 5]]);
    await answer();
    expect([shown(), runner.shown, runner.run]).toEqual([5, 2, null]);
  });

  test('by the control that is let go at the value under way is waited for', async () => {
    want(1, true);
    want(1);
    await settle();
    expect(server.requests[0].signal.aborted).toBe(false);
    await answer();
    expect([shown(), server.seeds()]).toEqual([1, [1]]);
  });

  test('again is known, and not asked for', async () => {
    want(1);
    await answer();
    want(2);
    await answer();
    want(1);
    await settle();
    expect([shown(), runner.shown, server.seeds()]).toEqual([1, 3, [1, 2]]);
  });

  test('and known gives up what is under way', async () => {
    want(1);
    await answer();
    want(2);
    want(1);
    await settle();
    expect([shown(), server.requests[1].signal.aborted, runner.run, server.seeds()]).toEqual([1, true, null, [1, 2]]);
  });

  test('again at once after it was given up is asked for again', async () => {
    want(1);
    want(2);
    want(1);
    await settle();
    await answer();
    expect([shown(), server.seeds(), runner.run]).toEqual([1, [1, 1], null]);
  });

  test('says how far it is', async () => {
    want(1);
    server.requests[0].progress({ stage: 'attacking', done: 1, all: 4 });
    expect(runner.run.progress).toEqual({ stage: 'attacking', done: 1, all: 4 });
  });

  test('and stopped is not shown', async () => {
    want(1);
    runner.stop();
    await settle();
    expect([shown(), runner.run, runner.failure]).toEqual([null, null, null]);
    want(1);
    await answer();
    expect(shown()).toBe(1);
  });
});

describe('a failure', () => {
  test('is said, with the setting it is about, and what was shown stays', async () => {
    want(1);
    await answer();
    want(2);
    server.requests[1].fail(new Refused('must be above 0', 200, 'publish.steps[0]'));
    await settle();
    expect([runner.failure, shown()]).toEqual([{ message: 'must be above 0', key: 'publish.steps[0]' }, 1]);
    want(1);
    expect(runner.failure).toBe(null);
  });

  test('of a server that is gone is told', async () => {
    want(1);
    server.requests[0].fail(new Gone());
    await settle();
    expect([lost, runner.failure]).toEqual([1, { message: 'The server does not answer.', key: null }]);
  });

  test('of what nobody wants any more is not said', async () => {
    want(1, true);
    want(2, true);
    server.requests[0].fail(new Refused('too much', 200));
    await settle();
    expect([runner.failure, server.seeds()]).toEqual([null, [1, 2]]);
  });

  test('of what the page cannot read says so', async () => {
    want(1);
    server.requests[0].fail(new Error('This page reads documents of schema 4, not 5.'));
    await settle();
    expect(runner.failure.message).toBe('This page could not read the answer: This page reads documents of schema 4, not 5.');
  });
});

describe('what is asked aside', () => {
  test('is kept and not shown', async () => {
    also(1);
    await answer();
    expect([shown(), runner.known(with_seed(1)).settings.seed]).toEqual([null, 1]);
  });

  test('waits for what is under way', async () => {
    want(1);
    also(2);
    expect(server.seeds()).toEqual([1]);
    await answer();
    expect([shown(), server.seeds()]).toEqual([1, [1, 2]]);
    await answer();
    expect([shown(), runner.known(with_seed(2)) !== undefined]).toEqual([1, true]);
  });

  test('is given up for what is wanted, and asked again after it', async () => {
    also(1);
    want(2, true);
    await settle();
    expect([server.requests[0].signal.aborted, server.seeds()]).toEqual([true, [1, 2]]);
    await answer();
    expect([shown(), server.seeds()]).toEqual([2, [1, 2, 1]]);
    await answer();
    expect([shown(), runner.known(with_seed(1)) !== undefined, runner.run]).toEqual([2, true, null]);
  });

  test('is shown where it is wanted meanwhile', async () => {
    also(1);
    want(1);
    await answer();
    expect([shown(), server.seeds()]).toEqual([1, [1]]);
  });

  test('is not stopped by stopping what is shown', async () => {
    also(1);
    runner.stop();
    await answer();
    expect(runner.known(with_seed(1))).toBeDefined();
  });

  test('and refused is asked again only when somebody says so', async () => {
    also(1);
    server.requests[0].fail(new Refused('must be above 0', 200, 'publish'));
    await settle();
    also(1);
    await settle();
    expect([server.seeds(), runner.refusal(with_seed(1)), runner.failure]).toEqual([[1], 'must be above 0', null]);
    runner.retry(with_seed(1));
    expect([server.seeds(), runner.refusal(with_seed(1))]).toEqual([[1, 1], undefined]);
    await answer();
    expect(runner.known(with_seed(1))).toBeDefined();
  });

  test('and lost with the server is no refusal', async () => {
    also(1);
    server.requests[0].fail(new Gone());
    await settle();
    expect([lost, runner.refusal(with_seed(1))]).toEqual([1, undefined]);
    also(1);
    expect(server.seeds()).toEqual([1, 1]);
  });
});

test('answers of pins are kept whatever comes after them, and others for a while', async () => {
  pins = [key_of(with_seed(1))];
  for (let seed = 1; seed <= 40; ++seed) {
    want(seed);
    await answer();
  }
  expect([1, 2, 16, 17, 40].map((seed) => runner.known(with_seed(seed)) !== undefined)).toEqual([true, false, false, true, true]);
});

test('settings in another order are the same settings', async () => {
  runner.want({ ...with_seed(1), priors: ['A', 'B'] }, false);
  await answer();
  runner.want({ ...with_seed(1), priors: ['B', 'A'] }, false);
  expect([runner.shown, server.requests.length]).toEqual([2, 1]);
});

// Whatever is done in whatever order, and whenever the server answers: the last thing wanted is what is shown at the end.
test.each(Array.from({ length: 20 }, (_, i) => i + 1))('the latest setting wins, and nothing stays unanswered (%i)', async (part) => {
  for (let i = 0; i < 25; ++i) await use_at_random(25 * part + i);
});
async function use_at_random(seed) {
  const roll = dice(seed);
  [server, pins] = [new Server(), []];
  runner = new Runner(server, () => {}, () => pins);
  let last = null;
  for (let step = 0; step < 40; ++step) {
    const kind = roll();
    if (kind < 0.5) want((last = Math.floor(roll() * 6)), roll() < 0.6);
    else if (kind < 0.6) also(10 + Math.floor(roll() * 3));
    else if (kind < 0.9) server.open().at(-1)?.answer();
    else if (kind < 0.95 && server.open().length) {
      // What was lost is wanted again, as somebody does who presses "Try again".
      server.open().at(-1).fail(new Gone());
      await settle();
      if (last !== null) want(last);
    }
    if (roll() < 0.7) await settle();
  }
  if (last === null) want((last = 0));
  for (let i = 0; i < 50 && (server.open().length || runner.run); ++i) {
    server.open().at(-1)?.answer();
    await settle();
  }
  expect({ seed, shown: shown(), run: runner.run, open: server.open().length, failure: runner.failure }).toEqual({ seed, shown: last, run: null, open: 0, failure: null });
  expect(server.most_at_once).toBe(1);
}
