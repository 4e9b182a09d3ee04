/** Resolves the URLs of files that the build puts next to or above its code. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';

/** Returns the URL of a worker thread's code; `path` is relative to `from`. */
export function getWorkerUrl(path: string, from: string): URL {
  if (from.endsWith('.ts')) return new URL(path, from);
  return findBuilt(`${basename(path, '.ts')}.js`, from);
}

/** Returns a WebAssembly module's URL: from its package in source, else from the build output. */
export function findWasmUrl(name: string, from: string, resolve: () => string): URL {
  if (from.endsWith('.ts')) return new URL(resolve());
  return findBuilt(name, from);
}

function findBuilt(name: string, from: string): URL {
  const urls = [new URL(`./${name}`, from), new URL(`../${name}`, from)];
  const found = urls.find((url) => existsSync(url));
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}
