/** Serves the built page. Only files found at the start are known, so no path can climb out. */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { sendRefusal } from './plain-pages.ts';
import { securityHeaders } from './security-headers.ts';

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

interface StaticFile {
  path: string;
  headers: Record<string, string | number>;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export function createStaticFiles(folder: string): RequestHandler {
  const files = findFiles(folder);
  const index = files.get('/index.html');
  if (index !== undefined) files.set('/', index);

  return (request, response) => {
    const file = files.get(pathOf(request.url));
    if (file === undefined) {
      sendRefusal(response, 404, 'There is nothing at this address.');
      return;
    }
    response.writeHead(200, { ...securityHeaders, ...file.headers });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    createReadStream(file.path)
      // The head is sent: all that is left is to break off.
      .on('error', () => response.destroy())
      .pipe(response);
  };
}

function findFiles(folder: string): Map<string, StaticFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = new Map<string, StaticFile>();
  for (const name of names) {
    const path = join(folder, name);
    const stat = statSync(path);
    if (!stat.isFile()) continue;
    const urlPath = `/${name.replaceAll('\\', '/')}`;
    files.set(urlPath, {
      path,
      headers: {
        'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
        'content-length': stat.size,
        // Vite names everything under assets/ by its content.
        'cache-control': urlPath.startsWith('/assets/')
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
      },
    });
  }
  return files;
}

/** Without query; kept as it was sent, since a known file needs no decoding. */
function pathOf(url = '/'): string {
  return url.replace(/[?#].*$/s, '');
}
