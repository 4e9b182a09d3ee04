/** Starts the browser host as a child process that measures itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  type BrowserHostProcess,
  exitOf,
  followHost,
  surroundings,
} from '../e2e/fixtures/browser-host-process.ts';

export interface HostFigures {
  /** Objects and their buffers, after garbage collection. */
  heapBytes: number;
  rssBytes: number;
  /** Event loop delay since the last figures, sampled every millisecond. */
  delay: { p50Ms: number; p99Ms: number; maxMs: number };
  /** CPU share of the main thread, comparable on busy and idle machines. */
  cpuShare: number;
}

export interface StartedHost {
  child: ChildProcess;
  /** Resolves when the host has printed its URL; rejects if it exits first. */
  ready: Promise<BrowserHostProcess>;
  exit: Promise<number | null>;
  figures(): Promise<HostFigures>;
}

/** Allows for a busy machine. */
const START_MS = 60_000;
const entry = join(import.meta.dirname, 'host.ts');

export function startHost(home: string, gatewayUrl: string): StartedHost {
  const child = spawn(process.execPath, ['--expose-gc', entry], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: {
      ...surroundings(),
      GATEHOUSE_HOME: home,
      GATEHOUSE_BASE_URL: gatewayUrl,
      GATEHOUSE_API_KEY: 'sk-torture-0123456789abcdef',
      // Every thread would otherwise compile the same sources.
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.test/compile-cache'),
    },
  });
  const exit = exitOf(child);
  const ready = followHost(child, exit, START_MS);
  // The host may be killed before it is ready.
  ready.catch(() => undefined);
  return {
    child,
    ready,
    exit,
    async figures() {
      const answer = once(child, 'message');
      child.send('figures');
      const [figures]: HostFigures[] = await answer;
      if (figures === undefined) throw new Error('The host measured nothing.');
      return figures;
    },
  };
}
