/** Defines the state of a video run as plain JSON, because patches send it to the page. */
import type { JsonObject, JsonValue } from '../../json.ts';
import type { Media } from '../../media.ts';
import type { TaskStatus } from '../../run.ts';
import type { Usage } from '../response/usage.ts';

export type VideoState = {
  taskId: string | null;
  /** The status URL as received; null if the task ID is enough to get the status. */
  pollingUrl: string | null;
  status: TaskStatus | null;
  word: string | null;
  progress: string | null;
  /** Whether the main process polls the task; false once the user stops following it. */
  following: boolean;
  /** Both times are milliseconds since the run started. */
  acceptedAtMs: number | null;
  lastPollAtMs: number | null;
  pollCount: number;
  /** Video URLs as received; inline videos are only in `media`. */
  urls: string[];
  /** The URL of the latest request about the task; undefined until the first request. */
  requestUrl?: string;
  /** Absolute URLs of relative links, known once a download was requested. */
  resolved?: Record<string, string>;
  fetchedUrls: string[];
  format: string | null;
  /** All received values, such as duration and fps. */
  metadata: JsonObject | null;
  error: { code: string | null; message: string } | null;
  usage?: Usage & JsonObject;
  reply: JsonValue;
  media: Media[];
  download: { doneBytes: number; totalBytes: number | null } | null;
  /** A warning about the latest status; null if that status is known. */
  statusProblem: string | null;
  warnings: string[];
};

/** Returns absolute URLs, but keeps a link relative until its download is requested. */
export function getShownUrls({ urls, resolved }: Pick<VideoState, 'urls' | 'resolved'>): string[] {
  return urls.map((url) => resolved?.[url] ?? url);
}

/** Returns true for a task's URL, which identifies the task as its ID would. */
export function isTaskLink(taskId: string): boolean {
  return /^(?:https?:\/\/|\/)\S+$/i.test(taskId);
}

export const emptyVideoState: VideoState = {
  taskId: null,
  pollingUrl: null,
  status: null,
  word: null,
  progress: null,
  following: true,
  acceptedAtMs: null,
  lastPollAtMs: null,
  pollCount: 0,
  urls: [],
  fetchedUrls: [],
  format: null,
  metadata: null,
  error: null,
  reply: null,
  media: [],
  download: null,
  statusProblem: null,
  warnings: [],
};
