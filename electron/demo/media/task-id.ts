/** Ids of video tasks carry the whole task, so that a gateway started later still knows it. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { JsonNumber } from '../../../shared/exact-number.ts';
import { wholeNumber } from '../../../shared/operations/form/number-schema.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { hash } from '../language/random.ts';
import type { FilmPlan } from '../studio/worker/jobs.ts';

export interface VideoPlan extends FilmPlan {
  /** What the reply's metadata names. */
  seedNumber: JsonNumber;
  /** The task is to end in `failed`, with this to say. */
  failure: string | null;
}

export interface VideoTask {
  plan: VideoPlan;
  /** Unix time in milliseconds. */
  submittedAt: number;
}

/** Keeps ids below 1,500 characters in every script. */
const MAX_PROMPT = 240;
const ID = /^task_([0-9a-f]{8})([\w-]+)$/;

const size = z.int().positive();
const contentSchema = z.tuple([
  z.string(),
  z.int(),
  z.string(),
  size,
  size,
  size,
  size,
  z.string(),
  wholeNumber(),
  z.string().nullable(),
]);

/** The plan as its id can carry it: of a long prompt, the beginning. */
export function planFromTaskId(plan: VideoPlan): VideoPlan {
  // Control characters and halves of pairs would take six bytes each.
  const prompt = plan.prompt
    .slice(0, MAX_PROMPT)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ');
  return { ...plan, prompt };
}

export function writeTaskId({ plan, submittedAt }: VideoTask): string {
  const { prompt, width, height, durationSeconds, fps, seed, seedNumber, failure } = plan;
  const content: z.infer<typeof contentSchema> = [
    // Distinguishes tasks that were submitted alike and at once.
    randomBytes(4).toString('hex'),
    submittedAt,
    prompt,
    width,
    height,
    durationSeconds,
    fps,
    seed,
    seedNumber,
    failure,
  ];
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `task_${checksum(text)}${text}`;
}

/** Null for what `writeTaskId` did not write. */
export function readTaskId(id: string): VideoTask | null {
  const [, sum, text = ''] = ID.exec(id) ?? [];
  if (sum !== checksum(text)) return null;
  const parsed = contentSchema.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) return null;
  const [, submittedAt, prompt, width, height, durationSeconds, fps, seed, seedNumber, failure] =
    parsed.data;
  const plan = { prompt, width, height, durationSeconds, fps, seed, seedNumber, failure };
  return { plan, submittedAt };
}

function checksum(text: string): string {
  return hash(text).toString(16).padStart(8, '0');
}
