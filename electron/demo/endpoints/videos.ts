/** Implements `/v1/videos`: create, status, content and its variants, remix and delete. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { type DemoExchange, sendJson, sendRange } from '../exchange.ts';
import { hash } from '../language/random.ts';
import type { TaskPlan } from '../media/video-tasks.ts';
import { videoModels } from '../models.ts';
import { readForm } from '../multipart.ts';
import {
  checkRequest,
  createInvalidRequest,
  DemoError,
  findModel,
  readJsonObject,
} from '../requests.ts';
import { runSingle } from '../studio/studio.ts';
import { planVideo } from './video.ts';

const seconds = z.union([z.string(), z.int()]).transform(Number).optional();
const urlSchema = z.object({ url: z.string() });
const partSchema = z.object({ type: z.literal('image_url'), image_url: urlSchema });

const createSchema = z.object({
  model: z.string('model: Name a model.').default('demo-video'),
  prompt: z.string('prompt: Send a prompt.').min(1, 'prompt: Send a prompt.'),
  seconds,
  size: z
    .string()
    .regex(/^\d+x\d+$/, 'Use WIDTHxHEIGHT, such as 1280x720.')
    .optional(),
  fps: seconds,
  seed: seconds,
  input_reference: z
    .union([z.object({ image_url: z.string() }), z.object({ file_id: z.string() }), z.string()])
    .optional(),
  frame_images: z
    .array(partSchema.extend({ frame_type: z.enum(['first_frame', 'last_frame']) }))
    .optional(),
  input_references: z.array(partSchema).optional(),
});

export async function createVideo(exchange: DemoExchange): Promise<void> {
  const body = checkRequest(createSchema, await readBody(exchange));
  findModel(videoModels, body.model);
  const [width = 720, height = 1280] = body.size?.split('x').map(Number) ?? [];
  const images = [body.input_reference, body.frame_images, body.input_references].flatMap((sent) =>
    sent === undefined ? [] : [JSON.stringify(sent)],
  );
  const { prompt, seconds: duration = 4, fps, seed } = body;
  add(exchange, planVideo({ prompt, width, height, duration, fps, seed, images }), null);
}

/** A remix keeps the size and length of its video, and changes the rest. */
export async function remixVideo(exchange: DemoExchange): Promise<void> {
  const { plan, state } = findTask(exchange);
  const { prompt } = checkRequest(createSchema.pick({ prompt: true }), await readBody(exchange));
  if (state.status !== 'completed')
    throw createInvalidRequest('The video is not finished.', 'video_id');
  const { width, height, durationSeconds: duration, fps } = plan;
  const next = planVideo({ prompt, width, height, duration, fps, images: [plan.seed] });
  add(exchange, next, exchange.parameter);
}

export async function answerVideo(exchange: DemoExchange): Promise<void> {
  sendJson(exchange.response, 200, encodeTask(exchange, exchange.parameter));
}

export async function deleteVideo(exchange: DemoExchange): Promise<void> {
  const { state } = findTask(exchange);
  if (state.status !== 'completed' && state.status !== 'failed') {
    throw createInvalidRequest('Only a completed or failed video can be deleted.', 'video_id');
  }
  exchange.state.tasks.delete(exchange.parameter);
  const id = exchange.parameter;
  sendJson(exchange.response, 200, { id, object: 'video.deleted', deleted: true });
}

export async function sendVideoContent(exchange: DemoExchange): Promise<void> {
  const { plan, state } = findTask(exchange);
  if (state.status !== 'completed') throw createNotFoundError('The video is not ready.');
  const { searchParams } = new URL(exchange.request.url ?? '/', 'http://localhost');
  const variant = searchParams.get('variant') ?? 'video';
  switch (variant) {
    case 'video':
      return sendRange(
        exchange,
        'video/mp4',
        await exchange.state.tasks.render(exchange.parameter, plan),
      );
    case 'thumbnail':
    case 'spritesheet': {
      const image = await runSingle({ kind: 'still', plan, variant }, exchange.signal);
      return sendRange(exchange, 'image/png', Buffer.from(image));
    }
    default:
      throw createInvalidRequest('variant: Use video, thumbnail or spritesheet.', 'variant');
  }
}

function add(exchange: DemoExchange, plan: TaskPlan, remixedFrom: string | null): void {
  const id = exchange.state.tasks.add(plan, remixedFrom);
  sendJson(exchange.response, 200, encodeTask(exchange, id));
}

/** https://developers.openai.com/api/reference/resources/videos */
function encodeTask(exchange: DemoExchange, id: string): JsonObject {
  const task = findTask({ ...exchange, parameter: id });
  const { plan, state, submittedAt, progress } = task;
  const created = Math.floor(submittedAt / 1000);
  const isDone = state.status === 'completed';
  const done = created + plan.durationSeconds;
  return {
    id,
    object: 'video',
    model: 'demo-video',
    status: state.status,
    progress,
    created_at: created,
    completed_at: isDone ? done : null,
    expires_at: isDone ? done + 86_400 : null,
    prompt: plan.prompt,
    remixed_from_video_id: task.remixedFrom,
    seconds: String(plan.durationSeconds),
    size: `${plan.width}x${plan.height}`,
    error:
      state.status === 'failed'
        ? { code: 'video_generation_failed', message: state.message }
        : null,
  };
}

/** Clients send JSON, or a form if the request has a file. */
async function readBody({ request }: DemoExchange): Promise<JsonObject> {
  if (!/^multipart\//i.test(request.headers['content-type'] ?? '')) return readJsonObject(request);
  const form = await readForm(request, ['input_reference']);
  try {
    const fields = form.fields.map(([name, text]) => {
      const json = parseJson(text);
      return [name, isJsonObject(json) || Array.isArray(json) ? json : text] as const;
    });
    const files = form.files.map(
      ({ field, path }) => [field, `${hash(readFileSync(path, 'latin1'))}`] as const,
    );
    return Object.fromEntries([...fields, ...files]);
  } finally {
    await form.dispose();
  }
}

function findTask({ parameter, state }: DemoExchange) {
  const task = state.tasks.find(parameter);
  if (task === null) throw createNotFoundError(`No video has the ID “${parameter.slice(0, 40)}”.`);
  return task;
}

function createNotFoundError(message: string): DemoError {
  return new DemoError(404, message, { type: 'invalid_request_error', param: 'video_id' });
}
