/** Which host `npm start` tries first. */
import { hasDisplay } from './display.ts';
import type { LaunchOptions } from './options.ts';

export interface HostChoice {
  host: 'desktop' | 'browser';
  /** Why it is not the desktop, in one line; null where nobody would ask. */
  reason: string | null;
}

export function chooseHost(
  asked: LaunchOptions['host'],
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): HostChoice {
  if (asked !== null) return { host: asked, reason: null };
  if (hasDisplay(platform, environment)) return { host: 'desktop', reason: null };
  return {
    host: 'browser',
    reason: 'There is no display here (DISPLAY and WAYLAND_DISPLAY are not set)',
  };
}
