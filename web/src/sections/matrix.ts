// SPDX-License-Identifier: Apache-2.0
// The prior x attack matrix of a number of summary.csv.
import type { Heat } from '../charts/heat';
import type { ReportDocument, SummaryRow } from '../document';
import { fraction, percent } from '../lib/format';
import { attack_label, find_entry, in_order, priors_of } from '../lib/model';

export type MatrixMetric = 'loss_mean' | 'improved';

/** Attacks that assign places are compared with the prior read in several ways: one column each. */
function column_of(report: ReportDocument, row: SummaryRow): string {
  const assigned = find_entry(report.entries.decisions, row.decision)?.of_assignments;
  return assigned ? `${row.attack} vs ${row.baseline_decision}` : attack_label(row);
}

export function matrix(report: ReportDocument, goal: string, metric: MatrixMetric): Heat {
  const rows = report.summary.filter((row) => row.goal === goal && row[metric] !== null && row[metric] !== undefined);
  const attacks = in_order(rows.map((row) => row.attack), report.entries.attacks);
  const columns = attacks.flatMap((attack) => [...new Set(rows.filter((row) => row.attack === attack).map((row) => column_of(report, row)))]);
  const priors = priors_of(report, goal);
  const cells = priors.map((prior) => columns.map((column) => rows.find((row) => row.prior === prior && column_of(report, row) === column)));
  return {
    what: metric === 'loss_mean' ? 'mean loss' : 'users affected',
    corner: 'prior',
    rows: priors,
    columns,
    values: cells.map((line) => line.map((row) => row?.[metric] ?? null)),
    detail: (y, x) => {
      const row = cells[y][x];
      return row
        ? [
            { label: 'mean loss', value: percent(row.loss_mean) },
            { label: 'mean loss, not clipped at 0', value: percent(row.loss_signed_mean) },
            { label: 'users affected', value: percent(row.improved) },
            { label: 'mean error', value: fraction(row.error_mean) },
            { label: 'against', value: row.baseline ?? '' },
          ].slice(metric === 'loss_mean' ? 1 : 0)
        : [];
    },
  };
}
