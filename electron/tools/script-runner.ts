/** Runs users' JavaScript functions, each on a new thread that is ended if it gets stuck. */
import { Worker } from 'node:worker_threads';
import type { JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { workerUrl } from '../worker-url.ts';
import type { Evaluated, ScriptCall, ScriptLimits } from './evaluate-script.ts';

export type ScriptResult = (
  | { ok: true; result: JsonValue }
  /** `message` is written for the model and the user. */
  | { ok: false; message: string }
) & { console: string[] };

export const scriptLimits: ScriptLimits = {
  timeMs: 5000,
  memoryBytes: 64 * 1024 * 1024,
  resultLength: 1024 * 1024,
  consoleLines: 200,
  consoleLength: 64 * 1024,
};

/** More threads would slow the main process down. */
const MAX_AT_ONCE = 4;
/** Time for the thread to start and to report that the function took too long. */
const GRACE_MS = 3000;
const MAX_HEAP_MB = 128;

export type ScriptRunner = ReturnType<typeof createScriptRunner>;

export function createScriptRunner(limits: ScriptLimits = scriptLimits) {
  const workers = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let active = 0;

  async function enter(): Promise<void> {
    if (active >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else active += 1;
  }

  /** Hands the place to the next call in line. */
  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) active -= 1;
    else next();
  }

  async function evaluate(call: ScriptCall, signal: AbortSignal): Promise<Evaluated> {
    const worker = new Worker(workerUrl('./script-worker.ts', import.meta.url), {
      workerData: call,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    workers.add(worker);
    const { promise, resolve } = Promise.withResolvers<Evaluated>();
    const fail = (message: string) => resolve({ ok: false, message, console: [] });
    const stop = () => fail('Stopped.');
    const timer = setTimeout(() => fail('The function took too long.'), limits.timeMs + GRACE_MS);
    signal.addEventListener('abort', stop);
    worker.once('message', resolve);
    worker.once('error', ({ message }) => fail(`The function ended its thread: ${message}`));
    worker.once('exit', () => fail('The function ended its thread.'));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      workers.delete(worker);
      await worker.terminate();
    }
  }

  return {
    /** Returns what the function returned, or why it failed. Ends early if `signal` aborts. */
    async run({
      code,
      args,
      signal,
    }: {
      code: string;
      args: JsonValue;
      signal: AbortSignal;
    }): Promise<ScriptResult> {
      await enter();
      try {
        if (signal.aborted) return { ok: false, message: 'Stopped.', console: [] };
        const call = { code, args: JSON.stringify(args), now: Date.now(), limits };
        const evaluated = await evaluate(call, signal);
        if (!evaluated.ok) return evaluated;
        const { result, console } = evaluated;
        return { ok: true, result: parseJson(result) ?? null, console };
      } finally {
        leave();
      }
    },

    async close(): Promise<void> {
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}
