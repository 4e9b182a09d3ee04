/** Finds the code of a worker thread. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * `path` is relative to `from`; in the build, each worker is an entry next to or above the chunk.
 */
export function workerUrl(path: string, from: string): URL {
  if (from.endsWith('.ts')) return new URL(path, from);
  const name = `${basename(path, '.ts')}.js`;
  const urls = [new URL(`./${name}`, from), new URL(`../${name}`, from)];
  const found = urls.find((url) => existsSync(url));
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}
