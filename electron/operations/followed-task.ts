/** The request of a run that follows a task somebody submitted before: it names the task and sends nothing. */
import { AppFailure, appError } from '../../shared/errors.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { previewLine } from '../../shared/operations/reply/preview.ts';
import type { ParsedRequest } from './any-operation.ts';

export function followedTask(request: JsonObject): string | null {
  const id = request.task_id;
  return typeof id === 'string' && id.trim() !== '' ? id.trim() : null;
}

/** What else stands in it says what the task was asked for. Null for a request that names no task. */
export function parseFollowedTask(request: JsonObject): ParsedRequest | null {
  if (!('task_id' in request)) return null;
  const taskId = followedTask(request);
  if (taskId === null) throw new AppFailure(noTaskNamed);
  return {
    model: textOf(request.model),
    preview: previewLine(textOf(request.prompt) || `Task ${taskId}`),
    request,
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

const noTaskNamed = appError(
  'invalid-request',
  'The id of the task is missing.',
  'Enter the id that the gateway gave for the task.',
  { fields: [{ path: ['task_id'], message: 'Enter the id of a task.' }] },
);
