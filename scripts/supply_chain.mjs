#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// What Hearsay is made of besides itself.
//   supply_chain.mjs sbom BUILD     prints a CycloneDX document
//   supply_chain.mjs table          prints the rows of THIRD_PARTY.md for the page's packages
//   supply_chain.mjs licences BUILD OUT   copies the licences of what the program carries into a folder
//   supply_chain.mjs check BUILD    fails where THIRD_PARTY.md or the SBOM misses something that the build really uses
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [mode, folder, out] = process.argv.slice(2);
const build = folder && resolve(folder);
const run = (program, ...args) => execFileSync(program, args, { encoding: 'utf8', cwd: root, maxBuffer: 1 << 28 });

// Rows of THIRD_PARTY.md: | name | version | licence | what for |
function thirdParties() {
  const parties = new Map();
  for (const line of readFileSync(join(root, 'THIRD_PARTY.md'), 'utf8').split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim());
    if (cells.length < 6 || cells[1] === 'name' || cells[1].startsWith('--')) continue;
    parties.set(cells[1], { name: cells[1], version: cells[2], licence: cells[3], use: cells[4] });
  }
  return parties;
}

function installed() {
  return run('scripts/install', 'list').trim().split('\n').map((line) => line.split(' '));
}

function pagePackages() {
  const lock = JSON.parse(readFileSync(join(root, 'web/package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({ name: path.replace(/^.*node_modules\//, ''), ...entry }));
}

// What python/requirements-*.in ask for, with the checksums of the lock files.
function pythonPackages() {
  const packages = new Map();
  for (const kind of ['test', 'wheel']) {
    const lock = readFileSync(join(root, `python/requirements-${kind}.txt`), 'utf8');
    const asked = readFileSync(join(root, `python/requirements-${kind}.in`), 'utf8').matchAll(/^([\w-]+)==(\S+)$/gm);
    for (const [pin, name, version] of asked) {
      const entry = lock.split(/\n(?=\w)/).find((block) => block.startsWith(pin)) ?? '';
      const hashes = [...entry.matchAll(/sha256:([0-9a-f]{64})/g)].map((match) => match[1]);
      packages.set(pin, { name, version, hashes });
    }
  }
  return [...packages.values()];
}

function debianVersion(name) {
  try {
    return execFileSync('dpkg-query', ['-W', '-f=${Version}', name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

// The Debian packages of files; a folder of /usr may be known to dpkg without it. All in one call: each reads its whole
// database.
function ownersOf(files) {
  const names = (file) => [file, file.replace(/^\/usr/, ''), `/usr${file}`];
  const { stdout } = spawnSync('dpkg', ['-S', ...files.flatMap(names)], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const known = new Map();
  for (const match of stdout.matchAll(/^([^:\s,]+)[^/]*: (\/.*)$/gm)) known.set(match[2], match[1]);
  const owner = (file) => names(file).map((name) => known.get(name)).find(Boolean) ?? '';
  return new Map(files.map((file) => [file, owner(file)]));
}

// Shared libraries of the program and headers of the objects that `mine` picks, as far as they are not ours. The Python module is
// left out: its headers are those of python3-dev, which is listed as what it brings, and of nanobind.
function usedFiles(mine = (object) => !object.startsWith('python/')) {
  const program = join(build, 'hearsay');
  const libraries = [...run('ldd', program).matchAll(/=> (\/\S+)/g)].map((match) => realpathSync(match[1]));
  const headers = new Map();
  // A block for each object: its name, then a line for each file that it was made of.
  for (const block of run('ninja', '-C', build, '-t', 'deps').split(/\n\n/)) {
    if (!mine(block.slice(0, block.indexOf(':')).trim())) continue;
    for (const match of block.matchAll(/^ {4}(\/usr\/\S+)$/gm)) {
      headers.set(match[1].split('/').slice(0, 5).join('/') + match[1].includes('x86_64'), realpathSync(match[1]));
    }
  }
  return [...new Set([...libraries.filter((path) => !path.includes('libduckdb')), ...headers.values()])];
}

function components(owners) {
  const parties = thirdParties();
  const list = [];
  const licences = (name, fallback) => {
    const licence = parties.get(name)?.licence ?? fallback;
    return licence ? [{ expression: licence }] : undefined;
  };
  const debian = new Set(installed().filter(([kind]) => kind === 'deb').map(([, name]) => name));
  for (const name of owners.values()) debian.add(name);
  for (const name of [...debian].filter(Boolean).sort()) {
    const version = debianVersion(name);
    list.push({
      type: 'library',
      name,
      version: version || 'not installed here',
      licenses: licences(name),
      purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?distro=debian-12`,
    });
  }
  for (const [, name, version, sha256] of installed().filter(([kind]) => kind === 'npm')) {
    list.push({
      type: 'library',
      name,
      version,
      licenses: licences(name),
      hashes: [{ alg: 'SHA-256', content: sha256 }],
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    });
  }
  for (const entry of pagePackages()) {
    list.push({
      type: 'library',
      name: entry.name,
      version: entry.version,
      licenses: licences(entry.name, entry.license),
      hashes: [{ alg: 'SHA-512', content: Buffer.from(entry.integrity.slice(7), 'base64').toString('hex') }],
      purl: `pkg:npm/${entry.name.replace('@', '%40')}@${entry.version}`,
    });
  }
  for (const { name, version, hashes } of pythonPackages()) {
    list.push({
      type: 'library',
      name,
      version,
      licenses: licences(name),
      hashes: hashes.map((content) => ({ alg: 'SHA-256', content })),
      purl: `pkg:pypi/${name}@${version}`,
    });
  }
  return list;
}

function check() {
  const parties = thirdParties();
  const problems = [];
  for (const [, name] of installed()) if (!parties.has(name)) problems.push(`${name} is installed and not listed`);
  for (const entry of pagePackages()) {
    if (!entry.integrity?.startsWith('sha512-')) problems.push(`${entry.name} has no checksum in the lock file`);
    const listed = parties.get(entry.name);
    if (!listed) problems.push(`${entry.name} is in the lock file and not listed`);
    else if (!listed.version.split(', ').includes(entry.version)) problems.push(`${entry.name} is listed as ${listed.version}, not ${entry.version}`);
  }
  for (const { name, version, hashes } of pythonPackages()) {
    if (hashes.length === 0) problems.push(`${name} ${version} has no checksum in the lock file`);
    if (parties.get(name)?.version !== version) problems.push(`${name} ${version} is not listed`);
  }
  const owners = ownersOf(usedFiles());
  for (const [file, owner] of owners) {
    if (owner === '') problems.push(`${file} belongs to no package`);
    else if (!parties.has(owner)) problems.push(`${file} is used, and its package ${owner} is not listed`);
  }
  const all = components(owners);
  const names = new Set(all.map((component) => component.name));
  for (const component of all) {
    if (!component.licenses) problems.push(`${component.name} has no licence in the SBOM`);
  }
  const known = new Set([...names, ...parties.keys()]);
  // DuckDB's library has a package for each kind of machine.
  for (const name of known) {
    if (!names.has(name) && !name.startsWith('@duckdb/')) problems.push(`${name} is listed and used by nothing`);
  }
  if (names.size < 60) problems.push(`only ${names.size} components`);
  for (const problem of problems) console.error(`supply chain: ${problem}`);
  console.log(`${names.size} components, ${problems.length} problems`);
  process.exit(problems.length === 0 ? 0 : 1);
}

// What is passed on with the program: the Debian libraries that it loads and the headers that it is compiled from, DuckDB, the
// page's packages. Not what tests and measurements in the same folder use. The C and C++ libraries stay with the system.
function copyLicences() {
  mkdirSync(out, { recursive: true });
  const system = /^(libc6|linux-libc|libgcc|libstdc)/;
  const inputs = new Set(run('ninja', '-C', build, '-t', 'inputs', 'hearsay').split('\n'));
  for (const name of new Set(ownersOf(usedFiles((object) => inputs.has(object))).values())) {
    if (!system.test(name)) copyFileSync(`/usr/share/doc/${name}/copyright`, join(out, `${name}.txt`));
  }
  const [, , version] = installed().find(([, name]) => name === 'duckdb');
  copyFileSync(join(root, `.deps/duckdb-${version}/LICENSE`), join(out, 'duckdb.txt'));
  copyFileSync(join(build, 'generated/page.html.licences'), join(out, 'page.txt'));
}

if (mode === 'licences' && out) {
  copyLicences();
} else if (mode === 'table') {
  const rows = pagePackages().sort((a, b) => (a.name < b.name ? -1 : 1));
  const versions = new Map();
  for (const { name, version } of rows) versions.set(name, (versions.get(name) ?? new Set()).add(version));
  const seen = new Set();
  for (const { name, license, optional } of rows) {
    const use = `page${optional ? ', on some machines' : ''}`;
    if (!seen.has(name)) console.log(`| ${name} | ${[...versions.get(name)].join(', ')} | ${license} | ${use} |`);
    seen.add(name);
  }
} else if (mode === 'check' && existsSync(join(build ?? '', 'hearsay'))) {
  check();
} else if (mode === 'sbom' && existsSync(join(build ?? '', 'hearsay'))) {
  const version = /project\(hearsay VERSION ([0-9.]+)/.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'))[1];
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', name: 'hearsay', version, licenses: [{ expression: 'Apache-2.0' }] },
    },
    components: components(ownersOf(usedFiles())),
  };
  console.log(JSON.stringify(document, null, 2));
} else {
  console.error('usage: supply_chain.mjs sbom BUILD | table | licences BUILD OUT | check BUILD (a folder with a built hearsay)');
  process.exit(2);
}
