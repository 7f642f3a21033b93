// SPDX-License-Identifier: Apache-2.0
// What the page has to say about a document, in its order.
import type { ReportDocument } from '../document';
import { capital } from './format';

/** Defences are judged by the errors of adversaries. A live document is about one of them, or none. */
export const has_defences = (report: ReportDocument, live: boolean): boolean => !live && (report.goals.length > 0 || report.chains.length > 0);

/** Ids and names of the sections. */
export function sections_of(report: ReportDocument, live = false): [string, string][] {
  const named = (goals: { name: string }[]) => goals.map(({ name }): [string, string] => [name, capital(name)]);
  const all: [string, string, unknown?][] = [
    ['answer', 'The answer'],
    ['published', 'What is published', report.published],
    ['settings', 'Settings'],
    ...named(report.goals),
    ...(report.adversaries.length ? [['when', 'When'], ['where', 'Where'], ['who', 'Who']] as [string, string][] : []),
    ['membership', 'Were you counted?', report.membership],
    ['paths', 'Paths', report.trajectories],
    ['defences', 'Defences', has_defences(report, live)],
    ...named(report.measured),
    ['paper', 'Paper beside here', report.paper],
  ];
  return all.filter((one) => one.length < 3 || one[2]).map(([id, name]) => [id, name]);
}
