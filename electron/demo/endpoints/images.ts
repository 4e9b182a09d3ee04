/** Implements `POST /v1/images/generations` and `/v1/images/edits`, and serves images by URL. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { JsonObject } from '../../../shared/json.ts';
import { imagesParameters } from '../../../shared/operations/image/request.ts';
import { type DemoExchange, openEventStream, sendJson, sendRange } from '../exchange.ts';
import { countTokens, shorten } from '../language/answer.ts';
import { inspectFile } from '../media/inspect-media.ts';
import { imageModels } from '../models.ts';
import { type ReceivedFile, readForm } from '../multipart.ts';
import {
  checkRequest,
  createInvalidRequest,
  DemoError,
  findModel,
  readJsonObject,
  withoutNulls,
} from '../requests.ts';
import { type ImageEdit, runSingle } from '../studio/studio.ts';

const requestSchema = z.object({
  model: z.string('Choose a model.').min(1, 'Choose a model.'),
  prompt: z.string('Send a prompt.').min(1, 'Send a prompt.'),
  ...imagesParameters,
});
type Request = z.infer<typeof requestSchema>;

const MAX_IMAGES = 10;
const MAX_KEPT = 32;
const INPUT_IMAGE_TOKENS = 258;
/** The gateway counts a token for this many pixels. */
const PIXELS_PER_TOKEN = 1024;
const BLOCKED_WORD = /\bblocked\b/i;

interface Job {
  request: Request;
  /** Seeds the image, so that equal requests get the same one. */
  body: JsonObject;
  event: 'image_generation' | 'image_edit';
  edit?: ImageEdit;
  inputs: { width: number; height: number }[];
}

export async function generateImages(exchange: DemoExchange): Promise<void> {
  const body = withoutNulls(await readJsonObject(exchange.request));
  const request = checkRequest(requestSchema, body);
  await answer(exchange, { request, body, event: 'image_generation', inputs: [] });
}

export async function editImages(exchange: DemoExchange): Promise<void> {
  const form = await readForm(exchange.request, ['image', 'image[]', 'mask']);
  try {
    const body = readTextFields(form.fields);
    const request = checkRequest(requestSchema, body);
    const images = form.files.filter(({ field }) => field !== 'mask');
    const mask = form.files.find(({ field }) => field === 'mask') ?? null;
    const [first] = images;
    if (first === undefined) throw createInvalidRequest('image: Send an image to edit.', 'image');
    const inputs = await Promise.all(images.map((file) => measureImage(file, exchange.signal)));
    if (mask !== null) await checkMask(mask, inputs[0], exchange.signal);
    const edit = { imagePath: first.path, maskPath: mask?.path ?? null };
    await answer(exchange, { request, body, event: 'image_edit', edit, inputs });
  } finally {
    await form.dispose();
  }
}

export async function sendImage(exchange: DemoExchange): Promise<void> {
  const bytes = exchange.state.images.get(exchange.parameter);
  if (bytes === undefined) {
    throw new DemoError(404, 'This image has expired.', {
      type: 'invalid_request_error',
      code: 'not_found',
    });
  }
  sendRange(exchange, 'image/png', bytes);
}

async function answer(exchange: DemoExchange, job: Job): Promise<void> {
  const { request, event, inputs } = job;
  const { response, signal, state } = exchange;
  const { n, prompt, stream, partial_images: partials, response_format: format } = request;
  const model = findModel(imageModels, request.model);
  const size = checkOptions(request, inputs[0]);
  if (BLOCKED_WORD.test(prompt)) {
    const message = 'Your request was rejected by the safety system (simulated).';
    throw createInvalidRequest(message, 'prompt', 'moderation_blocked');
  }
  const usage = countUsage(job, size);
  const facts = {
    background: 'opaque',
    output_format: 'png',
    quality: request.quality ?? 'medium',
    size: `${size.width}x${size.height}`,
  };
  const draw = async (index: number, blockPixels = 1) => {
    const { partial_images: _count, stream: _stream, ...same } = job.body;
    const plan = { prompt, ...size, seed: JSON.stringify([same, index]) };
    const drawing = { kind: 'image', plan, style: model.style, edit: job.edit } as const;
    return Buffer.from(await runSingle({ ...drawing, blockPixels }, signal));
  };
  const revised_prompt = `A gatehouse in a landscape: ${shorten(prompt, 200)}`;
  const count = Number(n ?? 1);
  if (stream !== true) {
    await state.pace.wait(model.delayMs, signal);
    const data: object[] = [];
    for (let index = 0; index < count; index += 1) {
      const png = await draw(index);
      data.push({ ...present(exchange, png, format === 'url'), revised_prompt });
    }
    return sendJson(response, 200, { created: getUnixSeconds(), ...facts, data, usage });
  }
  const events = openEventStream(exchange, { isTyped: true });
  for (let index = 0; index < count; index += 1) {
    const steps = Number(partials ?? 0);
    for (let step = 0; step < steps; step += 1) {
      await events.wait(model.delayMs / (steps + 1));
      const side = Math.max(2, Math.round(size.width / 16 / 2 ** step));
      const b64_json = (await draw(index, side)).toString('base64');
      const type = `${event}.partial_image`;
      await events.send([
        { type, b64_json, partial_image_index: step, created_at: getUnixSeconds(), ...facts },
      ]);
    }
    await events.wait(model.delayMs / (steps + 1));
    const b64_json = (await draw(index)).toString('base64');
    const type = `${event}.completed`;
    await events.send([
      { type, b64_json, created_at: getUnixSeconds(), ...facts, usage: share(usage, index, count) },
    ]);
  }
  events.finish();
}

function getUnixSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Returns the image as base64, or as a URL that requires the key. */
function present({ state }: DemoExchange, png: Buffer, isLinked: boolean): object {
  if (!isLinked) return { b64_json: png.toString('base64') };
  const id = randomUUID();
  state.images.set(id, png);
  for (const old of [...state.images.keys()].slice(0, -MAX_KEPT)) state.images.delete(old);
  return { url: `${state.baseUrl()}/v1/images/files/${id}` };
}

type Size = { width: number; height: number };

/** Returns the size of the images; throws if the model doesn't support an option. */
function checkOptions(request: Request, input: Size | undefined): Size {
  const { n, background, output_format, output_compression, stream, response_format } = request;
  if (Number(n ?? 1) > MAX_IMAGES) {
    throw createInvalidRequest(`n: This model makes at most ${MAX_IMAGES} images.`, 'n');
  }
  if (background === 'transparent') {
    throw createInvalidRequest('background: This model draws opaque images.', 'background');
  }
  if (output_format !== undefined && output_format !== 'png') {
    throw createInvalidRequest('output_format: This model makes png files.', 'output_format');
  }
  if (output_compression !== undefined) {
    throw createInvalidRequest(
      'output_compression: PNG files can’t be compressed further.',
      'output_compression',
    );
  }
  if (stream === true && response_format === 'url') {
    throw createInvalidRequest('response_format: A stream has no URLs.', 'response_format');
  }
  return readSize(request.size ?? 'auto', input);
}

function readSize(size: string, input: Size = { width: 1024, height: 1024 }): Size {
  const [, across, down] = /^(\d{2,4})x(\d{2,4})$/.exec(size) ?? [];
  const { width, height } =
    size === 'auto' ? input : { width: Number(across), height: Number(down) };
  if (width >= 16 && height >= 16 && width <= 4096 && height <= 4096) return { width, height };
  throw createInvalidRequest(
    'size: Use auto, or a size such as 1024x1024, up to 4096x4096.',
    'size',
  );
}

function countUsage({ request, inputs }: Job, size: Size) {
  const count = Number(request.n ?? 1);
  const text_tokens = countTokens(request.prompt);
  const image_tokens = inputs.length * INPUT_IMAGE_TOKENS;
  const output = Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN) * count;
  return {
    input_tokens: text_tokens + image_tokens,
    input_tokens_details: { text_tokens, image_tokens },
    output_tokens: output,
    total_tokens: text_tokens + image_tokens + output,
  };
}

/** Each event of a stream has the usage of its image; the first one also counts the input. */
function share(usage: ReturnType<typeof countUsage>, index: number, count: number) {
  const output_tokens = usage.output_tokens / count;
  const { input_tokens, input_tokens_details } =
    index === 0
      ? usage
      : { input_tokens: 0, input_tokens_details: { text_tokens: 0, image_tokens: 0 } };
  const total_tokens = input_tokens + output_tokens;
  return { input_tokens, input_tokens_details, output_tokens, total_tokens };
}

const NUMBERS = new Set(['n', 'output_compression', 'partial_images']);

/** Form fields are text, so numbers and Booleans are parsed. */
function readTextFields(fields: Iterable<[string, string]>): JsonObject {
  const body: JsonObject = {};
  for (const [name, value] of fields) {
    if (NUMBERS.has(name) && /^\d+$/.test(value)) body[name] = Number(value);
    else if (name === 'stream' && /^(?:true|false)$/.test(value)) body[name] = value === 'true';
    else body[name] = value;
  }
  return body;
}

async function measureImage({ path }: ReceivedFile, signal: AbortSignal): Promise<Size> {
  const { kind, type, measured } = await inspectFile(path, null, signal);
  const { width = null, height = null } = measured ?? {};
  if (kind === 'image' && width !== null && height !== null) return { width, height };
  throw createInvalidRequest(
    `image: This is not an image (${type}).`,
    'image',
    'invalid_image_format',
  );
}

const COLOR_TYPE_AT = 25;
const COLOR_TYPES_WITH_ALPHA = new Set([4, 6]);

async function checkMask(
  mask: ReceivedFile,
  image: Size | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { type, measured } = await inspectFile(mask.path, null, signal);
  const colorType = (await readFile(mask.path))[COLOR_TYPE_AT] ?? 0;
  if (type !== 'image/png' || !COLOR_TYPES_WITH_ALPHA.has(colorType)) {
    throw createInvalidRequest('mask: Send a PNG with an alpha channel.', 'mask');
  }
  if (measured?.width === image?.width && measured?.height === image?.height) return;
  throw createInvalidRequest('mask: The mask must have the size of the first image.', 'mask');
}
