// SPDX-License-Identifier: Apache-2.0
// Whether the server is there. It ends when no tab listens any more.
import { Refused, type Api } from './api';

export type Health = 'there' | 'gone' | 'refused';

const silence = 20_000;
const pause = 1_500;

const wait = (time: number) => new Promise((done) => setTimeout(done, time));

/** Listens, and tells each time that it changes; tries again when the server is gone. */
async function listen(api: Api, tell: (health: Health) => void): Promise<void> {
  for (;;) {
    const aborter = new AbortController();
    let watch = setTimeout(() => aborter.abort(), silence);
    const heard = () => {
      tell('there');
      clearTimeout(watch);
      watch = setTimeout(() => aborter.abort(), silence);
    };
    const health = await api.alive(aborter.signal, heard).then((): Health => 'gone', (error): Health => (error instanceof Refused && error.status === 401 ? 'refused' : 'gone'));
    clearTimeout(watch);
    tell(health);
    await wait(pause);
  }
}

/** One tab of the browser listens for all, since a browser opens few connections to a server; when it closes, another does. */
export function watch_server(api: Api, token: string, changed: (health: Health) => void): void {
  const channel = new BroadcastChannel(`hearsay-${token}`);
  channel.onmessage = (event) => changed(event.data as Health);
  const tell = (health: Health) => {
    changed(health);
    channel.postMessage(health);
  };
  if (navigator.locks) void navigator.locks.request(`hearsay-${token}`, () => listen(api, tell));
  else void listen(api, tell);
}
