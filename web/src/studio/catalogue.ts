// SPDX-License-Identifier: Apache-2.0
// What the server offers, and what it is asked: the settings of a study.
import type { AttackEntry, Dataset, Entry, Goal, ReportDocument } from '../document';

export interface SliderRange {
  from: number;
  to: number;
  scale: 'log' | 'linear';
  whole: boolean;
}

export interface StepParameter {
  name: string;
  summary: string;
  /** Null where it must be given. */
  default: string | null;
  slider: SliderRange | null;
  choices: string[] | null;
  /** Another parameter that may be given in its place. */
  alternative: string | null;
}

export interface StepEntry extends Omit<Entry, 'parameters'> {
  parameters: StepParameter[];
  /** Leaves out or merges visits: it comes before every other kind. */
  gives_visits: boolean;
}

export interface PresetEntry extends Entry {
  steps: string[];
}

export interface Catalogue {
  title: string;
  /** The study's name for commands. */
  file: string;
  dataset: Dataset;
  priors: Entry[];
  attacks: AttackEntry[];
  goals: Goal[];
  steps: StepEntry[];
  presets: PresetEntry[];
  post_process: string[];
  epoch_seconds: number;
  places: { rows: number; cols: number } | null;
  settings: Settings;
}

export interface Chain {
  steps: string[];
  post_process?: string;
}
/** Null: the counts as they are. */
export type Publish = Chain | { preset: string } | null;

export interface Settings {
  priors: string[];
  attacks: string[];
  goals: string[];
  membership: boolean;
  seed: number;
  publish: Publish;
}

/** The same settings have the same key, in whatever order they were said. */
export function key_of(settings: Settings): string {
  const { priors, attacks, goals, membership, seed, publish } = settings;
  const chain = publish && 'steps' in publish ? { steps: publish.steps, post_process: publish.post_process ?? null } : publish;
  return JSON.stringify([[...priors].sort(), [...attacks].sort(), [...goals].sort(), membership, seed, chain]);
}

/** What the server made of settings. */
export interface Answer {
  settings: Settings;
  report: ReportDocument;
  /** The study as a file. */
  toml: string;
  /** What publishes it; null where nothing would be protected. */
  command: string | null;
  /** What to fill in, and what its flags are for, a sentence each. */
  command_notes: string[];
  /** What `hearsay release` would refuse without being told otherwise, a sentence each. */
  unsafe: string[];
}

export interface Progress {
  stage: string;
  done: number;
  /** 0: unknown. */
  all: number;
}

/** What the user can mend, or not. The key names the setting it is about. */
export interface Failure {
  message: string;
  key: string | null;
}
