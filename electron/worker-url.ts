/** Where the code of a thread lies. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * `path` is relative to the source of `from`, a module's own URL. In the build each thread is its own entry, beside
 * the chunk that starts it or above it.
 */
export function workerUrl(path: string, from: string): URL {
  if (from.endsWith('.ts')) return new URL(path, from);
  const name = `${basename(path, '.ts')}.js`;
  const urls = [new URL(`./${name}`, from), new URL(`../${name}`, from)];
  const found = urls.find((url) => existsSync(url));
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}
