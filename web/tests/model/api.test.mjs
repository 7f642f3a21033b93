// SPDX-License-Identifier: Apache-2.0
// Requests with the token, and answers as lines of JSON, however they are cut.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Api, Gone, Refused } from '../../src/studio/api';
import { failure_of } from '../../src/studio/runner.svelte';
import { settings } from './samples.mjs';

const requests = [];
/** A server that sends these pieces of text, and then ends, or breaks off where `broken` is set. */
function serve(pieces, { status = 200, broken = false } = {}) {
  requests.length = 0;
  vi.stubGlobal('fetch', async (path, options) => {
    requests.push({ path, ...options });
    const rest = pieces.map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece));
    return new Response(new ReadableStream({
      pull: (stream) => {
        const piece = rest.shift();
        if (piece) stream.enqueue(piece);
        else if (broken) stream.error(new TypeError('network error'));
        else stream.close();
      },
    }), { status });
  });
}
afterEach(() => vi.unstubAllGlobals());

const api = new Api('secret');
const steps = [];
const run = (signal = new AbortController().signal) => api.run(settings, signal, (step) => steps.push(step.stage));
const report = '{"event":"report","report":{"schema":4,"title":"Zürich"},"toml":"t","command":null,"command_notes":[],"unsafe":[]}';

test('a request carries the token, and asks the page\'s own server alone', async () => {
  serve([report]);
  await run();
  const [{ path, method, headers, body, redirect, credentials }] = requests;
  expect([path, method, headers.Authorization, JSON.parse(body), redirect, credentials]).toEqual(['api/run', 'POST', 'Bearer secret', settings, 'error', 'omit']);
});

test.each([1, 2, 3, 7, 1000])('an answer is read in pieces of %i bytes', async (size) => {
  steps.length = 0;
  const bytes = new TextEncoder().encode(`{"event":"progress","stage":"priors","done":1,"all":2}\n\n{"event":"progress","stage":"attacks","done":1,"all":2}\n${report}\n`);
  serve(Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size)));
  const answer = await run();
  expect([answer.report.title, answer.settings, answer.toml, steps]).toEqual(['Zürich', settings, 't', ['priors', 'attacks']]);
});

test('the last line needs no end', async () => {
  serve([report]);
  expect((await run()).report.title).toBe('Zürich');
});

describe('what is no answer is told apart', () => {
  const failing = async (...served) => {
    serve(...served);
    return run().then(() => null, (error) => error);
  };
  test('an error of the server, with the setting it is about', async () => {
    const error = await failing(['{"event":"error","message":"must be above 0","key":"publish"}\n']);
    expect([error instanceof Refused, failure_of(error)]).toEqual([true, { message: 'must be above 0', key: 'publish' }]);
  });
  test('a status with words, and one without', async () => {
    expect(failure_of(await failing(['{"error":"too many wait"}'], { status: 503 })).message).toBe('too many wait');
    const bare = await failing(['<html>'], { status: 502 });
    expect([bare.status, failure_of(bare).message]).toEqual([502, 'The server answered 502.']);
  });
  test('a server that breaks off, or ends before it has answered', async () => {
    expect(await failing(['{"event":"progress","stage":"x","done":0,"all":0}\n'], { broken: true })).toBeInstanceOf(Gone);
    expect(await failing(['{"event":"progress","stage":"x","done":0,"all":0}\n'])).toBeInstanceOf(Gone);
  });
  test('nobody there', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    expect(await run().catch((error) => error)).toBeInstanceOf(Gone);
  });
  test('a document of another version', async () => {
    expect(failure_of(await failing([report.replace('"schema":4', '"schema":5')])).message).toMatch(/could not read the answer: .*schema 4, not 5/);
  });
  test('a request that was given up', async () => {
    const aborter = new AbortController();
    vi.stubGlobal('fetch', (_, { signal }) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason))));
    const asked = run(aborter.signal).catch((error) => error);
    aborter.abort();
    expect((await asked).name).toBe('AbortError');
  });
});

test('a server says again and again that it is there', async () => {
  let heard = 0;
  serve(['{"event":"alive"}\n', '{"event":"alive"}\n{"event":"ali', 've"}\n']);
  await api.alive(new AbortController().signal, () => ++heard);
  expect(heard).toBe(3);
});

test('advice is given limits, and says how far it is', async () => {
  serve(['{"event":"progress","stage":"searching","done":1,"all":9}\n{"event":"advice","advice":{"seed":3}}\n']);
  const stages = [];
  const advice = await api.advise(settings, { mae: 3 }, 60, new AbortController().signal, ({ stage }) => stages.push(stage));
  expect([advice, stages, JSON.parse(requests[0].body)]).toEqual([{ seed: 3 }, ['searching'], { settings, limits: { mae: 3 }, seconds: 60 }]);
});
