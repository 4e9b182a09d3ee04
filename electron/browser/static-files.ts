/** Serves the built page. */
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { findPageFiles } from '../page/page-files.ts';
import { sendRefusal } from './plain-pages.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export function createStaticFiles(folder: string): RequestHandler {
  const files = findPageFiles(folder);

  return (request, response) => {
    // Kept as it was sent: the name of a known file needs no decoding.
    const file = files.get((request.url ?? '/').replace(/[?#].*$/s, ''));
    if (file === undefined) {
      sendRefusal(response, 404, 'There is nothing at this address.');
      return;
    }
    response.writeHead(200, file.headers);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    // The head is sent: where the file or the browser fails, all that is left is to break off.
    pipeline(createReadStream(file.path), response, () => undefined);
  };
}
