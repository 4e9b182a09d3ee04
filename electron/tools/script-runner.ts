/** Runs users' JavaScript functions, each on its own thread. */
import { isJsonObject, type JsonValue } from '../../shared/json.ts';
import { getWorkerUrl } from '../base/worker-url.ts';
import type { Evaluated, ScriptCall, ScriptLimits } from './evaluate-script.ts';
import type { NoAnswer, Threads } from './threads.ts';

/** `message` is written for the model and the user. */
export type ScriptResult = Evaluated & { console: string[] };

export const scriptLimits: ScriptLimits = {
  timeMs: 5000,
  memoryBytes: 64 * 1024 * 1024,
  resultLength: 1024 * 1024,
  consoleLines: 200,
  consoleLength: 64 * 1024,
};

/** Time for the thread to start and to report that the function took too long. */
const GRACE_MS = 3000;

export interface ScriptRunner {
  /** Resolves to the return value or the failure. Ends early if `signal` aborts. */
  run(script: { code: string; args: JsonValue; signal: AbortSignal }): Promise<ScriptResult>;
}

export function createScriptRunner(
  threads: Pick<Threads, 'run'>,
  limits = scriptLimits,
): ScriptRunner {
  return {
    async run({
      code,
      args,
      signal,
    }: {
      code: string;
      args: JsonValue;
      signal: AbortSignal;
    }): Promise<ScriptResult> {
      const lines: string[] = [];
      const data: ScriptCall = { code, args: JSON.stringify(args), now: Date.now(), limits };
      const answer = await threads.run(
        {
          url: getWorkerUrl('./script-worker.ts', import.meta.url),
          data,
          timeMs: limits.timeMs + GRACE_MS,
          signal,
          onMessage: (message) => {
            if (isJsonObject(message) && typeof message.line === 'string') lines.push(message.line);
          },
        },
        isEvaluated,
      );
      if ('reason' in answer)
        return { ok: false, message: describe(answer, limits), console: lines };
      return { ...answer, console: lines };
    },
  };
}

function isEvaluated(message: unknown): message is Evaluated {
  return typeof message === 'object' && message !== null && 'ok' in message;
}

function describe({ reason, message }: NoAnswer, { timeMs }: ScriptLimits): string {
  if (reason === 'late') return `The function ran longer than ${timeMs / 1000} seconds.`;
  return reason === 'stopped' ? message : `The function ended its thread: ${message}`;
}
