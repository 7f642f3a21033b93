// SPDX-License-Identifier: Apache-2.0
// The report's document, version 1: docs/report-schema.md.

export type Goal = 'profiling' | 'localization';

/** What a row or a curve is about. */
export interface Key {
  goal: Goal;
  prior: string;
  attack: string;
  decision: string | null;
}

export interface Tiles {
  mean_loss: { value: number; goal: Goal; prior: string; attack: string; decision?: string | null } | null;
  p95_user: { value: number } | null;
  worst_hour: { weekday: number; hour: number; loss: number } | null;
  worst_roi: { id: string; name: string | null; loss: number } | null;
}

export interface Dataset {
  name: string;
  users: number;
  rois: number;
  visits: number;
  start: string;
  epoch_seconds: number;
  epochs: number;
  observe: number;
  inference: number;
  timezone: string;
  first_event: string | null;
  last_event: string | null;
  rows: number | null;
  bad_rows: number | null;
  bad_rows_by_reason: Record<string, number> | null;
}

export interface Settings {
  log_base: number;
  delta: number;
  seed: number | string;
  study: string;
  toml: string;
}

export interface Entry {
  name: string;
  summary: string;
  explanation: string;
  citation: string;
}

export interface SummaryRow extends Key {
  baseline: string | null;
  users: number;
  error_mean: number;
  error_sd: number;
  error_p05: number;
  error_p25: number;
  error_p50: number;
  error_p75: number;
  error_p95: number;
  loss_mean: number | null;
  loss_signed_mean: number | null;
  improved: number | null;
}

/** Errors over users (at each probability) or over time (at each epoch). */
export interface Series extends Key {
  errors: (number | null)[];
}

export interface Place {
  id: string;
  name: string | null;
  lat: number | null;
  lng: number | null;
  visits: number;
  loss: number | null;
}

export interface Rois {
  shape: 'points' | 'cells';
  cell: { lat: number; lng: number } | null;
  /** Whom the map is about: not always the tiles' adversary. */
  adversary: { prior: string; attack: string } | null;
  places: Place[];
}

export interface Group {
  from: number;
  to: number;
  users: number;
  loss: number | null;
}

export interface Grouping {
  title: string;
  unit: string;
  groups: Group[];
}

export interface Who {
  by: Grouping[];
  exposed: { threshold: number; users: number; ids: string[] | null } | null;
}

export interface GainQuantiles extends Key {
  p05: number;
  p25: number;
  p50: number;
  p75: number;
  p95: number;
  mean: number;
}

export interface Defence {
  release: string;
  parameter: string;
  epsilon: number | null;
  unit: string;
  epsilon_with_null: number | null;
  note: string | null;
  repeats: number;
  mre: number | null;
  mre_half_width: number | null;
  mre_per_roi: number | null;
  mae: number | null;
  top10_overlap: number | null;
  suppressed: number | null;
  gain: number | null;
  gain_half_width: number | null;
  adversaries: GainQuantiles[];
}

export interface PaperRow extends Key {
  release: string;
  parameter: string | null;
  baseline: string | null;
  metric: string;
  paper: number;
  here: number | null;
  difference: number | null;
  note: string | null;
}

export interface ReportDocument {
  schema: 1;
  hearsay: string;
  title: string;
  findings: string[];
  tiles: Tiles;
  dataset: Dataset;
  settings: Settings;
  inputs: { name: string; bytes: number; sha256: string }[];
  warnings: string[];
  entries: { priors: Entry[]; attacks: Entry[]; mechanisms: Entry[]; metrics: Entry[] };
  summary: SummaryRow[];
  cdf: { probabilities: number[]; curves: Series[] };
  hours: { times: string[]; series: Series[] };
  rois: Rois | null;
  who: Who | null;
  defences: Defence[];
  paper: PaperRow[] | null;
}

/** The document inside the page, or null where the page has not been filled. */
export function read_document(): ReportDocument | null {
  const text = document.getElementById('hearsay-data')?.textContent ?? 'null';
  const parsed = JSON.parse(text) as ReportDocument | null;
  if (parsed && parsed.schema !== 1) throw new Error(`This page reads documents of schema 1, not ${parsed.schema}.`);
  return parsed;
}
