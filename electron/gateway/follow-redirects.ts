/** Sends a request on to where the gateway redirects it, for runs and for what only reads. */
import type { ExchangeOutcome } from './exchange.ts';
import { isFollowed, MOST_REDIRECTS, type Redirects, sameOriginTarget } from './redirects.ts';
import type { ResponseHead } from './response-head.ts';

type Sent = { head: ResponseHead | null; outcome: ExchangeOutcome };

/**
 * Resolves with the last reply. `send` sends to `url`; which redirects are errors there depends on `redirects`:
 * after five of them, all are.
 */
export async function followRedirects<Reply extends Sent>(
  from: URL,
  redirects: Exclude<Redirects, 'any'>,
  send: (url: URL, redirects: Redirects) => Promise<Reply>,
): Promise<Reply> {
  let url = from;
  for (let hop = 0; ; hop += 1) {
    const followed = hop < MOST_REDIRECTS ? redirects : 'none';
    const reply = await send(url, followed);
    const { head, outcome } = reply;
    if (head === null || !isFollowed(followed, url, head)) return reply;
    const next = outcome.status === 'succeeded' ? sameOriginTarget(url, head) : null;
    if (next === null) return reply;
    url = next;
  }
}
