/** Sends a request on to where the gateway redirects it, for runs and for what only reads. */
import type { ExchangeOutcome } from './exchange.ts';
import {
  fetchFollowingRedirects,
  isFollowed,
  type Redirects,
  sameOriginTarget,
} from './redirects.ts';
import type { ResponseHead } from './response-head.ts';

type Sent = { head: ResponseHead | null; outcome: ExchangeOutcome };

/**
 * Resolves with the last reply. `send` sends to `url`; which redirects are errors there depends on `redirects`:
 * after five of them, all are.
 */
export async function followRedirects<Reply extends Sent>(
  from: URL,
  redirects: Exclude<Redirects, 'any' | 'spent'>,
  send: (url: URL, redirects: Redirects) => Promise<Reply>,
): Promise<Reply> {
  const reply = await fetchFollowingRedirects<Reply>(from, async (url, isLast) => {
    const followed = isLast ? 'spent' : redirects;
    const sent = await send(url, followed);
    const { head, outcome } = sent;
    if (head === null || !isFollowed(followed, url, head)) return sent;
    return (outcome.status === 'succeeded' ? sameOriginTarget(url, head) : null) ?? sent;
  });
  if (reply instanceof URL) throw new Error('A redirect was followed that is none here');
  return reply;
}
