/** Tracks the tool calls that MCP servers are working on, with their progress and log messages. */
import { z } from 'zod';
import type { JsonObject } from '../../shared/json.ts';
import type { McpProgress, RunningCall } from '../../shared/mcp-activity.ts';
import { cleanOutput } from './server-log.ts';

const MAX_LINES = 20;
const MAX_LINE_LENGTH = 500;
const MAX_LEVEL_LENGTH = 20;

type Call = Omit<RunningCall, 'progress' | 'lines'>;

export interface RunningCalls {
  add(call: Call): void;
  /** Reads a notification of the call; ignores those that say nothing to the user. */
  notify(callId: string, method: string, params: JsonObject): void;
  remove(callId: string): void;
  find(callId: string): RunningCall | null;
  list(): RunningCall[];
}

const progressSchema = z.object({
  progress: z.number(),
  total: z.number().nullish().catch(null),
  message: z.string().nullish().catch(null),
});
const lineSchema = z.object({ level: z.string().catch('info'), data: z.unknown() });

export function createRunningCalls(options: {
  redact: (text: string) => string;
  onChange: () => void;
}): RunningCalls {
  const { redact, onChange } = options;
  const calls = new Map<string, RunningCall>();
  let lineCount = 0;

  const clean = (text: string) => redact(cleanOutput(text)).slice(0, MAX_LINE_LENGTH);

  function readProgress(params: JsonObject): McpProgress | null {
    const { data } = progressSchema.safeParse(params);
    if (data === undefined) return null;
    const { progress, total = null, message = null } = data;
    return { done: progress, total, message: message && clean(message) };
  }

  function addLine(call: RunningCall, params: JsonObject): void {
    const { level, data } = lineSchema.parse(params);
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
    const shownLevel = cleanOutput(level).slice(0, MAX_LEVEL_LENGTH);
    lineCount += 1;
    call.lines.push({ number: lineCount, level: shownLevel, text: clean(text) });
    if (call.lines.length > MAX_LINES) call.lines.shift();
  }

  return {
    add(call) {
      calls.set(call.callId, { ...call, progress: null, lines: [] });
      onChange();
    },

    notify(callId, method, params) {
      const call = calls.get(callId);
      if (call === undefined) return;
      switch (method) {
        case 'notifications/progress':
          call.progress = readProgress(params) ?? call.progress;
          onChange();
          break;
        case 'notifications/message':
          addLine(call, params);
          onChange();
          break;
      }
    },

    remove(callId) {
      if (calls.delete(callId)) onChange();
    },

    find: (callId) => calls.get(callId) ?? null,
    list: () => [...calls.values()],
  };
}
