/** Parses the flags of `npm start`, `npm run dev` and the browser version, and selects the host. */
import { parseArgs } from 'node:util';

/** The desktop app has the same flag. */
export const SELF_CHECK_FLAG = '--self-check';

export interface LaunchOptions {
  host: 'desktop' | 'browser' | null;
  /** 0 means a free port; null means the default port, or a free port if it is in use. */
  port: number | null;
  opensBrowser: boolean;
  checksItself: boolean;
}

export const usage = `Usage: npm start -- [--browser | --desktop] [--port N] [--no-open] [--self-check]

  --browser     open Gatehouse in your browser
  --desktop     open the desktop app, even if no display is found
  --port N      port for --browser; 0 picks a free port
  --no-open     don’t open a browser
  --self-check  run diagnostics and print a JSON report
`;

export function parseOptions(args: string[]): LaunchOptions | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        browser: { type: 'boolean' },
        desktop: { type: 'boolean' },
        port: { type: 'string' },
        'no-open': { type: 'boolean' },
        'self-check': { type: 'boolean' },
      },
    });
    if (values.browser && values.desktop) return 'Choose either --browser or --desktop.';
    const port = values.port === undefined ? null : parsePort(values.port);
    if (port === undefined) return `--port must be a number from 0 to 65535, not "${values.port}".`;
    return {
      host: values.browser ? 'browser' : values.desktop ? 'desktop' : null,
      port,
      opensBrowser: !values['no-open'],
      checksItself: values['self-check'] ?? false,
    };
  } catch (error) {
    return error instanceof Error ? getFirstSentence(error.message) : String(error);
  }
}

function parsePort(text: string): number | undefined {
  const port = Number(text);
  return /^\d+$/.test(text) && port <= 65_535 ? port : undefined;
}

/** Removes Node's advice about `--`, which doesn't apply to npm. */
function getFirstSentence(message: string): string {
  return message.replace(/\. .*$/s, '.').replace(/([^.])$/, '$1.');
}

interface HostChoice {
  host: 'desktop' | 'browser';
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
    reason: 'No display was found (DISPLAY and WAYLAND_DISPLAY aren’t set)',
  };
}

export function hasDisplay(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}
