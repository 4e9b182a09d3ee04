/** The browser host as a child process, and what it measures of itself. */
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
  /** After collections: objects and the buffers that they hold. */
  heapBytes: number;
  rssBytes: number;
  /** How late the event loop was since the last figures; 1 ms is not a delay. */
  delay: { p50Ms: number; p99Ms: number; maxMs: number };
  /** How much of that time main's thread computed: also on a busy machine what an idle one would take. */
  cpuShare: number;
}

export interface StartedHost {
  child: ChildProcess;
  /** Resolves when it has printed its address; rejects where it ends before. */
  ready: Promise<BrowserHostProcess>;
  exit: Promise<number | null>;
  figures(): Promise<HostFigures>;
}

/** A machine with other work takes a while. */
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
      // Every start would compile the same sources for each of its threads.
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.test/compile-cache'),
    },
  });
  const exit = exitOf(child);
  const ready = followHost(child, exit, START_MS);
  // Killed before it was ready.
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
