/** Replaces the media routes in an old Electron, and fetches from the services' process. */
import type { MediaRoutes } from '../../electron/media/routes/media-routes.ts';
import { bridge } from './bridge-services.ts';

const PASSED_ON = ['content-type', 'range'];
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export function isMediaUrl(url: string): boolean {
  return /^\/media(?:[/?]|$)/.test(url);
}

export function createMediaRoutes(): MediaRoutes {
  return async ({ method, url, header, body }) => {
    const headers = PASSED_ON.flatMap((name): [string, string][] => {
      const value = header(name);
      return value === null ? [] : [[name, value]];
    });
    const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
    const response = await fetch((bridge?.address ?? '') + url, {
      method,
      headers,
      body: hasBody ? Buffer.from(await body(MAX_BODY_BYTES)) : null,
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: response.body,
    };
  };
}
