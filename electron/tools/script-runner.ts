/** Runs users' JavaScript functions, each on its own thread. */
import type { JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { workerUrl } from '../worker-url.ts';
import type { Evaluated, ScriptLimits } from './evaluate-script.ts';
import type { NoAnswer, Threads } from './threads.ts';

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

/** Time for the thread to start and to report that the function took too long. */
const GRACE_MS = 3000;

export type ScriptRunner = ReturnType<typeof createScriptRunner>;

export function createScriptRunner(threads: Pick<Threads, 'run'>, limits = scriptLimits) {
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
      const data = { code, args: JSON.stringify(args), now: Date.now(), limits };
      const url = workerUrl('./script-worker.ts', import.meta.url);
      const timeMs = limits.timeMs + GRACE_MS;
      const answer = await threads.run({ url, data, timeMs, signal }, isEvaluated);
      if ('reason' in answer) return { ok: false, message: describe(answer), console: [] };
      if (!answer.ok) return answer;
      return { ok: true, result: parseJson(answer.result) ?? null, console: answer.console };
    },
  };
}

function isEvaluated(message: unknown): message is Evaluated {
  return typeof message === 'object' && message !== null && 'ok' in message;
}

function describe({ reason, message }: NoAnswer): string {
  if (reason === 'late') return 'The function took too long.';
  return reason === 'stopped' ? message : `The function ended its thread: ${message}`;
}
