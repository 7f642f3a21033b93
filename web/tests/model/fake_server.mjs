// SPDX-License-Identifier: Apache-2.0
import { vi } from 'vitest';
import { catalogue } from './samples.mjs';

/** Lets everything run that waits for neither the clock nor the server. */
export const settle = async () => {
  for (let i = 0; i < 6; ++i) await new Promise((done) => setImmediate(done));
};

const lines = (...events) => new Response(events.map((event) => JSON.stringify(event)).join('\n') + '\n');

/** The studio's server as `fetch` meets it. It answers at once, or, where `holding` is set, when the test says so. */
export class FakeServer {
  holding = false;
  gone = false;
  /** What it says of settings: another event in the place of a report. */
  refuses = () => null;
  /** The settings of every run that was asked for. */
  asked = [];
  held = [];
  hear = () => {};

  answer(settings) {
    return this.refuses(settings) ?? { event: 'report', report: { schema: 4, of: settings, adversaries: [], published: null }, toml: 'toml', command: null, command_notes: [], unsafe: [] };
  }

  fetch = async (path, { signal, body }) => {
    if (this.gone) throw new TypeError('fetch failed');
    if (path === 'api/studio') return new Response(JSON.stringify(catalogue));
    if (path === 'api/alive') {
      return new Response(new ReadableStream({
        start: (stream) => {
          this.hear = () => stream.enqueue(new TextEncoder().encode('{"event":"alive"}\n'));
          this.end = () => stream.error(new TypeError('network error'));
          this.hear();
        },
      }));
    }
    const settings = JSON.parse(body);
    this.asked.push(settings);
    if (this.holding) {
      await new Promise((done, fail) => {
        this.held.push(done);
        signal.addEventListener('abort', () => fail(signal.reason));
      });
    }
    return lines(this.answer(settings));
  };
  async free() {
    this.holding = false;
    for (const done of this.held.splice(0)) done();
    await settle();
  }

  install() {
    vi.stubGlobal('fetch', this.fetch);
    vi.stubGlobal('BroadcastChannel', class { postMessage() {} });
    vi.stubGlobal('navigator', {});
    return this;
  }
}
