// SPDX-License-Identifier: Apache-2.0
// What most want to move first, each a slider. Far left the step is not there; further right hides more. Only here does the page
// know steps by name.
import { count, duration } from '../lib/format';
import type { Catalogue, StepParameter } from './catalogue';
import { entry_of, new_step, step_text, stops_of, with_value, type Step } from './steps';

interface Kind {
  id: string;
  label: string;
  /** The step that is put in where there is none. */
  step: string;
  parameter: string;
  off: string;
  /** Smaller values hide more. */
  falls: boolean;
  words: (value: number, catalogue: Catalogue) => string;
  /** Where it is known under another name: every step with such a parameter. */
  any?: boolean;
}

const kinds: Kind[] = [
  { id: 'hours', label: 'Hour length', step: 'EPOCHS', parameter: 'of', off: 'as counted', falls: false, words: (of, { epoch_seconds }) => `counts of ${duration(of * epoch_seconds)}` },
  { id: 'cells', label: 'Cell size', step: 'PLACES', parameter: 'of', off: 'as counted', falls: false, words: (of) => `${of} by ${of} cells become one` },
  { id: 'bound', label: 'Visits kept of a person', step: 'BOUND', parameter: 'at_most', off: 'all', falls: true, words: (of) => `at most ${count(of)}` },
  { id: 'noise', label: 'Noise', step: 'LAPLACE', parameter: 'epsilon', off: 'none', falls: true, any: true, words: (of) => `epsilon ${of}` },
  { id: 'threshold', label: 'Threshold', step: 'SUPPRESS', parameter: 'at_most', off: 'none', falls: false, words: (of) => `counts up to ${count(of)} are left out` },
];

export interface Direct extends Kind {
  /** From the weakest. */
  stops: number[];
  /** Its place in the chain; -1: not there. */
  at: number;
  value: number | null;
}

const parameter_of = (catalogue: Catalogue, step: Step, name: string): StepParameter | undefined =>
  entry_of(catalogue, step)?.parameters.find((one) => one.name === name);

/** Those that the data and the server allow. */
export function directs(catalogue: Catalogue, steps: Step[]): Direct[] {
  return kinds.flatMap((kind) => {
    const at = steps.findIndex((step) => step.name === kind.step || (kind.any && parameter_of(catalogue, step, kind.parameter)?.slider));
    const parameter = parameter_of(catalogue, at < 0 ? { name: kind.step, values: {} } : steps[at], kind.parameter);
    if (!parameter?.slider || (kind.id === 'cells' && !catalogue.places)) return [];
    const stops = stops_of(parameter.slider);
    const value = at < 0 ? NaN : Number(steps[at].values[kind.parameter] ?? parameter.default ?? NaN);
    return [{ ...kind, at, stops: kind.falls ? stops.toReversed() : stops, value: Number.isFinite(value) ? value : null }];
  });
}

/** Its value in words; of a step that says it in another way, the step. */
export function value_words(catalogue: Catalogue, steps: Step[], { at, value, off, words }: Direct): string {
  if (at < 0) return off;
  return value === null ? step_text(steps[at]) : words(value, catalogue);
}

/** The chain with this value of it; null: without the step. */
export function moved(catalogue: Catalogue, steps: Step[], direct: Direct, value: number | null): Step[] {
  if (value === null) return steps.filter((_, i) => i !== direct.at);
  const valued = (step: Step) => with_value(step, parameter_of(catalogue, step, direct.parameter)!, String(value));
  if (direct.at >= 0) return steps.map((step, i) => (i === direct.at ? valued(step) : step));
  const step = valued(new_step(catalogue.steps.find(({ name }) => name === direct.step)!));
  const order = kinds.findIndex(({ id }) => id === direct.id);
  const rank = (one: Step): number => {
    const known = kinds.findIndex((kind) => kind.step === one.name || (kind.any && parameter_of(catalogue, one, kind.parameter)));
    return known >= 0 ? known : entry_of(catalogue, one)?.gives_visits ? 2 : 3.5;
  };
  const at = steps.findIndex((one) => rank(one) > order);
  return at < 0 ? [...steps, step] : [...steps.slice(0, at), step, ...steps.slice(at)];
}
