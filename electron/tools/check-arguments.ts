/** Checks the arguments of tool calls against their schemas on a thread. */
import type { JsonObject } from '../../shared/json.ts';
import { parseRounded } from '../../shared/parse-json.ts';
import { workerUrl } from '../worker-url.ts';
import type { Threads } from './threads.ts';

const TIME_MS = 4000;

/** Returns why the arguments don't match; null if they do, or if the schema can't be applied. */
export async function checkArguments(
  threads: Pick<Threads, 'run'>,
  args: JsonObject,
  schema: JsonObject,
  signal: AbortSignal,
): Promise<string | null> {
  if (Object.keys(schema).length === 0) return null;
  // The validator works with ordinary numbers.
  const data = parseRounded(JSON.stringify({ value: args, schema }));
  const url = workerUrl('./check-worker.ts', import.meta.url);
  const answer = await threads.run({ url, data, timeMs: TIME_MS, signal }, isChecked);
  return 'reason' in answer ? null : answer.problem;
}

function isChecked(message: unknown): message is { problem: string | null } {
  return typeof message === 'object' && message !== null && 'problem' in message;
}
