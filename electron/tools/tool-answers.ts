/** Assembles everything that answers tool calls. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { parseRounded } from '../../shared/parse-json.ts';
import { getWorkerUrl } from '../base/worker-url.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import { type CallAnswers, createCallAnswers } from './answer-call.ts';
import { createScriptRunner } from './script-runner.ts';
import { createServerCalls } from './server-calls.ts';
import { createThreads, type Threads } from './threads.ts';

export interface ToolAnswers extends CallAnswers {
  /** Returns why the value doesn't fit; null if it does, or if the schema can't be applied. */
  checkValue(value: JsonValue, schema: JsonObject, signal: AbortSignal): Promise<string | null>;
  /** Stops scripts and checks. */
  close(): Promise<void>;
}

export function createToolAnswers(mcp: McpServers): ToolAnswers {
  const threads = createThreads();
  const check: ToolAnswers['checkValue'] = (...input) => checkValue(threads, ...input);
  const answers = createCallAnswers({
    scripts: createScriptRunner(threads),
    servers: createServerCalls(mcp),
    checkArguments: check,
    clock: () => performance.now(),
  });
  return { ...answers, checkValue: check, close: () => threads.close() };
}

const TIME_MS = 4000;

async function checkValue(
  threads: Pick<Threads, 'run'>,
  value: JsonValue,
  schema: JsonObject,
  signal: AbortSignal,
): Promise<string | null> {
  if (Object.keys(schema).length === 0) return null;
  // The validator works with ordinary numbers.
  const data = parseRounded(JSON.stringify({ value, schema }));
  const url = getWorkerUrl('./check-worker.ts', import.meta.url);
  const answer = await threads.run({ url, data, timeMs: TIME_MS, signal }, isChecked);
  return 'reason' in answer ? null : answer.problem;
}

function isChecked(message: unknown): message is { problem: string | null } {
  return typeof message === 'object' && message !== null && 'problem' in message;
}
