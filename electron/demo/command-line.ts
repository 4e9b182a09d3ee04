/** The flags of `npm run gateway`. */
import { parseArgs } from 'node:util';

export const USAGE = 'Usage: npm run gateway -- [--port N] [--key K]';

export type CommandLine =
  | { kind: 'start'; port: number; key: string | null }
  | { kind: 'help' }
  | { kind: 'wrong'; problem: string };

/** Port 0, the default, takes a free one; without a key one is made. */
export function readCommandLine(args: readonly string[]): CommandLine {
  let values: { port?: string; key?: string; help?: boolean };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        key: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { kind: 'wrong', problem: error instanceof Error ? error.message : String(error) };
  }
  if (values.help) return { kind: 'help' };
  const { port = '0', key = null } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return { kind: 'wrong', problem: '--port takes a number from 0 to 65535.' };
  }
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    return { kind: 'wrong', problem: '--key takes visible ASCII characters without spaces.' };
  }
  return { kind: 'start', port: Number(port), key };
}
