/** Starts the browser host as a child process that measures itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  type BrowserHostProcess,
  exitOf,
  followHost,
  getCleanEnvironment,
} from '../e2e/fixtures/browser-host-process.ts';

export interface HostFigures {
  /** Objects and their buffers after garbage collection. */
  heapBytes: number;
  rssBytes: number;
  /** Event loop delay since the last call, sampled every millisecond. */
  delay: { p50Ms: number; p99Ms: number; maxMs: number };
  /** The main thread's CPU share, which is comparable on busy and idle machines. */
  cpuShare: number;
}

export interface StartedHost {
  child: ChildProcess;
  /** Resolves when the host has printed its URL. Rejects if it exits first. */
  ready: Promise<BrowserHostProcess>;
  exit: Promise<number | null>;
  figures(): Promise<HostFigures>;
}

/** Leaves time for a busy machine. */
const START_MS = 300_000;
const entry = join(import.meta.dirname, 'host.ts');

export function startHost(home: string, gatewayUrl: string): StartedHost {
  const child = spawn(process.execPath, ['--expose-gc', entry], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: {
      ...getCleanEnvironment(),
      GATEHOUSE_HOME: home,
      GATEHOUSE_BASE_URL: gatewayUrl,
      GATEHOUSE_API_KEY: 'sk-torture-0123456789abcdef',
      // Share the cache; otherwise, every thread compiles the same sources.
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.test/compile-cache'),
    },
  });
  const exit = exitOf(child);
  const ready = followHost(child, exit, START_MS);
  // The test may kill the host before it is ready.
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
