/** Names what a build bundles, with the license texts that must go along with it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';

export const LICENSES_FILE = 'third-party-licenses.txt';

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default('not stated'),
});

/** Emits the file beside the bundle. `also`: packages that are shipped without being bundled. */
export function thirdPartyLicenses(also: string[] = []): Plugin {
  return {
    name: 'third-party-licenses',
    generateBundle(_options, bundle) {
      const folders = new Set(also.map((name) => join('node_modules', name)));
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const folder = packageFolder(id);
          if (folder !== null) folders.add(folder);
        }
      }
      const source = [...folders]
        .sort()
        .map(describePackage)
        .join(`\n${'-'.repeat(80)}\n\n`);
      this.emitFile({ type: 'asset', fileName: LICENSES_FILE, source });
    },
  };
}

/** `…/node_modules/@scope/name/dist/x.js` → `…/node_modules/@scope/name`; null for our own code. */
export function packageFolder(moduleId: string): string | null {
  const path = moduleId.replaceAll('\\', '/').replace(/^\0/, '').replace(/\?.*$/, '');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null;
}

function describePackage(folder: string): string {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return `${folder.replace(/^.*node_modules\//, '')}\n`;
  const { name, version, license } = manifestSchema.parse(
    JSON.parse(readFileSync(manifest, 'utf8')),
  );
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}
