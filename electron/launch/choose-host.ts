/** Which host `npm start` tries first. */
import type { LaunchOptions } from './options.ts';

export interface HostChoice {
  host: 'desktop' | 'browser';
  /** Why it is not the desktop, in one line; null where it was chosen. */
  reason: string | null;
}

export function chooseHost(
  chosen: LaunchOptions['host'],
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): HostChoice {
  if (chosen !== null) return { host: chosen, reason: null };
  if (hasDisplay(platform, environment)) return { host: 'desktop', reason: null };
  return {
    host: 'browser',
    reason: 'There is no display here (DISPLAY and WAYLAND_DISPLAY are not set)',
  };
}

/** Whether a window could be shown here. */
export function hasDisplay(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}
