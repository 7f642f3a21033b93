// SPDX-License-Identifier: Apache-2.0
// The address: #TOKEN or #TOKEN/STATE, where the state is base64url of JSON.
import type { Whom } from '../lib/model';
import type { Settings } from './catalogue';

/** What the page looks at, and never tells the server. */
export interface Focus {
  /** Hours of the day, the second not among them; equal: all. */
  from: number;
  to: number;
  /** Ids of places; none: all. */
  places: string[];
  /** A grouping's title and the number of a group. */
  group: { title: string; number: number } | null;
}

export interface Pin {
  name: string;
  settings: Settings;
}

export interface View {
  whom: Whom | null;
  focus: Focus;
  pins: Pin[];
  /** The number of the pin beside the present. */
  beside: number | null;
}

export interface State {
  settings: Settings;
  view: View;
}

export const plain_view = (): View => ({ whom: null, focus: { from: 0, to: 24, places: [], group: null }, pins: [], beside: null });

export function encode(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function decode(text: string): unknown {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(plain, (c) => c.charCodeAt(0))));
}

const texts = (value: unknown): value is string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');
/** Names that come once each; null where they are not names. */
const names = (value: unknown): string[] | null => (texts(value) ? [...new Set(value)] : null);
const hour = (value: unknown, otherwise: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 24 ? value : otherwise;

/** A link may come from anywhere: what is not as it should be is as it was at the start. */
export function settings_of(value: unknown, start: Settings): Settings {
  const { priors, attacks, goals, membership, seed, publish } = (value ?? {}) as Partial<Settings>;
  const fits = publish === null || (typeof publish === 'object' && ('steps' in publish ? texts(publish.steps) : typeof publish.preset === 'string'));
  return {
    priors: names(priors) ?? start.priors,
    attacks: names(attacks) ?? start.attacks,
    goals: names(goals) ?? start.goals,
    membership: typeof membership === 'boolean' ? membership : start.membership,
    seed: typeof seed === 'number' ? seed : start.seed,
    publish: fits ? publish : start.publish,
  };
}

export function view_of(value: unknown, start: Settings): View {
  const given = (value ?? {}) as Partial<View>;
  const plain = plain_view();
  const { whom } = given;
  const focus: Partial<Focus> = given.focus && typeof given.focus === 'object' ? given.focus : plain.focus;
  const { group } = focus;
  const pins = Array.isArray(given.pins)
    ? given.pins.map((pin, i) => ({ name: typeof pin?.name === 'string' ? pin.name : `Pin ${i + 1}`, settings: settings_of(pin?.settings, start) }))
    : [];
  return {
    whom: whom && typeof whom.goal === 'string' && typeof whom.prior === 'string' ? whom : null,
    focus: {
      from: hour(focus.from, 0),
      to: hour(focus.to, 24),
      places: names(focus.places) ?? [],
      group: group && typeof group.title === 'string' && typeof group.number === 'number' ? group : null,
    },
    pins,
    beside: typeof given.beside === 'number' && pins[given.beside] ? given.beside : null,
  };
}

export function read_address(hash: string): { token: string; state: Partial<State> | null } {
  const [token, text] = hash.replace(/^#/, '').split('/');
  try {
    return { token, state: text ? (decode(text) as Partial<State>) : null };
  } catch {
    return { token, state: null };
  }
}
