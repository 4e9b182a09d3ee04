/** The state of a video run. It is plain JSON because it reaches the page as patches. */
import type { JsonObject, JsonValue } from '../../json.ts';
import type { Media } from '../../media.ts';
import type { TaskStatus } from '../../run.ts';

export type VideoState = {
  /** Null until the task was accepted. */
  taskId: string | null;
  status: TaskStatus | null;
  /** The status as the gateway last wrote it. */
  word: string | null;
  /** As the gateway wrote it (`30%`); null if it says nothing. */
  progress: string | null;
  /** Whether main polls the task; false once the user stopped following. */
  following: boolean;
  /** Milliseconds since the run's start: when the task was accepted, and when the last poll's reply arrived. */
  acceptedAtMs: number | null;
  lastPollAtMs: number | null;
  pollCount: number;
  /** Where the videos can be fetched, as the gateway wrote it; one that was part of the reply is in the media. */
  urls: string[];
  /** The whole address of a relative link, once it was asked for; missing if there is none. */
  resolved?: Record<string, string>;
  /** The links whose files are in the media. */
  fetchedUrls: string[];
  format: string | null;
  /** duration, fps, width, height, seed and whatever else was received. */
  metadata: JsonObject | null;
  /** The error in the last response, whatever its status. */
  error: { code: string | null; message: string } | null;
  reply: JsonValue;
  media: Media[];
  download: { doneBytes: number; totalBytes: number | null } | null;
  /** A warning about the last status; null if the status is known. */
  statusProblem: string | null;
  warnings: string[];
};

/** The links as they can be opened: a relative one stays so until it was asked for. */
export function shownUrls({ urls, resolved }: Pick<VideoState, 'urls' | 'resolved'>): string[] {
  return urls.map((url) => resolved?.[url] ?? url);
}

export const emptyVideoState: VideoState = {
  taskId: null,
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
