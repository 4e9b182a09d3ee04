/** Downloads an image linked in an answer when the user clicks it, without the key or cookies. */
import type { Dispatcher } from 'undici';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { Media } from '../../shared/media.ts';
import { defaultTimeouts } from '../../shared/settings.ts';
import { isLocalAddress } from '../gateway/local-address.ts';
import type { Lease, Network } from '../gateway/network.ts';
import { fetchFollowingRedirects, isRedirect } from '../gateway/response-head.ts';
import { recordTimings } from '../gateway/timing-recorder.ts';
import { createUnreachableError } from '../gateway/transport-errors.ts';
import type { MediaStore } from './media-store.ts';

export interface RemoteImageOptions {
  network: Network;
  media: Pick<MediaStore, 'begin' | 'remove'>;
  signal: AbortSignal;
  maxBytes?: number;
}

const MAX_BYTES = 20 * 1024 * 1024;

/** Throws a `UserFacingError` if the URL doesn't return an image. */
export async function fetchRemoteImage(
  address: string,
  { network, media, signal, maxBytes = MAX_BYTES }: RemoteImageOptions,
): Promise<Media> {
  const image = await fetchFollowingRedirects(requireHttpUrl(address, null), fetchOne);
  if (!(image instanceof URL)) return image;
  throw new UserFacingError(createFileError(`${image.host} redirected too many times.`));

  /** Returns the image or the redirect target. */
  async function fetchOne(at: URL): Promise<Media | URL> {
    const lease = await leaseInTime(at);
    try {
      const response = await lease.client
        .request({
          path: lease.target,
          method: 'GET',
          headers: [...forHost, ...lease.proxyHeaders],
          signal,
        })
        .catch((cause: unknown) => {
          throw new UserFacingError(cut(at, cause, signal));
        });
      const location = response.headers.location;
      if (isRedirect(response.statusCode) && typeof location === 'string') {
        const next = requireHttpUrl(location, at);
        // The user approved only the first URL, so don't let a public page redirect to a local
        // address.
        if (isLocalAddress(next) && !isLocalAddress(at)) {
          throw new UserFacingError(
            createFileError(`${at.host} redirects to your local network, which isn’t allowed.`),
          );
        }
        return next;
      }
      if (response.statusCode !== 200) {
        const message = `${at.host} returned HTTP ${response.statusCode}.`;
        throw new UserFacingError(createFileError(message));
      }
      return await keep(at, response);
    } finally {
      lease.release(false);
    }
  }

  /** Stops waiting if the signal aborts, even during the proxy lookup. */
  async function leaseInTime(at: URL): Promise<Lease> {
    const { probe } = recordTimings(() => performance.now());
    const leasing = network.lease(at, probe, defaultTimeouts.image.connectSeconds);
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    try {
      return await Promise.race([leasing, aborted.promise]);
    } catch (cause) {
      leasing.then(
        (lease) => lease.release(false),
        () => undefined,
      );
      throw new UserFacingError(cut(at, cause, signal));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async function keep(at: URL, response: Dispatcher.ResponseData): Promise<Media> {
    const type = response.headers['content-type'];
    const writer = media.begin({
      name: getName(at),
      declaredType: typeof type === 'string' ? type : null,
    });
    try {
      let received = 0;
      for await (const piece of response.body) {
        const bytes = piece as Buffer;
        received += bytes.byteLength;
        if (received > maxBytes) throw new UserFacingError(createTooLargeError(at, maxBytes));
        await writer.write(bytes);
      }
      const image = await writer.finish();
      if (image.kind === 'image') return image;
      media.remove(image.id);
      throw new UserFacingError(
        createFileError(`${at.host} didn’t return an image (${image.type}).`),
      );
    } catch (cause) {
      await writer.abort();
      throw cause instanceof UserFacingError ? cause : new UserFacingError(cut(at, cause, signal));
    }
  }
}

const forHost = ['Accept', 'image/*', 'User-Agent', 'Gatehouse'];

function requireHttpUrl(address: string, base: URL | null): URL {
  const url = URL.parse(address, base?.href);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) {
    // Remove credentials, which the request would send.
    url.username = '';
    url.password = '';
    return url;
  }
  throw new UserFacingError(
    createFileError(
      base === null
        ? 'Only images at http:// or https:// URLs can be loaded.'
        : `${base.host} redirects to a URL that isn’t http:// or https://.`,
    ),
  );
}

function getName({ pathname }: URL): string | null {
  const name = pathname.split('/').at(-1) ?? '';
  return name === '' ? null : decodeURIComponentSafely(name).slice(0, 200);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function cut(at: URL, cause: unknown, signal: AbortSignal) {
  if (signal.aborted) return createFileError(`${at.host} took too long to send the image.`);
  return {
    ...createUnreachableError(at, cause instanceof Error ? cause : new Error(String(cause))),
    nextStep: 'Open the URL in a browser to see whether it still exists.',
  };
}

function createTooLargeError(at: URL, maxBytes: number) {
  const megabytes = Math.round(maxBytes / 1024 / 1024);
  return createFileError(
    `The image at ${at.host} is larger than ${megabytes} MB and wasn’t loaded.`,
  );
}

function createFileError(message: string) {
  return appError('file', message, 'Open the URL in a browser if you trust it.');
}
