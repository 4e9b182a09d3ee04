/** Holds the JavaScript that the page loads at once to 1.5 × React alone, built in the same run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { findImports } from './find-imports.ts';

const LIMIT = 1.5;
const PAGE = '.out/renderer';
const BARE_PAGE = `
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
createRoot(document.body).render(createElement('p', null, 'Hello'));
`;

/** The scripts that the built index.html names, and all that they import statically. */
function eagerScripts(folder: string): string[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...html.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\.?\/([^"]+\.js)"/g)];
  const queue = named.map(([, path = '']) => path);
  const eager = new Set<string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (eager.has(path)) continue;
    eager.add(path);
    const imports = findImports(path, readFileSync(join(folder, path), 'utf8'));
    for (const { specifier, isLazy } of imports) {
      if (!isLazy) queue.push(posix.join(posix.dirname(path), specifier));
    }
  }
  return [...eager];
}

function gzippedBytes(folder: string): number {
  return eagerScripts(folder)
    .map((path) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length)
    .reduce((total, bytes) => total + bytes, 0);
}

/** Inside the project, so that React is found. */
async function buildBarePage(): Promise<number> {
  const root = mkdtempSync(join(process.cwd(), '.test-bare-page-'));
  try {
    writeFileSync(join(root, 'main.js'), BARE_PAGE);
    writeFileSync(join(root, 'index.html'), '<script type="module" src="/main.js"></script>');
    await build({ root, configFile: false, logLevel: 'error', build: { outDir: 'built' } });
    return gzippedBytes(join(root, 'built'));
  } finally {
    rmSync(root, { recursive: true });
  }
}

const [bare, page] = [await buildBarePage(), gzippedBytes(PAGE)];
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
console.log(
  `Eager JavaScript: ${kilobytes(page)} gzipped, ${(page / bare).toFixed(2)} × React alone ` +
    `(${kilobytes(bare)}); the limit is ${LIMIT} ×.`,
);
process.exitCode = page <= LIMIT * bare ? 0 : 1;
