// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const placeholder = '<script id="hearsay-data" type="application/json">null</script>';

// Narrows the content-security policy to the one script of the page, and checks what the program relies on.
function seal(): Plugin {
  return {
    name: 'hearsay-seal',
    enforce: 'post',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('no index.html in the bundle');
        const html = String(page.source);
        const scripts = [...html.matchAll(/<script type="module"[^>]*>([\s\S]*?)<\/script>/g)];
        if (scripts.length !== 1) throw new Error(`expected one script, found ${scripts.length}`);
        const hash = createHash('sha256').update(scripts[0][1]).digest('base64');
        page.source = html.replace("script-src 'unsafe-inline'", `script-src 'sha256-${hash}'`);
        if (page.source.split(placeholder).length !== 2) throw new Error('the placeholder of the data is not there exactly once');
        if (page.source.split("connect-src 'none'").length !== 2) throw new Error('the studio cannot open the policy: connect-src is not there exactly once');
        if (!page.source.includes(hash)) throw new Error('the policy was not sealed');
        if (/<(script|link)\b[^>]*\b(src|href)="(?!data:)/.test(page.source)) throw new Error('something was not inlined');
      },
    },
  };
}

// The licences of what ends up in the page, beside it: whoever passes the page on passes these on.
function licences(): Plugin {
  return {
    name: 'hearsay-licences',
    apply: 'build',
    generateBundle() {
      const packages = new Set<string>();
      for (const module of this.getModuleIds()) {
        const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module);
        if (found) packages.add(found[1]);
      }
      const texts = [...packages].sort().map((folder) => {
        const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const files = [folder, join(folder, 'licenses')]
          .filter((place) => existsSync(place))
          .flatMap((place) => readdirSync(place, { withFileTypes: true }).map((file) => ({ file, place })))
          .filter(({ file }) => file.isFile() && /^(licen[cs]e|notice|copying)/i.test(file.name));
        if (files.length === 0) throw new Error(`${name} has no licence to pass on`);
        return `${name} ${version}\n\n${files.map(({ file, place }) => readFileSync(join(place, file.name), 'utf8')).join('\n')}`;
      });
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: texts.join(`\n${'-'.repeat(78)}\n\n`) });
    },
  };
}

export default defineConfig({
  plugins: [svelte(), viteSingleFile({ removeViteModuleLoader: true }), seal(), licences()],
  build: { target: 'es2022', modulePreload: false, reportCompressedSize: false },
});
