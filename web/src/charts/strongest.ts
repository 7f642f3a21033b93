// SPDX-License-Identifier: Apache-2.0
// The best of the paper's adversaries and the strongest of all, by what they know.
import type { BestResponse, Strategy } from '../document';
import { fraction, small } from '../lib/format';
import { attack_label } from '../lib/model';
import { without_empty, type Table } from '../lib/table';

const by = (row: BestResponse, of: Strategy | null): string | null => (of ? attack_label({ ...row, attack: of.attack, decision: of.decision }) : null);

/** What the strongest takes off the error of the paper's best. */
const less = ({ paper, with: strongest }: BestResponse): number | null => (paper ? paper.error - strongest.error : null);
/** More than the numbers' last digit. */
const beats = (row: BestResponse): boolean => (less(row) ?? 0) >= 0.00005;

/** The errors come first, because a narrow screen shows no more. Where the paper has nothing to compare with, it has no columns. */
export const strongest_table = (rows: BestResponse[]): Table => without_empty({
  columns: [
    { label: 'prior' }, { label: 'paper', format: fraction }, { label: 'strongest', format: fraction }, { label: 'less', format: small },
    { label: 'without counts', format: fraction }, { label: 'paper by' }, { label: 'strongest by' }, { label: 'without counts by' },
  ],
  rows: rows.map((row) => [
    row.prior, row.paper?.error ?? null, row.with.error, less(row), row.before.error, by(row, row.paper), by(row, row.with), by(row, row.before),
  ]),
});

/** What the numbers come to. */
export function strongest_words(rows: BestResponse[]): string {
  const known = rows.filter((row) => row.paper);
  const equal = known.filter((row) => !beats(row)).map((row) => row.prior);
  const dash = known.length < rows.length ? "A dash: the paper has no such knowledge, or none of its attacks was tried with it. " : '';
  if (!known.length) return '';
  if (!equal.length) return `${dash}The strongest is stronger than the paper's for all knowledge that is the paper's.`;
  return `${dash}Nothing tried beats the paper's ${equal.length === known.length ? 'with any knowledge that is the paper\'s' : `with ${equal.join(', ')}`}.`;
}
