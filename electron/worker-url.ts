/** Resolves the URL of a worker thread's code. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';

/** `path` is relative to `from`; in the build, worker entries are next to or above the chunk. */
export function workerUrl(path: string, from: string): URL {
  if (from.endsWith('.ts')) return new URL(path, from);
  const name = `${basename(path, '.ts')}.js`;
  const urls = [new URL(`./${name}`, from), new URL(`../${name}`, from)];
  const found = urls.find((url) => existsSync(url));
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}
