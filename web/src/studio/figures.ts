// SPDX-License-Identifier: Apache-2.0
// The figures of an answer, and what two answers differ in.
import { average_of } from '../charts/counted';
import type { Adversary, MembershipLine, ReportDocument } from '../document';
import { figure, fraction, points, small, type Cell } from '../lib/format';
import { chosen_of, guarantee, type Whom } from '../lib/model';
import { measures, share } from '../lib/published';
import type { Table } from '../lib/table';
import type { Answer, Catalogue } from './catalogue';
import { words_of } from './words';

export interface Figure {
  label: string;
  value: number | null;
  format: (value: Cell) => string;
}

export const her_of = (report: ReportDocument, whom: Whom | null): Adversary | undefined => report.adversaries[chosen_of(report, whom)];

/** How well the best attack tells, with each knowledge, at the largest group that does not overstate it. */
function told(report: ReportDocument): Figure[] {
  const { membership } = report;
  if (!membership?.lines.length) return [];
  const average = average_of(membership);
  const knowing = (line: MembershipLine) => `${line.knows}; ${line.knows_of_others}`;
  const points = membership.lines.flatMap((line) => line.points.filter((point) => !point.near_all && point.auc[average] !== null).map((point) => ({ line, point })));
  const group = Math.max(...points.map(({ point }) => point.group));
  const knowledges = [...new Set(points.map(({ line }) => knowing(line)))];
  return knowledges.map((knows) => ({
    label: `membership AUC in groups of ${group}, knowing ${knows}`,
    value: Math.max(...points.filter(({ line, point }) => point.group === group && knowing(line) === knows).map(({ point }) => point.auc[average]!)),
    format: fraction,
  }));
}

/** An epsilon says for whom it is, and is not to be compared with that of another unit or delta. */
function promised({ published }: ReportDocument): Figure[] {
  if (!published) return [];
  const { epsilon, unit, delta } = published;
  return [{ label: `epsilon for ${unit}${delta ? `, delta ${figure(delta)}` : ''}`, value: epsilon, format: figure }];
}

function figures_of(report: ReportDocument): Figure[] {
  const errors = report.adversaries.flatMap((her) => {
    const whose = `${her.goal}, ${her.prior}`;
    return [
      { label: `${whose}: error without the counts`, value: her.before, format: fraction },
      { label: `${whose}: error with counts without the person`, value: her.without, format: fraction },
      { label: `${whose}: error with the counts`, value: her.with, format: fraction },
      { label: `${whose}: own part`, value: her.own, format: small },
    ];
  });
  // Counts as they are have lost nothing.
  const lost = measures.filter(({ key }) => ['mae', 'mre', 'top10_overlap', 'rank_correlation', 'published'].includes(key))
    .map(({ key, label, format }) => ({ label, format, value: report.published ? report.published[key] : key === 'mae' || key === 'mre' ? 0 : 1 }));
  return [...errors, ...told(report), ...lost, ...promised(report)].filter(({ value }) => value !== null);
}

/** The column of differences. */
const change = 3;

/** Figures of two answers beside each other. */
export function compared(pinned: ReportDocument, present: ReportDocument): Table {
  const [left, right] = [figures_of(pinned), figures_of(present)];
  const labels = [...new Set([...left, ...right].map(({ label }) => label))];
  const rows = labels.map((label): Cell[] => {
    const [from, to] = [left, right].map((all) => all.find((one) => one.label === label)?.value ?? null);
    return [label, from, to, from === null || to === null ? null : to - from];
  });
  return {
    columns: [{ label: 'figure', wordy: true }, ...['pinned', 'now', 'change'].map((label) => ({ label, format: figure }))],
    rows,
    row_formats: labels.map((label) => {
      const { format } = [...left, ...right].find((one) => one.label === label)!;
      return format === share ? (value: Cell, column: number) => (column === change ? points(value) : share(value)) : format;
    }),
  };
}

const said = (catalogue: Catalogue, { settings, report: { published } }: Answer): [string, string][] =>
  [...words_of(catalogue, settings), ['guarantee', published ? guarantee(published) : 'none']];

/** Settings, and what they promise, that are not the same: what, pinned, now. */
export function differing(catalogue: Catalogue, pinned: Answer, present: Answer): [string, string, string][] {
  const now = said(catalogue, present);
  return said(catalogue, pinned).map(([what, then], i): [string, string, string] => [what, then, now[i][1]]).filter(([, then, today]) => then !== today);
}
