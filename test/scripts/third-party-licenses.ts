/** Lists the packages that a build bundles and their license texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { z } from 'zod';
import { embedded, mitLicense } from './embedded-licenses.ts';

export const LICENSES_FILE = 'third-party-licenses.txt';

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default('not stated'),
  author: z.union([z.string(), z.object({ name: z.string() })]).optional(),
});

export interface NoticePlugins {
  /** Writes the file next to the bundle. */
  build: Plugin;
  /**
   * Collects packages for `worker.plugins`, because Vite bundles each worker separately, before the
   * build that starts it.
   */
  workers: Plugin;
}

/** Creates the plugins. `also` names packages that ship unbundled. */
export function thirdPartyLicenses(also: string[] = []): NoticePlugins {
  const folders = new Set(also.map((name) => join('node_modules', name)));

  function collect(bundle: Bundle): void {
    for (const file of Object.values(bundle)) {
      // Fonts are assets that CSS refers to, and CSS isn't a module in a chunk.
      const sources = file.type === 'chunk' ? file.moduleIds : file.originalFileNames;
      for (const source of sources) {
        const folder = packageFolder(source);
        // Module paths are absolute; asset paths are relative to the page.
        if (folder !== null) folders.add(folder.slice(folder.indexOf('node_modules/')));
      }
    }
  }

  return {
    build: {
      name: 'third-party-licenses',
      generateBundle(_options, bundle) {
        collect(bundle);
        const source = [...folders]
          .sort()
          .map(describePackage)
          .join(`\n${'-'.repeat(80)}\n\n`);
        this.emitFile({ type: 'asset', fileName: LICENSES_FILE, source });
      },
    },
    workers: {
      name: 'third-party-licenses:workers',
      generateBundle: (_options, bundle) => collect(bundle),
    },
  };
}

type Bundle = Record<
  string,
  { type: 'chunk'; moduleIds: string[] } | { type: 'asset'; originalFileNames: string[] }
>;

/**
 * Returns `…/node_modules/@scope/name` for `…/node_modules/@scope/name/dist/x.js`, or null for our
 * own code.
 */
export function packageFolder(moduleId: string): string | null {
  const path = moduleId.replaceAll('\\', '/').replace(/^\0/, '').replace(/\?.*$/, '');
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null;
}

function describePackage(folder: string): string {
  const { name, version, license, author } = manifestSchema.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0 && license === 'MIT') texts.push(mitLicense(authorName(author) ?? name));
  const inside = (embedded[name] ?? []).flatMap((part) => [
    `${name} contains ${part.name} (${part.license}), ${part.source}`,
    part.text(),
  ]);
  return [`${name} ${version} (${license})`, ...texts, ...inside, ''].join('\n\n');
}

function authorName(author: z.infer<typeof manifestSchema>['author']): string | undefined {
  return typeof author === 'object' ? author.name : author;
}
