/** Which redirects are followed: the key and the body of a request stay with the gateway they are for. */
import { headerValue, type ResponseHead } from './response-head.ts';

/**
 * `same-origin`: those that keep method and body, to another path of the same gateway. `any`: the one that
 * sends the request decides where it goes. `spent`: as many as there may be were followed.
 */
export type Redirects = 'none' | 'same-origin' | 'any' | 'spent';

const MAX_REDIRECTS = 5;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const KEEPS_REQUEST = new Set([307, 308]);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** Where a redirect leads, as it was sent; null for any other head. */
export function redirectTarget({ status, headers }: ResponseHead): string | null {
  return isRedirect(status) ? headerValue(headers, 'location') : null;
}

/**
 * Asks at `from`, and then at each URL that `ask` resolves with, until it resolves with an answer. After five
 * redirects `isLast` is true, and a URL is then the result.
 */
export async function fetchFollowingRedirects<Answer>(
  from: URL,
  ask: (url: URL, isLast: boolean) => Promise<Answer | URL>,
): Promise<Answer | URL> {
  let url = from;
  for (let hop = 0; ; hop += 1) {
    const isLast = hop === MAX_REDIRECTS;
    const answer = await ask(url, isLast);
    if (!(answer instanceof URL) || isLast) return answer;
    url = answer;
  }
}

/** The URL to send the same request to; null if the reply is the answer. */
export function sameOriginTarget(url: URL, head: ResponseHead): URL | null {
  const target = KEEPS_REQUEST.has(head.status) ? redirectTarget(head) : null;
  const next = target === null ? null : URL.parse(target, url.href);
  if (next === null || next.origin !== url.origin || next.username !== '') return null;
  next.hash = '';
  return next.href === url.href ? null : next;
}

export function isFollowed(redirects: Redirects, url: URL, head: ResponseHead): boolean {
  switch (redirects) {
    case 'none':
    case 'spent':
      return false;
    case 'same-origin':
      return sameOriginTarget(url, head) !== null;
    case 'any':
      return redirectTarget(head) !== null;
  }
}
