/** Implements `POST /v1/video/generations`, status polling and the download. */
import type { JsonNumber } from '../../../shared/exact-number.ts';
import {
  getVideoRequestSchema,
  type VideoRequest,
} from '../../../shared/operations/video/request.ts';
import { type DemoExchange, sendJson, sendRange } from '../exchange.ts';
import { hash } from '../language/random.ts';
import type { TaskPlan } from '../media/video-tasks.ts';
import { videoModels } from '../models.ts';
import {
  checkRequest,
  createInvalidRequest,
  DemoError,
  findModel,
  readJsonObject,
} from '../requests.ts';

const FAIL_WORD = /\bfail/i;
/** The encoder takes about 30 seconds for this many pixels. */
const MAX_PIXELS = 1920 * 1080 * 30 * 15;

export async function submitVideo({ request, response, state }: DemoExchange): Promise<void> {
  const body = checkRequest(getVideoRequestSchema(), await readJsonObject(request));
  findModel(videoModels, body.model);
  within('n', body.n, 1, 1, 1);
  const images = [body.image ?? '', body.last_frame ?? '', ...(body.images ?? [])];
  const taskId = state.tasks.add(planVideo({ ...body, images }));
  sendJson(response, 200, { task_id: taskId, status: 'queued' });
}

export interface RequestedVideo extends Pick<VideoRequest, 'width' | 'height' | 'duration'> {
  prompt?: string | undefined;
  fps?: VideoRequest['fps'];
  seed?: VideoRequest['seed'];
  /** Strings that identify the images. */
  images: readonly string[];
}

/** Throws a 400 if the video is larger than the demo gateway can render. */
export function planVideo({ prompt = '', images, ...requested }: RequestedVideo): TaskPlan {
  const width = requireEven('width', within('width', requested.width, 1280, 16, 1920));
  const height = requireEven('height', within('height', requested.height, 720, 16, 1920));
  const durationSeconds = within('duration', requested.duration, 5, 1, 60);
  const fps = within('fps', requested.fps, 24, 1, 60);
  if (width * height * fps * durationSeconds > MAX_PIXELS) {
    throw createInvalidRequest(
      'duration: This video is too large for demo-video. Request a shorter or smaller one.',
      'duration',
    );
  }
  const seedNumber = requested.seed ?? hash(prompt) % 1_000_000;
  return {
    prompt,
    width,
    height,
    durationSeconds,
    fps,
    // The task ID omits the images and the end of a long prompt, so include both in the seed.
    seed: `${seedNumber} ${hash([prompt, ...images].join(' '))}`,
    seedNumber,
    failure: FAIL_WORD.test(prompt) ? 'Simulated failure: the prompt contains “fail”.' : null,
  };
}

export async function answerVideoStatus(exchange: DemoExchange): Promise<void> {
  const { plan, state } = findTask(exchange);
  const { durationSeconds: duration, fps, width, height, seedNumber: seed } = plan;
  const taskId = exchange.parameter;
  sendJson(exchange.response, 200, {
    task_id: taskId,
    status: state.status,
    ...(state.status === 'completed' && {
      url: `${exchange.state.baseUrl()}/v1/video/generations/${taskId}/content`,
      format: 'mp4',
      metadata: { duration, fps, width, height, seed },
    }),
    ...(state.status === 'failed' && { error: { code: 500, message: state.message } }),
  });
}

export async function sendVideo(exchange: DemoExchange): Promise<void> {
  const { plan, state } = findTask(exchange);
  if (state.status !== 'completed') throw createNotFoundError('The video is not ready.');
  sendRange(exchange, 'video/mp4', await exchange.state.tasks.render(exchange.parameter, plan));
}

function findTask({ parameter, state }: DemoExchange) {
  const task = state.tasks.find(parameter);
  if (task === null) throw createNotFoundError('No video task has this ID.');
  return task;
}

function createNotFoundError(message: string): DemoError {
  return new DemoError(404, message, {
    type: 'invalid_request_error',
    param: 'task_id',
    code: 'task_not_exist',
  });
}

function within(
  field: string,
  requested: JsonNumber | undefined,
  defaultValue: number,
  minimum: number,
  maximum: number,
): number {
  const value = requested === undefined ? defaultValue : Number(requested);
  if (value >= minimum && value <= maximum) return value;
  const range = minimum === maximum ? `only ${minimum}` : `${minimum} to ${maximum}`;
  throw createInvalidRequest(`${field}: demo-video supports ${range}.`, field);
}

/** H.264 stores color at half resolution, so dimensions must be even. */
function requireEven(field: string, value: number): number {
  if (value % 2 === 0) return value;
  throw createInvalidRequest(`${field}: demo-video requires even dimensions.`, field);
}
