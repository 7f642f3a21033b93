// SPDX-License-Identifier: Apache-2.0
import { vi } from 'vitest';

/** Whether the modules that are loaded found themselves in a frame, which they ask once. */
let loaded_framed = false;

/**
 * A browser's tab, as far as the page's history knows one: entries with a state and an address, going back and forth (which takes a
 * while, as in a browser), and the session's storage. Time is that of Vitest's fake timers.
 */
export class FakeBrowser {
  entries = [{ state: null, address: '' }];
  at = 0;
  writes = 0;
  /** Set to 'throw' or 'ignore', the browser takes no more addresses, as browsers do after too many. */
  refusing = null;
  /** The browser does not go anywhere when it is asked to. */
  stuck = false;
  framed = false;
  storage = new Map();
  /** Called with the state and the address after the browser has gone to another entry. */
  onpopstate = () => {};

  constructor(address = '') {
    this.entries[0].address = address;
  }

  get state() {
    return this.entries[this.at].state;
  }
  get hash() {
    return this.entries[this.at].address;
  }

  #write(state, address, pushed) {
    this.writes += 1;
    if (this.refusing === 'throw') throw new DOMException('too many', 'SecurityError');
    if (this.refusing === 'ignore') return;
    if (pushed) this.entries.splice(++this.at);
    this.entries[this.at] = { state, address };
  }

  #go(delta) {
    if (this.stuck) return;
    setTimeout(() => {
      const to = this.at + delta;
      if (!this.entries[to]) return;
      this.at = to;
      this.onpopstate(this.state, this.hash);
    }, 10);
  }
  back() {
    this.#go(-1);
  }
  forward() {
    this.#go(1);
  }

  /** Makes this the browser of the page. The page's modules must be imported after it. */
  install() {
    if (this.framed !== loaded_framed) vi.resetModules();
    loaded_framed = this.framed;
    const window_ = {};
    window_.parent = this.framed ? {} : window_;
    const browser = this;
    vi.stubGlobal('window', window_);
    vi.stubGlobal('location', { get hash() { return browser.hash; }, reload: () => (browser.reloads = (browser.reloads ?? 0) + 1) });
    vi.stubGlobal('history', {
      get state() { return browser.state; },
      pushState: (state, _, address) => browser.#write(state, address, true),
      replaceState: (state, _, address) => browser.#write(state, address, false),
      go: (delta) => browser.#go(delta),
    });
    vi.stubGlobal('sessionStorage', { getItem: (key) => this.storage.get(key) ?? null, setItem: (key, value) => void this.storage.set(key, value) });
    return this;
  }
}
