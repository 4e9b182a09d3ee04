import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findImports } from '../../scripts/find-imports.ts';

const PAGE = '.out/renderer';

/** Returns the gzipped kilobytes of scripts that the built page loads before its first render. */
export function measureEagerScripts(): number {
  const bytes = findEagerScripts()
    .map((path) => gzipSync(readFileSync(join(PAGE, path)), { level: 9 }).length)
    .reduce((total, length) => total + length, 0);
  return bytes / 1000;
}

/** Returns the scripts in index.html and their static imports. */
function findEagerScripts(): string[] {
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8');
  const named = [...html.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\.?\/([^"]+\.js)"/g)];
  const queue = named.map(([, path = '']) => path);
  const eager = new Set<string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (eager.has(path)) continue;
    eager.add(path);
    const imports = findImports(path, readFileSync(join(PAGE, path), 'utf8'));
    for (const { specifier, isLazy } of imports) {
      if (!isLazy) queue.push(posix.join(posix.dirname(path), specifier));
    }
  }
  return [...eager];
}
