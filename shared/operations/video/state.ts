/** Defines the state of a video run as plain JSON, because patches carry the state to the page. */
import type { JsonObject, JsonValue } from '../../json.ts';
import type { Media } from '../../media.ts';
import type { TaskStatus } from '../../run.ts';

export type VideoState = {
  taskId: string | null;
  /** The gateway's raw link to the status; null if the task ID leads there. */
  pollingUrl: string | null;
  status: TaskStatus | null;
  word: string | null;
  progress: string | null;
  /** Whether the main process polls the task; false after the user stops following. */
  following: boolean;
  /** Both times are milliseconds since the run started. */
  acceptedAtMs: number | null;
  lastPollAtMs: number | null;
  pollCount: number;
  /** The gateway's raw video URLs; inline videos are only in `media`. */
  urls: string[];
  /** Absolute URLs of relative links, known after the first download request. */
  resolved?: Record<string, string>;
  fetchedUrls: string[];
  format: string | null;
  /** Keeps all received values, such as duration and fps. */
  metadata: JsonObject | null;
  error: { code: string | null; message: string } | null;
  reply: JsonValue;
  media: Media[];
  download: { doneBytes: number; totalBytes: number | null } | null;
  /** Warning about the last status; null if the status is known. */
  statusProblem: string | null;
  warnings: string[];
};

/** Returns absolute URLs; a relative link stays relative until its download is requested. */
export function shownUrls({ urls, resolved }: Pick<VideoState, 'urls' | 'resolved'>): string[] {
  return urls.map((url) => resolved?.[url] ?? url);
}

/** Returns true for the address of a task, which identifies a task as well as its ID. */
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
