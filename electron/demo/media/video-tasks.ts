/** Encodes each video task in its ID, so its status needs only the task's age and its video. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { wholeNumber } from '../../../shared/operations/form/number-fields.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { hash } from '../language/random.ts';
import { runSingle, type VideoPlan } from '../studio/studio.ts';

const size = z.int().positive();
const planSchema = z.object({
  prompt: z.string(),
  width: size,
  height: size,
  durationSeconds: size,
  fps: size,
  seed: z.string(),
  seedNumber: wholeNumber(),
  failure: z.string().nullable(),
});
const taskSchema = z.object({ plan: planSchema, submittedAt: z.int() });

export type TaskPlan = z.infer<typeof planSchema>;

type TaskState =
  | { status: 'queued' | 'in_progress' | 'completed' }
  | { status: 'failed'; message: string };

interface FoundTask {
  plan: TaskPlan;
  state: TaskState;
  submittedAt: number;
  /** Percent; below 100 until the video is rendered. */
  progress: number;
  /** Null if the video isn't a remix or the gateway has restarted. */
  remixedFrom: string | null;
}

export interface VideoTasksOptions {
  now: () => number;
  /** The minimum time from submission to completion. */
  videoSeconds: number;
  renderVideo?: (plan: VideoPlan, signal: AbortSignal) => Promise<Uint8Array>;
  maxCacheBytes?: number;
}

const QUEUED_SHARE = 0.25;

export interface VideoTasks {
  /** Returns the new ID; `remixedFrom` is the ID of the video that this one changes. */
  add(requested: TaskPlan, remixedFrom?: string | null): string;
  /** Also finds tasks from an earlier run of the gateway; returns null if the ID is unknown. */
  find(id: string): FoundTask | null;
  /** Makes the task unknown until the gateway restarts. */
  delete(id: string): void;
  /** Returns the task's video, rendering it again if it was evicted. */
  render(id: string, plan: TaskPlan): Promise<Buffer>;
  /** Stops rendering. */
  close(): void;
}

export function createVideoTasks({
  now,
  videoSeconds,
  renderVideo = (plan, signal) => runSingle({ kind: 'video', plan }, signal),
  maxCacheBytes = 256 * 1024 * 1024,
}: VideoTasksOptions): VideoTasks {
  const closing = new AbortController();
  const videos = new Map<string, { bytes: Promise<Buffer>; sizeBytes: number }>();
  const outcomes = new Map<string, TaskState>();
  const deleted = new Set<string>();
  const sources = new Map<string, string>();
  let last: Promise<unknown> = Promise.resolve();

  function render(id: string, plan: VideoPlan): Promise<Buffer> {
    const known = videos.get(id);
    if (known !== undefined) return known.bytes;
    const bytes = last.then(async () => Buffer.from(await renderVideo(plan, closing.signal)));
    const entry = { bytes, sizeBytes: 0 };
    videos.set(id, entry);
    last = bytes.then(
      ({ length }) => {
        entry.sizeBytes = length;
        outcomes.set(id, { status: 'completed' });
        evictOldest(id);
      },
      (cause: unknown) => {
        videos.delete(id);
        const message = cause instanceof Error ? cause.message : String(cause);
        outcomes.set(id, { status: 'failed', message });
      },
    );
    return bytes;
  }

  function evictOldest(newest: string): void {
    let total = [...videos.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const [id, { sizeBytes }] of videos) {
      if (total <= maxCacheBytes) return;
      if (id === newest || sizeBytes === 0) continue;
      videos.delete(id);
      total -= sizeBytes;
    }
  }

  function getState(id: string, { failure }: TaskPlan, ageMs: number): TaskState {
    if (ageMs < videoSeconds * 1000 * QUEUED_SHARE) return { status: 'queued' };
    if (ageMs < videoSeconds * 1000) return { status: 'in_progress' };
    if (failure !== null) return { status: 'failed', message: failure };
    return outcomes.get(id) ?? { status: 'in_progress' };
  }

  function start(id: string, plan: TaskPlan): void {
    if (plan.failure === null && !outcomes.has(id)) render(id, plan).catch(() => undefined);
  }

  return {
    add(requested: TaskPlan, remixedFrom: string | null = null): string {
      const plan = { ...requested, prompt: shortenPrompt(requested.prompt) };
      const id = writeTaskId({ plan, submittedAt: now() });
      if (remixedFrom !== null) sources.set(id, remixedFrom);
      start(id, plan);
      return id;
    },
    find(id: string): FoundTask | null {
      const task = deleted.has(id) ? null : readTaskId(id);
      if (task === null) return null;
      const { plan, submittedAt } = task;
      start(id, plan);
      const ageMs = now() - submittedAt;
      const state = getState(id, plan, ageMs);
      const share = Math.min(0.99, ageMs / (videoSeconds * 1000));
      const progress = state.status === 'completed' ? 100 : Math.floor(share * 100);
      return { plan, state, submittedAt, progress, remixedFrom: sources.get(id) ?? null };
    },
    delete(id: string): void {
      deleted.add(id);
      videos.delete(id);
    },
    render,
    close: () => closing.abort(),
  };
}

/** Limits the prompt so that IDs stay below 1,500 characters in any script. */
function shortenPrompt(prompt: string): string {
  // Control characters and lone surrogates take six bytes each as JSON escapes.
  return prompt
    .slice(0, 240)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ');
}

function writeTaskId(task: z.infer<typeof taskSchema>): string {
  // The nonce gives identical tasks submitted at the same time different IDs.
  const content = JSON.stringify({ nonce: randomBytes(4).toString('hex'), ...task });
  const text = Buffer.from(content).toString('base64url');
  return `task_${computeChecksum(text)}${text}`;
}

/** Returns null if `writeTaskId` didn't create the ID. */
function readTaskId(id: string): z.infer<typeof taskSchema> | null {
  const [, sum, text = ''] = /^task_([0-9a-f]{8})([\w-]+)$/.exec(id) ?? [];
  if (sum !== computeChecksum(text)) return null;
  const content = parseJson(Buffer.from(text, 'base64url').toString());
  return taskSchema.safeParse(content).data ?? null;
}

function computeChecksum(text: string): string {
  return hash(text).toString(16).padStart(8, '0');
}
