/** Implements `POST /v1/embeddings` with vectors as numbers or base64. */
import { getNumber, isJsonNumber } from '../../../shared/exact-number.ts';
import {
  type EmbeddingsRequest,
  getEmbeddingsRequestSchema,
} from '../../../shared/operations/embeddings/request.ts';
import { type DemoExchange, sendJson } from '../exchange.ts';
import { countTokens } from '../language/answer.ts';
import { embedBytes } from '../media/embedding-vectors.ts';
import { embeddingModels } from '../models.ts';
import { checkRequest, createInvalidRequest, findModel, readJsonObject } from '../requests.ts';

const MAX_DIMENSIONS = 4096;

export async function answerEmbeddings({ request, response }: DemoExchange): Promise<void> {
  const body = checkRequest(getEmbeddingsRequestSchema(), await readJsonObject(request));
  const { embed, dimensions: defaultDimensions } = findModel(embeddingModels, body.model);
  const dimensions = getNumber(body.dimensions) ?? defaultDimensions;
  if (dimensions > MAX_DIMENSIONS) {
    throw createInvalidRequest(`dimensions: Enter ${MAX_DIMENSIONS} or less.`, 'dimensions');
  }
  const format = body.encoding_format ?? 'float';
  if (format !== 'float' && format !== 'base64') {
    throw createInvalidRequest('encoding_format: Use float or base64.', 'encoding_format');
  }
  const inputs = listInputs(body.input);
  const data = inputs.map((input, index) => {
    const vector =
      typeof input === 'string' ? embed(input, dimensions) : embedBytes(input, dimensions);
    return { object: 'embedding', index, embedding: encode(vector, format) };
  });
  const tokens = inputs.reduce(
    (sum, input) => sum + (typeof input === 'string' ? countTokens(input) : TOKENS_PER_IMAGE),
    0,
  );
  sendJson(response, 200, {
    object: 'list',
    data,
    model: body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

const TOKENS_PER_IMAGE = 258;

type RequestInput = EmbeddingsRequest['input'];

/** Returns each input as text, or as the bytes of an image. */
function listInputs(input: RequestInput): (string | Uint8Array)[] {
  const list = typeof input === 'string' || isTokens(input) ? [input] : input;
  return list.map((item, at) => {
    if (typeof item === 'string') {
      if (item === '') throw createInvalidRequest(`input[${at}]: Enter a text.`, `input[${at}]`);
      return item;
    }
    // Each token counts as a word, because the demo has no tokenizer.
    if (Array.isArray(item)) return item.map((token) => `token${token}`).join(' ');
    if (isJsonNumber(item)) return String(item);
    if ('text' in item && typeof item.text === 'string') return item.text;
    const image = 'image' in item && typeof item.image === 'string' ? item.image : '';
    const base64 = image.replace(/^data:[^,]*;base64,/, '');
    if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) {
      throw createInvalidRequest(`input[${at}].image: Send base64.`, `input[${at}]`);
    }
    return Buffer.from(base64, 'base64');
  });
}

function isTokens(input: readonly unknown[]): boolean {
  return getNumber(input[0]) !== null;
}

function encode(vector: Float32Array, format: 'float' | 'base64'): number[] | string {
  if (format === 'base64') {
    return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
  }
  return Array.from(vector, (value) => Number(value.toPrecision(8)));
}
