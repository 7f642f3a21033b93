// SPDX-License-Identifier: Apache-2.0
// The report's document, version 4: docs/report-schema.md.

/** What a row or a curve is about. */
export interface Key {
  goal: string;
  prior: string;
  attack: string;
  decision: string | null;
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
  events: number | null;
  used: number | null;
  outside_period: number | null;
  outside_rois: number | null;
  bad_rows: number | null;
  bad_rows_by_reason: Record<string, number> | null;
}

export interface Settings {
  log_base: number;
  seed: number | string;
  /** What rests on fewer people is not in the document. */
  least_people: number;
  study: string;
  toml: string;
}

export interface Entry {
  name: string;
  summary: string;
  explanation: string;
  citation: string;
  parameters: { name: string; summary: string }[];
}

export interface AttackEntry extends Entry {
  /** False: what she knew before, the baseline of losses. */
  uses_release: boolean;
  uses_prior: boolean;
}

export interface DecisionEntry extends Entry {
  /** Reads assignments, not probabilities. */
  of_assignments: boolean;
  parameters: { name: string; summary: string; value: string | null }[];
}

export interface MetricEntry extends Entry {
  /** What errors a comparison compares with; null for an error itself. */
  compares_with: 'prior' | 'raw' | null;
}

export interface Goal {
  name: string;
  /** The name of the entry that measures it. */
  metric: string;
  /** "The adversary wants" this. */
  wants: string;
  /** The largest error there is. */
  largest: number;
  /** Her beliefs are always read by a decision; else they may be taken as they are. */
  decides: boolean;
}

export interface SummaryRow extends Key {
  baseline: string | null;
  /** How the prior was read in the baseline. */
  baseline_decision: string | null;
  users: number;
  error_mean: number;
  error_sd: number;
  error_p05: number | null;
  error_p25: number | null;
  error_p50: number | null;
  error_p75: number | null;
  error_p95: number | null;
  loss_mean: number | null;
  loss_signed_mean: number | null;
  improved: number | null;
  /** From here on null without a control; active ones of the epochs in which a person was somewhere. */
  without_mean: number | null;
  own_mean: number | null;
  own_loss_mean: number | null;
  /** Null where only some people were taken out of the data. */
  counted: number | null;
  loss_without_mean: number | null;
  active_mean: number | null;
  active_without_mean: number | null;
}

/** Errors over users (mean of each step of them) or over time (at each epoch). */
export interface Series extends Key {
  errors: (number | null)[];
  /** Over time only: the same on counts that leave out each person in turn; null without a control. */
  without?: (number | null)[] | null;
}

export interface Place {
  id: string;
  name: string | null;
  lat: number | null;
  lng: number | null;
  /** Of a pair of places: where it ends. */
  end_lat: number | null;
  end_lng: number | null;
  /** Null where too few people were there. */
  visits: number | null;
}

export interface Rois {
  shape: 'points' | 'cells' | 'pairs';
  cell: { lat: number; lng: number } | null;
  places: Place[];
}

export interface Group {
  /** Null at the open ends of the first and the last group. */
  from: number | null;
  to: number | null;
  users: number;
  own: number | null;
  loss: number | null;
}

export type Trend = 'rises' | 'falls' | 'none';

export interface Grouping {
  title: string;
  unit: string;
  own_trend: Trend | null;
  loss_trend: Trend;
  groups: Group[];
}

/** Own parts need a control; the paper's losses do not. */
export type Part = 'own' | 'loss';

/** users is null where there are some, but too few to say how many. */
export interface Exposed {
  users: number | null;
  ids: string[] | null;
}

/** Errors at a place or in an hour: with the prior, with counts that leave out each person in turn, with the counts. */
export interface Errors {
  before: number;
  without: number | null;
  with: number;
}

/** Of a goal and a prior, the attack that errs least with the raw counts. */
export interface Adversary extends Key {
  baseline: string;
  /** The least error without the counts, of any strategy; her own on counts without and with the person. */
  before: number;
  without: number | null;
  with: number;
  crowd: number | null;
  own: number | null;
  /** Where only some people were taken out of the data: 95% of it, and how many. */
  own_half_width: number | null;
  own_people: number | null;
  own_loss: number | null;
  /** Null where only some were. */
  counted: number | null;
  loss: number | null;
  own_p95: number | null;
  /** Share of people of whose error being counted takes a hundredth or more. */
  own_hundredth: number | null;
  loss_p95: number | null;
  /** Own parts of people in order, a step of them at a time. */
  own_steps: number[];
  worst_hour: (Errors & { weekday: number; hour: number }) | null;
  worst_roi: (Errors & { id: string; name: string | null }) | null;
  /** In the order of rois.places; null for a goal that is not scored by place. */
  places: Record<Part, (number | null)[]> | null;
  by: Grouping[];
  exposed: { own: Exposed | null; loss: Exposed };
}

export interface Strategy {
  error: number;
  attack: string;
  decision: string | null;
}

/** The best that she can do about all people together. */
export interface BestResponse {
  goal: string;
  prior: string;
  before: Strategy;
  without: Strategy | null;
  with: Strategy;
  /** The best of the paper's own adversaries; null where the paper has no such knowledge. */
  paper: Strategy | null;
}

export interface GainQuantiles extends Key {
  p05: number | null;
  p25: number | null;
  p50: number | null;
  p75: number | null;
  p95: number | null;
  mean: number;
}

/** What counts are still good for, as utility.csv has it: means over repeats. Null where it does not apply. */
export interface Utility {
  mre: number | null;
  mre_per_roi: number | null;
  mae: number | null;
  top10_overlap: number | null;
  suppressed: number | null;
  /** Mean absolute error by size of the true count. */
  mae_0: number | null;
  mae_1_9: number | null;
  mae_10_99: number | null;
  mae_100: number | null;
  rank_correlation: number | null;
  daily_profile: number | null;
  place_totals: number | null;
  epoch_totals: number | null;
  forecast_mae: number | null;
  forecast_mae_raw: number | null;
  published: number | null;
  mre_own_grid: number | null;
  mae_own_grid: number | null;
}

/** What could be published without counting anybody in the inference period. */
export interface Baseline extends Utility {
  release: string;
  /** "publishing zeros" */
  words: string;
}

export interface Defence extends Utility, Guarantee {
  release: string;
  parameter: string;
  repeats: number;
  mre_half_width: number | null;
  /** The baseline nearest to the true counts by MRE, and by MAE, where the defence is further off; else empty. */
  worse_than: string;
  worse_than_mae: string;
  gain: number | null;
  gain_half_width: number | null;
  /** Of the error that the raw counts took away, the share given back; null where they took nothing. */
  given_back: number | null;
  given_back_half_width: number | null;
  /** What being counted costs under it and on the raw counts, as best responses have it; null without a control. */
  own: number | null;
  own_half_width: number | null;
  own_raw: number | null;
  /** The most that its guarantee allows; null where it hides less than a user. */
  own_bound: number | null;
  adversaries: GainQuantiles[];
}

/** What a release promises: nothing where epsilon is null. */
export interface Guarantee {
  epsilon: number | null;
  unit: string;
  epsilon_with_null: number | null;
  delta: number | null;
  note: string | null;
}

/** Best responses of one goal and prior under a chain, by the attacks tried on it: means over repeats. */
export interface ChainResponse {
  goal: string;
  prior: string;
  before: number;
  without: number | null;
  with: number;
  /** without - with; null without a control, as are the next two. */
  own: number | null;
  own_half_width: number | null;
  /** On the raw counts, by the same attacks. */
  own_raw: number | null;
  /** The most that the guarantee allows; null where it hides less than a user. */
  own_bound: number | null;
  /** Each that is best in a draw. */
  strategies: { attack: string; decision: string | null }[];
  /** Of the goal, no other prior tried errs less under the chain, and on the raw counts. */
  strongest: boolean;
  strongest_raw: boolean;
}

/** A chain of steps, whatever it was tried for. */
export interface Chain extends Guarantee {
  release: string;
  parameter: string;
  /** The rule in use that it is; null where it is none. */
  preset: Entry | null;
  steps: { name: string; parameter: string }[];
  /** What becomes of noisy counts, where it is not the default. */
  post_process: string | null;
  repeats: number;
  mre: number;
  mre_half_width: number | null;
  mae: number;
  mae_half_width: number | null;
  worse_than: string;
  worse_than_mae: string;
  /** Those on its counts. */
  attacks: string[];
  responses: ChainResponse[];
}

/** What the document is about in the place of the counts as they are: one draw of them, protected. */
export interface Published extends Utility, Guarantee {
  steps: { name: string; parameter: string }[];
  /** The rule in use that it is; null where it is none. */
  preset: Entry | null;
  /** What became of noisy counts, where it is not the default. */
  post_process: string | null;
  rho: number | null;
  /** The same promise for other units. */
  others: { unit: string; epsilon: number; delta: number | null }[];
  worse_than: string;
  worse_than_mae: string;
  /** What publishing so for a year would spend, in words. */
  a_year: string | null;
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

/** What a goal other than inference found: a row for each of the things it measured. */
export interface Measured {
  name: string;
  summary: string;
  fields: string[];
  numbers: string[];
  rows: {
    key: string[];
    unit: string;
    count: number;
    numbers: { mean: number; p05: number | null; p50: number | null; p95: number | null }[];
  }[];
}

/** Groups of one size, over the targets tried. Numbers are null where they rest on too few targets. */
export interface MembershipPoint {
  group: number;
  targets: number;
  /** Groups with a target; as many without. */
  trials: number;
  auc: { p05: number | null; p25: number | null; p50: number | null; p75: number | null; p95: number | null; mean: number | null };
  /** Half of the 95% interval of one target's AUC, on average. */
  half_width: number | null;
  /** Means over targets. */
  loss: number | null;
  tpr_1: number | null;
  tpr_01: number | null;
  above_06: number | null;
  above_09: number | null;
  /** The group is more than a quarter of all people: the AUC is overstated. */
  near_all: boolean;
}

/** What one attack reached with one knowledge on one release. */
export interface MembershipLine {
  attack: string;
  target: string;
  crowd: string;
  /** What target and crowd are in words: "somebody who knows" this. */
  knows: string;
  knows_of_others: string;
  release: string;
  parameter: string;
  /** The counts as they are, without a defence. */
  raw: boolean;
  /** What the page calls them, where not so. */
  words?: string;
  points: MembershipPoint[];
}

export interface ExposedThirds {
  title: string;
  unit: string;
  groups: { from: number | null; to: number | null; targets: number; auc: number | null }[];
}

/** A promise, and the least epsilon that was found. */
export interface Audit {
  release: string;
  parameter: string;
  unit: string;
  claimed: number | null;
  found: number | null;
  trials: number;
  broken: boolean;
}

/** Whether somebody can tell that a person was counted. */
export interface Membership {
  attacks: Entry[];
  lines: MembershipLine[];
  /** First of the line and group that the findings are about; empty where there are too few targets. */
  exposure: { line: number; group: number; by: ExposedThirds[] }[];
  audit: Audit[];
}

/** What one method rebuilt from one release: shares of the time, means over people; null where those are too few. */
export interface PathLine {
  method: string;
  release: string;
  parameter: string;
  /** The counts as they are, without a defence. */
  raw: boolean;
  people: number;
  /** Draws of the noise that the numbers are means over. */
  repeats: number;
  right: number | null;
  shuffled: number | null;
  /** Of the time in which people were somewhere. */
  right_active: number | null;
  shuffled_active: number | null;
}

/** Paths rebuilt from the counts alone. */
export interface Trajectories {
  methods: Entry[];
  lines: PathLine[];
}

export interface ReportDocument {
  schema: 4;
  hearsay: string;
  title: string;
  findings: string[];
  dataset: Dataset;
  settings: Settings;
  inputs: { name: string; bytes: number; sha256: string }[];
  warnings: string[];
  goals: Goal[];
  entries: { priors: Entry[]; attacks: AttackEntry[]; decisions: DecisionEntry[]; mechanisms: Entry[]; metrics: MetricEntry[] };
  summary: SummaryRow[];
  cdf: { probabilities: number[]; curves: Series[] };
  hours: { times: string[]; series: Series[] };
  best: BestResponse[];
  /** Number of the one whom the findings are about; null where no attack uses the counts. */
  adversary: number | null;
  adversaries: Adversary[];
  rois: Rois | null;
  defences: Defence[];
  chains: Chain[];
  /** Empty where there are no defences. */
  baselines: Baseline[];
  /** Null where the study did not ask. */
  membership: Membership | null;
  trajectories: Trajectories | null;
  measured: Measured[];
  paper: PaperRow[] | null;
  /** In the studio, where counts are protected; else absent or null. */
  published?: Published | null;
}

/** In the place of a document: the page is to ask a server for one, with this version of what it may ask. */
export interface StudioMark {
  studio: number;
}

export function check_schema<Document extends { schema: number }>(report: Document): Document {
  if (report.schema !== 4) throw new Error(`This page reads documents of schema 4, not ${report.schema}.`);
  return report;
}

/** A mean and its 95% interval. */
export interface Value {
  mean: number;
  low: number;
  high: number;
}

/** A candidate of advice, and what was found of it. */
export interface Priced {
  label: string;
  preset: string | null;
  steps: { name: string; parameter: string }[];
  epsilon: number | null;
  unit: string;
  delta: number | null;
  note: string;
  mae: Value | null;
  own_loss: Value | null;
  own_goal: string;
  own_prior: string;
  membership: Value | null;
  draws: number;
  people: number;
  targets: number;
  trials: number;
  rung: number;
  worse_than: string;
  keeps: boolean;
}

/** What `hearsay advise` found: docs/report-schema.md. */
export interface Advice {
  limits: { own_loss: number | null; membership: number | null; mae: number | null };
  seed: number;
  budget_seconds: number;
  candidates: number;
  rungs: number[];
  unmeasured: number;
  cut_short: boolean;
  priors: string[];
  attacks: string[];
  no_membership: string;
  /** The answer first, what may be published of it last. */
  sentences: string[];
  /** Numbers of the frontier. */
  chosen: number | null;
  nearest: number | null;
  misses: { limit: string; allowed: number; found: number }[];
  impossible: string[];
  steps: string[];
  reasons: string[];
  a_year: string | null;
  command: string;
  command_notes: string[];
  frontier: Priced[];
}

/** A page with advice and nothing else. */
export interface AdviceDocument {
  schema: 4;
  hearsay: string;
  title: string;
  advice: Advice;
}
export type PageDocument = ReportDocument | AdviceDocument | StudioMark;
export const is_advice = (page: PageDocument | null): page is AdviceDocument => page !== null && 'advice' in page && !('findings' in page);
export const is_studio = (page: PageDocument | null): page is StudioMark => page !== null && 'studio' in page;

/** The document inside the page, or null where the page has not been filled. */
export function read_document(): PageDocument | null {
  const text = document.getElementById('hearsay-data')?.textContent ?? 'null';
  const parsed = JSON.parse(text) as PageDocument | null;
  return parsed && !is_studio(parsed) ? check_schema(parsed) : parsed;
}
