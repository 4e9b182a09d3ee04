/** Reads the status, URLs and metadata of a video task from a response. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { referencedMedia } from '../../media.ts';
import type { TaskStatus } from '../../run.ts';
import { readStatusWord } from './status-words.ts';
import {
  findStatus,
  findTaskId,
  findText,
  readError,
  readReason,
  type TaskReason,
  taskLayers,
  textIn,
} from './task-envelope.ts';

export interface VideoTaskResponse {
  taskId: string | null;
  status: TaskStatus;
  word: string;
  progress: string | null;
  /** One URL per video; `media:<id>` if the response contained the bytes. */
  addresses: string[];
  format: string | null;
  metadata: JsonObject | null;
  error: TaskReason | null;
}

/** Returns null if the response doesn't describe a task; never throws. */
export function readVideoTask(document: unknown): VideoTaskResponse | null {
  const response = Array.isArray(document) && document.length === 1 ? document[0] : document;
  if (!isJsonObject(response)) return null;
  const { task, all } = taskLayers(response);
  const taskId = readTaskId(response, task);
  const word = findStatus(task) ?? '';
  const named = readStatusWord(word);
  const isOver = named === 'completed' || named === 'unknown';
  const found = resultAddresses(all, named === 'completed');
  const addresses =
    found.length > 0 || !isOver ? found : otherAddresses(task, all, named === 'completed');
  if (taskId === null && word === '' && addresses.length === 0) return null;
  // A URL means that the task is complete even if its status is unknown.
  const status = named === 'unknown' && addresses.length > 0 ? 'completed' : named;
  return {
    taskId,
    status,
    word,
    progress: readProgress(task, status),
    addresses,
    format: findText(all, ['format']),
    metadata: metadataIn(all)[0] ?? null,
    error: status === 'failed' ? readReason(all) : readError(all),
  };
}

/** Uses the request ID only if the response has no task ID. */
function readTaskId(response: JsonObject, task: readonly JsonObject[]): string | null {
  const bare = textIn(response.data);
  return (
    findTaskId(task) ??
    (bare !== null && !isAddress(bare) ? bare : null) ??
    findText(task, ['request_id', 'requestId'])
  );
}

function metadataIn(layers: readonly JsonObject[]): JsonObject[] {
  return layers.flatMap(({ metadata }) => (isJsonObject(metadata) ? [metadata] : []));
}

/**
 * Older gateways put the URL in `fail_reason`; others put the URL in a finished task's metadata.
 */
function otherAddresses(
  task: readonly JsonObject[],
  all: readonly JsonObject[],
  isCompleted: boolean,
): string[] {
  const texts = [
    findText(task, ['fail_reason']),
    isCompleted ? findText(metadataIn(all), ['url', 'video_url']) : null,
  ];
  const found = texts.find((text) => text !== null && /^(?:https?:\/\/|\/)\S+$/i.test(text));
  return found ? [found] : [];
}

/** Accepts a range from 0 to 1 or to 100; 1 means 1% unless the task is complete. */
function readProgress(task: readonly JsonObject[], status: TaskStatus): string | null {
  const text = findText(task, ['progress', 'percent', 'percentage']);
  const number = text === null ? Number.NaN : Number(text);
  if (text === null || Number.isNaN(number)) return text;
  const isPart = number < 1 || (number === 1 && status === 'completed');
  return `${Math.round(isPart ? number * 100 : number)}%`;
}

/**
 * Lists come first to return every video; the main process also extracts data URLs from these
 * fields.
 */
export const videoPlaces = [
  'videos',
  'urls',
  'video_urls',
  'outputs',
  'data',
  'url',
  'result_url',
  'video_url',
  'videoUrl',
  'download_url',
  'file_url',
  'video',
  'output',
  'result',
  'b64_json',
];
/**
 * Includes unsupported schemes to report them; requires `://` because an ID may contain a colon.
 */
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:\/\/|data:[^,\s]*,)\S+$/i;
const ROOTED = /^\/\S+$/;
/** Matches a relative path, which counts only in URL fields. */
const PATH = /^[\w.~%-]+(?:\/[\w.~%-]+)+(?:\?\S*)?$/;
/** Matches a bare file name, which counts only in URL fields of a finished task. */
const FILE = /^[\w.~%-]+(?:\?\S*)?$/;
const VIDEO_FILE = /^[^\s?]+\.(?:mp4|webm|mov|mkv)(?:\?\S*)?$/i;

/** Returns several URLs if the response lists several videos; inline media are references. */
export function resultAddresses(layers: readonly JsonObject[], isCompleted: boolean): string[] {
  function addresses(value: JsonValue | undefined, place: string): string[] {
    if (typeof value === 'string') {
      const isPath = /url/i.test(place) && (PATH.test(value) || (isCompleted && FILE.test(value)));
      return isPath || isAddress(value) ? [value] : [];
    }
    if (Array.isArray(value)) return value.flatMap((item) => addresses(item, place));
    return isJsonObject(value) && typeof value.url === 'string' ? addresses(value.url, 'url') : [];
  }

  for (const place of videoPlaces) {
    for (const layer of layers) {
      const found = addresses(layer[place], place);
      if (found.length > 0) return [...new Set(found)];
    }
  }
  return [];
}

export function isAddress(text: string): boolean {
  return (
    referencedMedia(text) !== null ||
    SCHEME.test(text) ||
    ROOTED.test(text) ||
    VIDEO_FILE.test(text)
  );
}
