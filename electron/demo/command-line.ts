/** The flags of `npm run gateway`. */
import { parseArgs } from 'node:util';

export const USAGE = 'Usage: npm run gateway -- [--port N] [--key K] [--video-seconds N]';

export type CommandLine =
  | { kind: 'start'; port: number; key: string | null; videoSeconds: number | null }
  | { kind: 'help' }
  | { kind: 'wrong'; problem: string };

/** Port 0, the default, takes a free one; without a key one is made. */
export function readCommandLine(args: readonly string[]): CommandLine {
  let values: { port?: string; key?: string; 'video-seconds'?: string; help?: boolean };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        key: { type: 'string' },
        'video-seconds': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { kind: 'wrong', problem: error instanceof Error ? error.message : String(error) };
  }
  if (values.help) return { kind: 'help' };
  const { port = '0', key = null } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return { kind: 'wrong', problem: '--port must be a number from 0 to 65535.' };
  }
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    return { kind: 'wrong', problem: '--key must be printable ASCII without spaces.' };
  }
  const seconds = values['video-seconds'];
  const videoSeconds = seconds === undefined ? null : readVideoSeconds(seconds);
  if (seconds !== undefined && videoSeconds === null) {
    return { kind: 'wrong', problem: '--video-seconds must be a number from 0 to 3600.' };
  }
  return { kind: 'start', port: Number(port), key, videoSeconds };
}

/** Null if it is not a number of seconds. */
export function readVideoSeconds(text: string): number | null {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text) || Number(text) > 3600) return null;
  return Number(text);
}

/** How many times as fast as real time, 1 to 1000; null if it is no such number. */
export function readSpeed(text: string): number | null {
  if (!/^\d{1,4}$/.test(text)) return null;
  const speed = Number(text);
  return speed >= 1 && speed <= 1000 ? speed : null;
}
