/** Reads the status, URLs and metadata of a video task from a response. */
import { getNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { TaskStatus } from '../../run.ts';
import { findResultError, type ResultReason, readResultReason } from '../response/error-reason.ts';
import { readUsage, type Usage } from '../response/usage.ts';
import { findDisplayText, findText } from '../response/values.ts';
import { findDone, findStatus, findTaskId, readTaskLayers } from './task-envelope.ts';
import { readStatusWord } from './task-status.ts';
import { findVideoLinks, isAddress, namesVideo } from './video-links.ts';

export interface VideoTaskResponse {
  taskId: string | null;
  /** The URL that reports the status; null if the ID is enough to get the status. */
  pollingUrl: string | null;
  status: TaskStatus;
  word: string;
  progress: string | null;
  /** One URL per video; `media:<id>` if the response included the bytes. */
  addresses: string[];
  format: string | null;
  metadata: JsonObject | null;
  /** Why the task failed, or the `error` of a task that didn't fail. */
  error: ResultReason | null;
  /** Why the gateway withheld videos; null if it withheld none. */
  withheld: string | null;
  usage: (Usage & JsonObject) | null;
}

/**
 * Returns null if the response doesn't describe a task; never throws. `requestUrl` is the URL that
 * returned the response.
 */
export function readVideoTask(
  document: unknown,
  requestUrl: string | null = null,
): VideoTaskResponse | null {
  const response = Array.isArray(document) && document.length === 1 ? document[0] : document;
  if (!isJsonObject(response)) return null;
  const { task, all } = readTaskLayers(response);
  const { word, named } = readEnd(task, all);
  const scope = named === 'unknown' ? 'over' : named === 'completed' ? 'completed' : 'live';
  const ownUrls = listTaskUrls(requestUrl, readTaskId(response, task));
  const links = findVideoLinks(response, scope, (url) => isSameUrl(url, ownUrls));
  const ownUrl = word === '' ? findOwnUrl(task, links) : null;
  const addresses = ownUrl === null ? links : [];
  const isElsewhere = named === 'completed' && addresses.length === 0;
  const pollingUrl =
    (isElsewhere ? findLink(task, RESULTS) : null) ?? readPollingUrl(task) ?? ownUrl;
  const taskId = readTaskId(response, task) ?? pollingUrl;
  if (taskId === null && word === '' && addresses.length === 0) return null;
  const withheld = findWithheld(response);
  const status = readOutcome(named, addresses, withheld);
  return {
    taskId,
    pollingUrl,
    status,
    word,
    progress: readProgress(task, status),
    addresses,
    format: findText(all, ['format']),
    metadata: listMetadata(all)[0] ?? readSettings(task),
    error: status === 'failed' ? readResultReason(all, withheld) : findResultError(all),
    withheld,
    usage: findUsage(all),
  };
}

function findUsage(layers: readonly JsonObject[]): VideoTaskResponse['usage'] {
  const found = layers.find(({ usage }) => isJsonObject(usage))?.usage;
  return isJsonObject(found) ? readUsage(found) : null;
}

/** A task has the URL of its status, or one below the URL at which it was submitted. */
function listTaskUrls(requestUrl: string | null, taskId: string | null): string[] {
  if (requestUrl === null) return [];
  const url = removeEnd(requestUrl);
  return taskId === null ? [url] : [url, `${url}/${encodeURIComponent(taskId)}`];
}

/** Some gateways return a path in place of the URL. */
function isSameUrl(link: string, urls: readonly string[]): boolean {
  const plain = removeEnd(link);
  const isPath = plain.includes('/') && !/^[a-z][a-z0-9+.-]*:/i.test(plain);
  const path = `/${plain.replace(/^\//, '')}`;
  return urls.some((url) => (isPath ? url.endsWith(path) : url === plain));
}

function removeEnd(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/$/, '');
}

/** An operation has `done` instead of a status: https://google.aip.dev/151 */
function readEnd(
  task: readonly JsonObject[],
  all: readonly JsonObject[],
): { word: string; named: TaskStatus } {
  const word = findStatus(task) ?? '';
  const named = readStatusWord(word);
  const done = findDone(task);
  if (done === null || named === 'completed' || named === 'failed') return { word, named };
  if (!done)
    return named === 'unknown'
      ? { word: word || 'not done', named: 'in_progress' }
      : { word, named };
  const isFailed = findResultError(all) !== null;
  return isFailed
    ? { word: 'failed', named: 'failed' }
    : { word: word || 'done', named: 'completed' };
}

/** A URL means the task is complete, even if the status is unknown. */
function readOutcome(
  named: TaskStatus,
  addresses: readonly string[],
  withheld: string | null,
): TaskStatus {
  if (named === 'unknown' && addresses.length > 0) return 'completed';
  return named === 'completed' && addresses.length === 0 && withheld !== null ? 'failed' : named;
}

const POLLING = ['polling_url', 'pollingUrl', 'poll_url', 'pollUrl', 'status_url', 'statusUrl'];
/** Some gateways report only the status at one URL and the result at another. */
const RESULTS = ['response_url', 'responseUrl'];

function readPollingUrl(task: readonly JsonObject[]): string | null {
  const links = task.flatMap(({ urls }) => (isJsonObject(urls) ? [urls] : []));
  return findLink(task, POLLING) ?? findLink(links, ['get']);
}

/** Returns the only link if it may belong to the task, which has an ID but no status. */
function findOwnUrl(task: readonly JsonObject[], [link, ...others]: string[]): string | null {
  if (link === undefined || others.length > 0 || namesVideo(link)) return null;
  const isPlain = task.some(({ url, uri }) =>
    [findDisplayText(url), findDisplayText(uri)].includes(link),
  );
  return isPlain && findTaskId(task) !== null ? link : null;
}

function findLink(layers: readonly JsonObject[], names: readonly string[]): string | null {
  const found = findText(layers, names);
  return found !== null && /^\S*\/\S+$/.test(found) ? found : null;
}

/** Falls back to the request ID if the response has no task ID. */
function readTaskId(response: JsonObject, task: readonly JsonObject[]): string | null {
  const bare = findDisplayText(response.data);
  return (
    findTaskId(task) ??
    (bare !== null && !isAddress(bare) ? bare : null) ??
    findText(task, ['request_id', 'requestId'])
  );
}

function listMetadata(layers: readonly JsonObject[]): JsonObject[] {
  return layers.flatMap(({ metadata }) => (isJsonObject(metadata) ? [metadata] : []));
}

/** `/v1/videos` reports the settings as `seconds` and `size` next to the status. */
function readSettings(task: readonly JsonObject[]): JsonObject | null {
  const duration = Number(findText(task, ['seconds']) ?? Number.NaN);
  const [, width, height] = /^(\d+)x(\d+)$/.exec(findText(task, ['size']) ?? '') ?? [];
  const settings = {
    ...(duration > 0 && { duration }),
    ...(width !== undefined && { width: Number(width) }),
    ...(height !== undefined && { height: Number(height) }),
  };
  return Object.keys(settings).length > 0 ? settings : null;
}

/** Accepts 0 to 1 or 0 to 100; 1 means 1% unless the task is complete. */
function readProgress(task: readonly JsonObject[], status: TaskStatus): string | null {
  const text = findText(task, ['progress', 'percent', 'percentage']);
  const number = text === null ? Number.NaN : Number(text);
  if (text === null || Number.isNaN(number)) return text;
  const isPart = number < 1 || (number === 1 && status === 'completed');
  return `${Math.round(isPart ? number * 100 : number)}%`;
}

/** Matches names such as `raiMediaFilteredReasons`, `block_reason` and `moderation_message`. */
const REASON =
  /^(?:rai)?(?:media)?(?:filter(?:ed)?|block(?:ed)?|reject(?:ed|ion)?|moderation|safety|refus(?:al|ed)|violation)(?:reason|message|msg|detail)s?$|^refusals?$/;
const COUNT = /^raimediafilteredcount$/;
/** Matches values that mean nothing was withheld. */
const NOTHING = /^(?:|none|null|ok|pass(?:ed)?|safe|\S*unspecified)$/i;
const MAX_DEPTH = 8;

/** Returns null if the response gives no such reason. */
function findWithheld(response: JsonValue): string | null {
  const reasons = new Set<string>();
  let count = 0;

  function search(value: JsonValue, name: string, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (typeof value === 'string') {
      if (REASON.test(name) && !NOTHING.test(value.trim())) reasons.add(value.trim());
    } else if (Array.isArray(value)) {
      for (const item of value) search(item, name, depth + 1);
    } else if (isJsonObject(value)) {
      for (const [field, item] of Object.entries(value)) {
        search(item, field.toLowerCase().replace(/[^a-z]/g, ''), depth + 1);
      }
    } else if (COUNT.test(name)) count = getNumber(value) ?? 0;
  }

  search(response, '', 0);
  if (reasons.size > 0) return [...reasons].join(' ');
  if (count === 0) return null;
  return `The safety filter withheld ${count === 1 ? 'a video' : `${count} videos`}.`;
}
