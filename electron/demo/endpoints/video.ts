/** `POST /v1/video/generations` and the polls and the film that follow. */
import { videoRequestSchema } from '../../../shared/operations/video-request.ts';
import { asJsonObject, checkRequest } from '../http/check-request.ts';
import { type DemoExchange, sendBytes, sendJson } from '../http/exchange.ts';
import { DemoFailure, invalidRequest, modelNotFound } from '../http/failure.ts';
import { readJson } from '../http/read-body.ts';
import { hash } from '../language/random.ts';
import { encodeAvi } from '../media/avi.ts';
import { filmGatehouse } from '../media/clip.ts';
import type { TaskStatus, VideoPlan } from '../media/task-list.ts';
import { videoModels } from '../models.ts';

/** A prompt with this word makes a task that ends in `failed`. */
const FAIL_WORD = '[fail]';

export async function submitVideo({ request, response, state }: DemoExchange): Promise<void> {
  const asked = checkRequest(videoRequestSchema, asJsonObject(await readJson(request)));
  if (!videoModels.includes(asked.model)) throw modelNotFound(asked.model, videoModels);
  const taskId = state.tasks.add({
    prompt: asked.prompt,
    width: within('width', asked.width ?? 640, 16, 1920),
    height: within('height', asked.height ?? 360, 16, 1920),
    durationSeconds: within('duration', asked.duration ?? 4, 1, 15),
    fps: within('fps', asked.fps ?? 12, 1, 30),
    seed: asked.seed ?? hash(asked.prompt) % 1_000_000,
    fails: asked.prompt.includes(FAIL_WORD),
  });
  within('n', asked.n ?? 1, 1, 1);
  sendJson(response, 200, { task_id: taskId, status: 'queued' });
}

export async function answerVideoStatus(exchange: DemoExchange): Promise<void> {
  const { plan, status } = findTask(exchange);
  const { durationSeconds: duration, fps, width, height, seed } = plan;
  const taskId = exchange.parameter;
  sendJson(exchange.response, 200, {
    task_id: taskId,
    status,
    ...(status === 'completed' && {
      url: `${exchange.state.baseUrl()}/v1/video/generations/${taskId}/content`,
      format: 'avi',
      metadata: { duration, fps, width, height, seed },
    }),
    ...(status === 'failed' && {
      error: { code: 500, message: `The prompt asked for a failure with ${FAIL_WORD}.` },
    }),
  });
}

export async function sendVideo(exchange: DemoExchange): Promise<void> {
  const { plan, status } = findTask(exchange);
  if (status !== 'completed') throw notFound('The video is not completed.');
  sendBytes(exchange.response, 200, 'video/x-msvideo', encodeAvi(filmGatehouse(plan)));
}

function findTask({ parameter, state }: DemoExchange): { plan: VideoPlan; status: TaskStatus } {
  const task = state.tasks.find(parameter);
  if (task === null) throw notFound('No video task has this id.');
  return task;
}

function notFound(message: string): DemoFailure {
  return new DemoFailure(404, message, {
    type: 'invalid_request_error',
    param: 'task_id',
    code: 'task_not_exist',
  });
}

function within(field: string, value: number, minimum: number, maximum: number): number {
  if (value >= minimum && value <= maximum) return value;
  const range = minimum === maximum ? `only ${minimum}` : `${minimum} to ${maximum}`;
  throw invalidRequest(`${field}: demo-video takes ${range}.`, field);
}
