/** Finds the built page's files at startup, so that no other path can be served. */
import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { securityHeaders } from './security-headers.ts';

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

export interface PageFile {
  path: string;
  headers: Record<string, string | number>;
}

/** Returns files by URL path, including `/` and `/index.html`. */
export function findPageFiles(folder: string): Map<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const [urlPath, path] of walkFiles(folder, '/')) {
    files.set(urlPath, {
      path,
      headers: {
        ...securityHeaders,
        'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
        'content-length': statSync(path).size,
        // Vite puts a content hash in the names under assets/.
        'cache-control': urlPath.startsWith('/assets/')
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
      },
    });
  }
  const index = files.get('/index.html');
  if (index !== undefined) files.set('/', index);
  return files;
}

/** The packaged page's archive doesn't support `recursive`. */
function* walkFiles(folder: string, urlPath: string): Generator<[urlPath: string, path: string]> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walkFiles(path, `${urlPath}${entry.name}/`);
    else if (entry.isFile()) yield [`${urlPath}${entry.name}`, path];
  }
}
