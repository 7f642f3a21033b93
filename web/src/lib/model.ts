// SPDX-License-Identifier: Apache-2.0
// Questions that the sections ask of the document.
import type { Defence, Entry, Key, ReportDocument, Series } from '../document';
import { figure, none } from './format';
import { palette, type Theme } from './theme.svelte';

export const same = (a: Key, b: Key): boolean =>
  a.goal === b.goal && a.prior === b.prior && a.attack === b.attack && (a.decision || '') === (b.decision || '');

/** The attack, and the decision where one was taken. */
export const attack_label = (key: Key): string => (key.decision ? `${key.attack}, ${key.decision}` : key.attack);

export const adversary_label = (key: Key): string => `${key.goal}: ${key.prior}, ${attack_label(key)}`;

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

/** Of the decisions that read beliefs of one kind, all but the first. */
export function is_dashed(report: ReportDocument, key: Key): boolean {
  const decision = find_entry(report.entries.decisions, key.decision);
  return !!decision && report.entries.decisions.find((other) => other.of_assignments === decision.of_assignments) !== decision;
}

/** The prior's own errors by epoch that an attack's are compared with: read the same way, or the prior's first. */
export function baseline_of(report: ReportDocument, key: Key): Series | undefined {
  const priors = report.hours.series.filter((s) => s.goal === key.goal && s.prior === key.prior && is_baseline(report, s));
  return priors.find((s) => (s.decision || '') === (key.decision || '')) ?? priors[0];
}

export const defence_label = (defence: Defence): string =>
  defence.parameter ? `${defence.release} ${defence.parameter.replaceAll(',', ', ')}` : defence.release;

/** The epsilon of the counts that would be published and, where it differs, that of what the study gave her. */
export function guarantee(defence: Defence): string {
  if (defence.epsilon === null || defence.epsilon === undefined) return 'none';
  const with_null = defence.epsilon_with_null;
  const beside = with_null === null || with_null === undefined || with_null === defence.epsilon ? '' : ` (${figure(with_null)} with null)`;
  return `epsilon ${figure(defence.epsilon)} for ${defence.unit}${beside}`;
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

/** Of the defences no less useful than the limit, the one that gives back most; of equal ones the more useful. */
export function best_under(defences: Defence[], limit: number): Defence | undefined {
  return defences
    .filter((d) => d.mre !== null && d.given_back !== null && d.mre <= limit)
    .sort((a, b) => b.given_back! - a.given_back! || a.mre! - b.mre!)[0];
}

/** Those that no other beats on both gain and relative error, by rising error. */
export function pareto_front<T>(items: T[], error: (item: T) => number, gain: (item: T) => number): T[] {
  const sorted = [...items].sort((a, b) => error(a) - error(b) || gain(b) - gain(a));
  let best = -Infinity;
  return sorted.filter((item) => gain(item) > best && ((best = gain(item)), true));
}
