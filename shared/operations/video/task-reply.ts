/** Reads what a gateway says about a video task, bare or wrapped, in its own words. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { TaskStatus } from '../../run.ts';
import { textOfValue } from '../reply/values.ts';

export interface VideoTaskReply {
  taskId: string | null;
  status: TaskStatus;
  /** As it was sent; empty if there was no status. */
  word: string;
  progress: string | null;
  url: string | null;
  format: string | null;
  metadata: JsonObject | null;
  error: { code: string | null; message: string } | null;
}

/** The interface's four words, and those of gateways in practice whose meaning is clear. */
const WORDS: Record<string, TaskStatus> = {
  queued: 'queued',
  not_start: 'queued',
  submitted: 'queued',
  pending: 'queued',
  in_progress: 'in_progress',
  processing: 'in_progress',
  running: 'in_progress',
  completed: 'completed',
  succeeded: 'completed',
  success: 'completed',
  failed: 'failed',
  failure: 'failed',
};

/** Null where the reply says nothing about a task. Never throws. */
export function readVideoTask(reply: unknown): VideoTaskReply | null {
  if (!isJsonObject(reply)) return null;
  const task = isJsonObject(reply.data) ? { ...reply.data } : reply;
  const taskId = text(task.task_id) ?? text(task.id);
  const word = text(task.status) ?? '';
  if (taskId === null && word === '') return null;
  const status = WORDS[word.toLowerCase()] ?? 'unknown';
  const reason = text(task.fail_reason);
  return {
    taskId,
    status,
    word,
    progress: progressOf(task.progress),
    url: firstUrl(task, status === 'completed' ? reason : null),
    format: text(task.format),
    metadata: isJsonObject(task.metadata) ? task.metadata : null,
    error: status === 'failed' ? errorOf(task, reason) : null,
  };
}

/** Older gateways put the address into `fail_reason`; others nest it in a result. */
function firstUrl(task: JsonObject, fromReason: string | null): string | null {
  const nested = isJsonObject(task.result) ? task.result : isJsonObject(task.data) ? task.data : {};
  const candidates = [
    task.url,
    task.result_url,
    task.video_url,
    nested.url,
    nested.video_url,
    fromReason,
  ];
  for (const candidate of candidates) {
    const url = isJsonObject(candidate ?? null) ? (candidate as JsonObject).url : candidate;
    if (typeof url === 'string' && /^(https?:\/\/|\/)/i.test(url)) return url;
  }
  return null;
}

function errorOf(task: JsonObject, reason: string | null): VideoTaskReply['error'] {
  const { error } = task;
  if (isJsonObject(error)) {
    return {
      code: text(error.code),
      message: text(error.message) ?? reason ?? 'The gateway gave no reason.',
    };
  }
  const message = text(error) ?? reason ?? text(task.message);
  return { code: text(task.code), message: message ?? 'The gateway gave no reason.' };
}

function progressOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return `${value <= 1 ? Math.round(value * 100) : value}%`;
  return text(value);
}

function text(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (typeof value === 'number') return textOfValue(value);
  return null;
}
