/** The media routes at `app://gatehouse/media`, the page's own scheme and origin. */
import { isMediaUrl, type MediaRoutes } from '../media/routes/media-routes.ts';
import {
  BodyTooLargeError,
  emptyReply,
  IncompleteUploadError,
  type MediaReply,
} from '../media/routes/reply.ts';
import { isPageOrigin } from './page-address.ts';

/** Null if the request is for the page itself. */
export type MediaAnswer = (request: Request, url: URL) => Promise<Response> | null;

export function answerMedia(routes: MediaRoutes): MediaAnswer {
  return (request, url) => (isMediaUrl(url.pathname) ? answer(routes, request, url) : null);
}

async function answer(routes: MediaRoutes, request: Request, url: URL): Promise<Response> {
  const origin = request.headers.get('origin');
  // Only the page can load this scheme; should that ever change, no other page may use it.
  if (origin !== null && !isPageOrigin(origin)) return toResponse(emptyReply(403), false);

  const reply = await routes({
    method: request.method,
    url: url.pathname + url.search,
    header: (name) => request.headers.get(name),
    async body(maxBytes) {
      const bytes = new Uint8Array(
        await request.arrayBuffer().catch(() => {
          throw new IncompleteUploadError();
        }),
      );
      if (bytes.length > maxBytes) throw new BodyTooLargeError();
      return bytes;
    },
  });
  return toResponse(reply, request.method === 'HEAD');
}

function toResponse({ status, headers, body }: MediaReply, headOnly: boolean): Response {
  return new Response(headOnly ? null : body, { status, headers });
}
