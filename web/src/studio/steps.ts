// SPDX-License-Identifier: Apache-2.0
// Steps as text, NAME(parameter=value,...), and as something to edit.
import type { Catalogue, Chain, Publish, SliderRange, StepEntry, StepParameter } from './catalogue';

export interface Step {
  name: string;
  values: Record<string, string>;
}

function parse_step(text: string): Step {
  const [, name, inside] = /^\s*([^(]*?)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? [text, text, ''];
  const pairs = (inside ?? '').split(',').filter((part) => part.includes('=')).map((part) => {
    const at = part.indexOf('=');
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return { name, values: Object.fromEntries(pairs) };
}

export function step_text({ name, values }: Step): string {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return given.length ? `${name}(${given.map(([key, value]) => `${key}=${value}`).join(',')})` : name;
}

/** The steps of what is published; a preset's own. */
export function steps_of(catalogue: Catalogue, publish: Publish): Step[] {
  if (!publish) return [];
  const texts = 'preset' in publish ? (catalogue.presets.find(({ name }) => name === publish.preset)?.steps ?? []) : publish.steps;
  return texts.map(parse_step);
}

export function publish_of(steps: Step[], before: Publish): Publish {
  if (!steps.length) return null;
  const post_process = before && 'steps' in before ? before.post_process : undefined;
  const chain: Chain = { steps: steps.map(step_text) };
  return post_process ? { ...chain, post_process } : chain;
}

export const entry_of = (catalogue: Catalogue, step: Step): StepEntry | undefined => catalogue.steps.find(({ name }) => name === step.name);

/** Where a slider stops: every whole number, or some sixty values that are easy to say. */
export function stops_of({ from, to, scale, whole }: SliderRange): number[] {
  const parts = whole && scale === 'linear' ? Math.max(1, Math.min(to - from, 1000)) : 60;
  const at = (share: number) => (scale === 'log' ? from * (to / from) ** share : from + (to - from) * share);
  const easy = (value: number) => (whole ? Math.round(value) : Number(value.toPrecision(2)));
  return [...new Set(Array.from({ length: parts + 1 }, (_, i) => easy(at(i / parts))))];
}

export const nearest = (stops: number[], value: number): number =>
  stops.reduce((best, stop, i) => (Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best), 0);

/** The least that can be said of a parameter that must be given. */
function first_value(parameter: StepParameter): string {
  if (parameter.default !== null) return '';
  if (parameter.choices) return parameter.choices[0] ?? '';
  if (!parameter.slider) return '';
  const stops = stops_of(parameter.slider);
  return String(stops[Math.floor(stops.length / 2)]);
}

export function new_step(entry: StepEntry): Step {
  const values: Record<string, string> = {};
  for (const parameter of entry.parameters) {
    const value = parameter.alternative && parameter.alternative in values ? '' : first_value(parameter);
    if (value !== '') values[parameter.name] = value;
  }
  return { name: entry.name, values };
}

/** The step with another value of a parameter, and without what stood in its place. */
export function with_value(step: Step, { name, alternative }: StepParameter, value: string): Step {
  const values = { ...step.values, [name]: value };
  if (alternative && value !== '') delete values[alternative];
  return { ...step, values };
}

/** Steps on visits come before all others. */
export function with_step(catalogue: Catalogue, steps: Step[], step: Step): Step[] {
  if (!entry_of(catalogue, step)?.gives_visits) return [...steps, step];
  const at = steps.findIndex((one) => !entry_of(catalogue, one)?.gives_visits);
  return at < 0 ? [...steps, step] : [...steps.slice(0, at), step, ...steps.slice(at)];
}
