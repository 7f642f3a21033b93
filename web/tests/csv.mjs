// SPDX-License-Identifier: Apache-2.0
/** Rows of a CSV with a header, as objects of text. */
export function parse_csv(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  const [head, ...body] = rows.filter((row) => row.length > 1 || (row[0] ?? '') !== '');
  return body.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}
