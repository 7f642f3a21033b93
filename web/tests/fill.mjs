// SPDX-License-Identifier: Apache-2.0
// Fills the built page with a document, as the program does: node tests/fill.mjs document.json report.html
import { readFileSync, writeFileSync } from 'node:fs';

const [, , from, to] = process.argv;
const placeholder = '<script id="hearsay-data" type="application/json">null</script>';
const escapes = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' };
const page = readFileSync(new URL('../dist/index.html', import.meta.url), 'utf8');
const data = readFileSync(from, 'utf8').replace(/[<>&\u2028\u2029]/g, (c) => escapes[c]);
if (page.split(placeholder).length !== 2) throw new Error('the page does not hold the placeholder exactly once');
writeFileSync(to, page.replace(placeholder, () => placeholder.replace('null', () => data)));
