// SPDX-License-Identifier: Apache-2.0
// Starts the studio's server.
//   HEARSAY_SERVE  the command that serves the study, in words separated by spaces
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';

assert.ok(process.env.HEARSAY_SERVE, 'HEARSAY_SERVE must be the command that serves a study; scripts/test_page sets it');
const command = process.env.HEARSAY_SERVE.split(' ').filter(Boolean);

/** Starts the server, and gives its address when it says it; `end` stops it. */
export async function serve() {
  const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const ended = new Promise((done) => child.on('exit', done));
  const address = await new Promise((done, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        said += text;
        const found = /http:\/\/127\.0\.0\.1:\d+\/#[\w-]+/.exec(said);
        if (found) done(found[0]);
      });
    }
    ended.then(() => fail(new Error(`the server ended: ${said}`)));
  });
  return {
    address,
    origin: new URL(address).origin,
    token: new URL(address).hash.slice(1),
    link_to: (settings, view) => `${address}/${Buffer.from(JSON.stringify({ settings, view })).toString('base64url')}`,
    end: () => (child.kill('SIGINT'), ended),
  };
}
