// SPDX-License-Identifier: Apache-2.0
// Questions that the sections ask of the document.
import type { Adversary, Baseline, BestResponse, Defence, Entry, Guarantee, Key, Part, ReportDocument, Series, Strategy } from '../document';
import { figure, none, percent, percent0, small, type Cell } from './format';
import { palette, type Theme } from './theme.svelte';

export const same = (a: Key, b: Key): boolean =>
  a.goal === b.goal && a.prior === b.prior && a.attack === b.attack && (a.decision || '') === (b.decision || '');

/** The attack, and the decision where one was taken. */
export const attack_label = (key: Key): string => (key.decision ? `${key.attack}, ${key.decision}` : key.attack);

export const adversary_label = (key: Key): string => `${key.goal}: ${key.prior}, ${attack_label(key)}`;

/** What tells one adversary of a document from the others, and is the same in the next document. */
export type Whom = Pick<Key, 'goal' | 'prior'>;

/** The number of the adversary chosen; where the document has none such, of the one whom the findings are about. */
export function chosen_of(report: ReportDocument, whom: Whom | null): number {
  const found = whom ? report.adversaries.findIndex((one) => one.goal === whom.goal && one.prior === whom.prior) : -1;
  return found < 0 ? (report.adversary ?? 0) : found;
}

/** What the numbers of a document are about. */
export const counts_words = (report: ReportDocument): string => (report.published ? 'the counts as published' : 'the counts');

export const unique = <T>(values: T[]): T[] => [...new Set(values)];

/** The names in use, in the order in which the program lists them. */
export function in_order(names: string[], entries: Entry[]): string[] {
  const place = (name: string) => {
    const index = entries.findIndex((entry) => entry.name === name);
    return index < 0 ? entries.length : index;
  };
  return unique(names).sort((a, b) => place(a) - place(b));
}

export const priors_of = (report: ReportDocument, goal: string): string[] =>
  in_order(report.summary.filter((row) => row.goal === goal).map((row) => row.prior), report.entries.priors);

export function attack_color(report: ReportDocument, attack: string, theme: Theme): string {
  const colors = palette(theme);
  const index = report.entries.attacks.findIndex((entry) => entry.name === attack);
  return colors[Math.max(index, 0) % colors.length];
}

export const find_entry = <T extends Entry>(entries: T[], name: string | null): T | undefined => entries.find((entry) => entry.name === name);

/** The name of the prior itself among the attacks: what losses are measured against. */
export const baseline_name = (report: ReportDocument): string => report.entries.attacks.find((entry) => entry.uses_prior && !entry.uses_release)?.name ?? '';

export const is_baseline = (report: ReportDocument, key: Key): boolean => key.attack === baseline_name(report);

const blind_name = (report: ReportDocument): string | undefined => report.entries.attacks.find((entry) => !entry.uses_prior && !entry.uses_release)?.name;

/** A guess that uses neither prior nor release: a line to measure the others by. */
export const is_blind = (report: ReportDocument, key: { attack: string }): boolean => key.attack === blind_name(report);

export const uses_release = (report: ReportDocument, key: Key): boolean => find_entry(report.entries.attacks, key.attack)?.uses_release ?? true;

/** The readings in use, in the order in which the program lists them; beliefs taken as they are ('') come first. */
export const readings_in_order = (report: ReportDocument, keys: Key[]): string[] =>
  in_order(keys.map((key) => key.decision || ''), [{ name: '' } as Entry, ...report.entries.decisions]);

/** The reading's number among those of one kind that a goal has in use. */
function reading_number(report: ReportDocument, key: Key): number {
  const kind = (name: string | null) => find_entry(report.entries.decisions, name)?.of_assignments ?? false;
  const used = report.summary.filter((row) => row.goal === key.goal && !is_blind(report, row) && kind(row.decision) === kind(key.decision));
  return Math.max(0, readings_in_order(report, used).indexOf(key.decision || ''));
}

const dashes: ('solid' | number[])[] = ['solid', [5, 4], [9, 3, 2, 3]];
const dotted = [1.5, 3];

export const line_type = (report: ReportDocument, key: Key): 'solid' | number[] =>
  is_blind(report, key) ? dotted : dashes[Math.min(reading_number(report, key), dashes.length - 1)];

/** The prior's own errors by epoch that an adversary's are compared with. */
export function baseline_of(report: ReportDocument, her: Adversary): Series | undefined {
  const priors = report.hours.series.filter((s) => s.goal === her.goal && s.prior === her.prior && is_baseline(report, s));
  const reading = report.summary.find((row) => same(row, her) && row.baseline === her.baseline)?.baseline_decision;
  return priors.find((s) => (s.decision || '') === (reading || '')) ?? priors[0];
}

/**
 * The best of the paper's adversaries for this knowledge; null where none of the paper's attacks was tried with it. The paper's guess
 * that ignores the counts is in every study, and is no attack. An attack is the paper's where it cites what the best of them cites.
 */
export function papers_best(report: ReportDocument, best: BestResponse): Strategy | null {
  const cited = find_entry(report.entries.attacks, best.paper?.attack ?? null)?.citation;
  const tried = report.summary.some((row) => row.goal === best.goal && row.prior === best.prior &&
    report.entries.attacks.some((entry) => entry.name === row.attack && entry.uses_release && entry.citation === cited));
  return tried ? best.paper : null;
}

/** The marks of an adversary: the best of the paper's for the same knowledge, and the strongest of all. One may be both. */
export function marks_of(report: ReportDocument, key: Key): string[] {
  const best = report.best.find((one) => one.goal === key.goal && one.prior === key.prior);
  const is = (strategy: Strategy | null | undefined) => !!strategy && same(key, { ...key, attack: strategy.attack, decision: strategy.decision });
  return [...(best && is(papers_best(report, best)) ? ['paper'] : []), ...(is(best?.with) ? ['strongest'] : [])];
}

/** How numbers of a kind are written: in full, on a chart, and where there is little room. */
export interface Words {
  format: (value: Cell) => string;
  label: (value: Cell) => string;
  short: (value: number) => string;
}
/** Differences of errors may be small. */
export const as_part: Words = { format: small, label: small, short: (value) => small(value).replace(/^(-?)0\./, '$1.') };
export const as_share: Words = { format: percent, label: percent0, short: (value) => (100 * value).toFixed(0) };

export const part_words: Record<Part, Words & { title: string; low: string }> = {
  own: { title: 'Own part', low: 'own part', ...as_part },
  loss: { title: "Paper's loss", low: 'loss', ...as_share },
};
/** Whether it is known of everybody what being counted costs, not only of a sample. */
export const own_by_person = (her: Adversary): boolean => her.own !== null && her.own_people === null;

export const part_options: [Part, string][] = [['own', 'what being counted costs (own part)'], ['loss', "the paper's loss"]];

export const defence_label = (defence: { release: string; parameter: string }): string =>
  defence.parameter ? `${defence.release} ${defence.parameter.replaceAll(/,(?=\S)/g, ', ')}` : defence.release;

/** The epsilon of the counts that would be published and, where it differs, that of what the study gave her. */
export function guarantee(defence: Guarantee): string {
  if (defence.epsilon === null || defence.epsilon === undefined) return 'none';
  const with_null = defence.epsilon_with_null;
  const beside = with_null === null || with_null === undefined || figure(with_null) === figure(defence.epsilon) ? '' : ` (${figure(with_null)} with null)`;
  return `epsilon ${figure(defence.epsilon)}${defence.delta ? `, delta ${figure(defence.delta)},` : ''} for ${defence.unit}${beside}`;
}

/** The most that being counted can cost by a guarantee. */
export const bound = (defence: Defence): string => (defence.own_bound === null ? 'none' : `at most ${figure(defence.own_bound)}`);

/** Which baseline a defence is further off than, by MRE or, where not by that, by MAE. */
export function further_off(defence: { worse_than: string; worse_than_mae: string }, baselines: Baseline[]): string {
  const words = (name: string): string => baselines.find((one) => one.release === name)?.words ?? name;
  if (defence.worse_than) return `further off than ${words(defence.worse_than)}`;
  return defence.worse_than_mae ? `by MAE further off than ${words(defence.worse_than_mae)}` : '';
}

/** The parameter that a sweep goes through (epsilon, or the mechanism's last), its value, and what names the rest. */
export function sweep(defence: Defence): { name: string; value: string; family: string } {
  const parts = defence.parameter ? defence.parameter.split(',').map((part) => part.trim().split('=')) : [];
  if (!parts.length) return { name: 'parameter', value: none, family: defence.release };
  const found = parts.findIndex(([name]) => name === 'epsilon');
  const own = parts.filter(([name]) => name !== 'post_process').length;
  const at = found < 0 ? Math.max(own - 1, 0) : found;
  const rest = parts.filter((_, index) => index !== at).map((part) => part.join('='));
  return { name: parts[at][0], value: parts[at][1] ?? none, family: [defence.release, ...rest].join(' ') };
}

/** Whether being counted costs anything that a defence could spare people. */
export const own_matters = (defences: Defence[]): boolean => defences.some((d) => (d.own_raw ?? 0) > 1e-12);

/** What a defence spares people: of what being counted costs, else of the error that the counts took. */
export function spared(defence: Defence): number | null {
  if (own_matters([defence])) return 1 - Math.max(0, defence.own!) / defence.own_raw!;
  return defence.given_back;
}

/** Why there is nothing to judge defences by: the counts take nothing from anybody, or not from those whom defences were tried against. */
export const nothing_spared = (report: ReportDocument): { value: string; why: string } =>
  report.best.some(({ before, with: best }) => before.error - best.error > 1e-12)
    ? { value: 'Not measured', why: 'Defences were tried only against adversaries from whom the counts take no error. From others they take some.' }
    : { value: 'None needed', why: 'The counts took no error from the adversaries tried, so there is nothing to give back.' };

/** Of the defences no less useful than the limit, the one that spares people most; of equal ones the more useful. */
export function best_under(defences: Defence[], limit: number): Defence | undefined {
  const percents = (d: Defence) => Math.round(100 * spared(d)!);
  return defences
    .filter((d) => d.mre !== null && spared(d) !== null && d.mre <= limit)
    .sort((a, b) => percents(b) - percents(a) || a.mre! - b.mre!)[0];
}

/** Those that no other beats on both gain and relative error, by rising error. */
export function pareto_front<T>(items: T[], error: (item: T) => number, gain: (item: T) => number): T[] {
  const sorted = [...items].sort((a, b) => error(a) - error(b) || gain(b) - gain(a));
  let best = -Infinity;
  return sorted.filter((item) => gain(item) > best && ((best = gain(item)), true));
}
