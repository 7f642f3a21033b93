// SPDX-License-Identifier: Apache-2.0
// replace_once.mjs FILE OLD NEW: replaces the one place where OLD stands; fails where it stands nowhere or twice.
import { readFileSync, writeFileSync } from 'node:fs';

const [file, before, after] = process.argv.slice(2);
const pieces = readFileSync(file, 'utf8').split(before);
if (pieces.length !== 2) {
  console.error(`${file}: "${before}" is there ${pieces.length - 1} times`);
  process.exit(1);
}
writeFileSync(file, pieces.join(after));
