// SPDX-License-Identifier: Apache-2.0
// The page's state: the study's settings, what is looked at, and how both came about.
import { Api, Refused } from './api';
import { watch_server, type Health } from './alive';
import { key_of, type Catalogue, type Publish, type Settings } from './catalogue';
import { Changes, type Place } from './history.svelte';
import { encode, plain_view, read_address, settings_of, view_of, type Focus, type Pin, type State, type View } from './link';
import { Runner } from './runner.svelte';
import { name_of } from './words';

export class Studio {
  readonly token = read_address(location.hash).token;
  readonly api = new Api(this.token);
  readonly runner = new Runner(this.api, () => (this.health = 'gone'), () => this.view.pins.map(({ settings }) => key_of(settings)));
  changes = $state.raw<Changes>();
  catalogue = $state.raw<Catalogue>();
  settings = $state.raw<Settings>();
  view = $state.raw<View>(plain_view());
  health = $state<Health>('there');
  /** Why there is nothing at all. */
  trouble = $state('');
  /** What was under way when it was cancelled. */
  cancelled = $state.raw<Settings | null>(null);
  /** The place of the last answer that was of the settings then, and their key. */
  private rest = { at: 0, key: '' };
  /** What was cancelled is taken back: the settings are those already. */
  private returning = false;

  readonly answer = $derived(this.runner.answer);
  /** What is shown is not of the settings. */
  readonly old = $derived(!!this.settings && !!this.answer && key_of(this.answer.settings) !== key_of(this.settings));
  readonly working = $derived(!!this.runner.run && !this.runner.run.quiet);

  constructor() {
    if (this.token) void this.open();
  }

  private async open(): Promise<void> {
    watch_server(this.api, this.token, (health) => this.heard(health));
    await this.load();
  }

  private async load(): Promise<void> {
    try {
      this.catalogue = await this.api.catalogue();
      this.trouble = '';
      if (!this.settings) this.restore(read_address(location.hash).state);
      this.changes ??= new Changes(() => this.address(), (place, address) => this.arrived(place, address));
      this.ask(false);
    } catch (error) {
      if (error instanceof Refused && error.status === 401) this.health = 'refused';
      else if (error instanceof Refused) this.trouble = error.message;
      else if (this.health === 'there') this.health = 'gone';
    }
  }

  private heard(health: Health): void {
    const back = health === 'there' && this.health !== 'there';
    this.health = health;
    if (back) void this.load();
  }

  private restore(state: Partial<State> | null): void {
    const start = this.catalogue!.settings;
    this.settings = settings_of(state?.settings, start);
    this.view = view_of(state?.view, start);
  }

  address(): string {
    return `#${this.token}/${encode({ settings: this.settings, view: this.view } satisfies Partial<State>)}`;
  }

  private ask(going: boolean): void {
    if (this.settings) this.runner.want(this.settings, going);
  }

  /** `by` names the control; `going`: it is still held. */
  set(change: Partial<Settings>, by: string, going = false): void {
    const settings = { ...this.settings!, ...change };
    if (key_of(settings) === key_of(this.settings!) && (going || !this.changes!.going)) return;
    this.leave();
    this.changes!.make(by, going, () => (this.settings = settings));
    this.ask(going);
  }
  /** Before the settings become others. */
  private leave(): void {
    this.cancelled = null;
    this.returning = false;
    if (!this.old) this.rest = { at: this.changes!.at, key: key_of(this.settings!) };
  }
  publish(publish: Publish, by: string, going = false): void {
    this.set({ publish }, by, going);
  }

  look(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.changes?.later();
  }
  focus(change: Partial<Focus>): void {
    this.look({ focus: { ...this.view.focus, ...change } });
  }

  /** Gives up what is under way; the settings are those of what is shown again, as if they had not been changed. */
  cancel(): void {
    this.cancelled = this.settings!;
    this.runner.stop();
    if (!this.answer || !this.old) return;
    const { settings } = this.answer;
    const at = key_of(settings) === this.rest.key ? this.rest.at : this.changes!.at;
    this.returning = at !== this.changes!.at;
    this.changes!.take_back(at, () => (this.settings = settings));
  }
  again(): void {
    const settings = this.cancelled ?? this.settings!;
    this.cancelled = null;
    this.runner.failure = null;
    if (key_of(settings) === key_of(this.settings!)) this.ask(false);
    else this.set(settings, '');
  }

  pin(): void {
    if (!this.answer) return;
    const { settings } = this.answer;
    const found = this.view.pins.findIndex((pin) => key_of(pin.settings) === key_of(settings));
    const pins: Pin[] = found < 0 ? [...this.view.pins, { name: name_of(this.catalogue!, settings), settings }] : this.view.pins;
    this.look({ pins, beside: found < 0 ? pins.length - 1 : found });
  }
  unpin(number: number): void {
    const { beside, pins } = this.view;
    this.look({
      pins: pins.filter((_, i) => i !== number),
      beside: beside === null || beside === number ? null : beside > number ? beside - 1 : beside,
    });
  }

  /** The browser went back or forward, or somebody changed the address. */
  arrived(place: Place | null, address: string): void {
    const { token, state } = read_address(address);
    if (token !== this.token) return location.reload();
    if (!this.changes || !state) return;
    if (!this.returning && !this.changes.late) {
      this.leave();
      if (place) this.settings = settings_of(state.settings, this.catalogue!.settings);
      else this.restore(state);
      this.ask(false);
    }
    this.returning = false;
    this.changes.arrived(place);
  }
}

/** Whether a failure is about this setting. */
export const about = (key: string | null | undefined, setting: string): boolean => !!key && (key === setting || key.startsWith(`${setting}.`) || key.startsWith(`${setting}[`));
