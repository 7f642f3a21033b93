// SPDX-License-Identifier: Apache-2.0
// The prior x attack matrix of a number of summary.csv.
import type { Heat } from '../charts/heat';
import type { ReportDocument, SummaryRow } from '../document';
import { fraction, percent } from '../lib/format';
import { as_part, as_share, attack_label, find_entry, in_order, is_blind, priors_of, readings_in_order, unique, type Words } from '../lib/model';

export type MatrixMetric = 'own_mean' | 'counted' | 'loss_mean' | 'improved';

interface About {
  /** The name of the switch, of a value, and of the chart. */
  label: string;
  what: string;
  title: string;
  caption: string;
  words: Words;
}
export const metrics: Record<MatrixMetric, About> = {
  own_mean: {
    label: 'Own part', what: 'own part', title: 'What being counted costs', words: as_part,
    caption: 'Her mean error with counts that leave each person out less that with the counts',
  },
  counted: {
    label: 'People it matters to', what: 'people it matters to', title: 'People to whom being counted matters', words: as_share,
    caption: 'The share of people about whom she is less wrong because they are counted',
  },
  loss_mean: {
    label: "Paper's mean loss", what: 'mean loss', title: 'Mean privacy loss', words: as_share,
    caption: "The paper's measure: the share of the error that the counts took off the prior, averaged over users",
  },
  improved: {
    label: 'Users affected', what: 'users affected', title: 'Users affected', words: as_share,
    caption: 'The share of users about whom she is less wrong with the counts than without',
  },
};
const is_own = (metric: MatrixMetric): boolean => metric === 'own_mean' || metric === 'counted';

/** Attacks that assign places are compared with the prior read in several ways: one column each. */
function column_of(report: ReportDocument, row: SummaryRow, metric: MatrixMetric): string {
  const assigned = find_entry(report.entries.decisions, row.decision)?.of_assignments;
  return assigned && !is_own(metric) ? `${row.attack} vs ${row.baseline_decision}` : attack_label(row);
}

/** What a reader has to know of its columns and blanks. */
export function matrix_note(report: ReportDocument, goal: string, metric: MatrixMetric, heat: Heat): string {
  const otherwise = (row: SummaryRow) => column_of(report, row, metric) === attack_label(row) && (row.decision || '') !== (row.baseline_decision || '');
  const rows = report.summary.filter((row) => row.goal === goal && row[metric] !== null && row.baseline && !is_blind(report, row));
  return [
    heat.columns.some((column) => column.includes(' vs ')) ? ' "vs" names how the prior was read for the comparison.' : '',
    !is_own(metric) && rows.some(otherwise) ? ' A prior that has no such reading was read as it can be.' : '',
    heat.values.flat().includes(null) ? ' A blank was not tried with that knowledge, or not compared.' : '',
  ].join('');
}

/** What uses neither prior nor counts takes nothing from anybody, and is not in it. */
export function matrix(report: ReportDocument, goal: string, metric: MatrixMetric): Heat {
  const rows = report.summary.filter((row) => row.goal === goal && row[metric] !== null && row.baseline && !is_blind(report, row));
  const attacks = in_order(rows.map((row) => row.attack), report.entries.attacks);
  // As listed, whichever prior comes first and lacks a reading.
  const readings = readings_in_order(report, rows);
  const compared = in_order(rows.map((row) => row.baseline_decision || ''), report.entries.decisions);
  const place = (row: SummaryRow) => readings.indexOf(row.decision || '') * compared.length + compared.indexOf(row.baseline_decision || '');
  const columns = attacks.flatMap((attack) => unique(rows.filter((row) => row.attack === attack).sort((a, b) => place(a) - place(b)).map((row) => column_of(report, row, metric))));
  const priors = priors_of(report, goal);
  const cells = priors.map((prior) => columns.map((column) => rows.find((row) => row.prior === prior && column_of(report, row, metric) === column)));
  return {
    what: metrics[metric].what,
    words: metrics[metric].words,
    corner: 'prior',
    rows: priors,
    columns,
    values: cells.map((line) => line.map((row) => row?.[metric] ?? null)),
    detail: (y, x) => {
      const row = cells[y][x];
      if (!row) return [];
      const own: [MatrixMetric | null, string, string][] = row.own_mean === null ? [] : [
        [null, 'error with counts without the person', fraction(row.without_mean)],
        ['own_mean', 'own part', as_part.format(row.own_mean)],
        ...(row.counted === null ? [] : [['counted', 'people it matters to', percent(row.counted)] as ['counted', string, string]]),
        [null, 'mean loss without the person', percent(row.loss_without_mean)],
      ];
      const all: [MatrixMetric | null, string, string][] = [
        ['loss_mean', 'mean loss', percent(row.loss_mean)],
        [null, 'mean loss, not clipped at 0', percent(row.loss_signed_mean)],
        ['improved', 'users affected', percent(row.improved)],
        [null, 'mean error', fraction(row.error_mean)],
        ...(row.active_mean === null ? [] : [[null, 'the same while a person is somewhere', fraction(row.active_mean)] as [null, string, string]]),
        ...own,
        [null, 'against', row.baseline ?? ''],
      ];
      return all.filter(([name]) => name !== metric).map(([, label, value]) => ({ label, value }));
    },
  };
}
