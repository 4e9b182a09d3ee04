/**
 * Implements `POST /v1beta/models/{model}:generateContent`, which draws an image and describes it.
 */
import {
  getImageRequestSchema,
  type ImageRequest,
} from '../../../shared/operations/image/request.ts';
import { type DemoExchange, sendJson } from '../exchange.ts';
import { countTokens } from '../language/answer.ts';
import { describeMedia } from '../media/inspect-media.ts';
import { imageModels } from '../models.ts';
import { checkRequest, createInvalidRequest, findModel, readJsonObject } from '../requests.ts';
import { type ImageStyle, runSingle } from '../studio/studio.ts';

const IMAGE_TOKENS = 1290;
const INPUT_IMAGE_TOKENS = 258;
const BLOCKED_WORD = /\bblocked\b/i;
const STYLE_NAMES: Record<ImageStyle, string> = { painting: 'image', sketch: 'pencil sketch' };
const SIDES: Record<string, number> = { '512': 512, '1K': 1024, '2K': 2048, '4K': 4096 };
const MODALITIES = ['TEXT', 'IMAGE'];
const CATEGORIES = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'];

export async function answerImage(exchange: DemoExchange): Promise<void> {
  const { response, signal, state } = exchange;
  const body = await readJsonObject(exchange.request);
  const request = checkRequest(getImageRequestSchema(), { ...body, model: exchange.parameter });
  const { style, delayMs } = findModel(imageModels, request.model);
  const { responseModalities, imageConfig = {}, seed } = request.generationConfig ?? {};
  const modalities = readModalities(responseModalities);
  const { width, height } = readImageSize(imageConfig.aspectRatio, imageConfig.imageSize);
  const texts = request.contents.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? []));
  const last = request.contents.findLast(({ role = 'user' }) => role === 'user');
  const prompt = last?.parts.flatMap(({ text }) => text ?? []).join('\n') ?? '';
  const inputs = readInputImages(request);
  const promptTokens = countTokens(texts.join('\n')) + inputs.length * INPUT_IMAGE_TOKENS;
  await state.pace.wait(delayMs, signal);
  if (BLOCKED_WORD.test(prompt)) {
    return sendJson(response, 200, {
      promptFeedback: { blockReason: 'SAFETY', safetyRatings: listRatings(true) },
      usageMetadata: getUsage(promptTokens, 0),
      modelVersion: request.model,
    });
  }
  const described: string[] = [];
  for (const [index, { data, mimeType }] of inputs.entries()) {
    const description = await describeMedia(data, mimeType, signal);
    described.push(`Input image ${index + 1}: ${description}.`);
  }
  const drawn = `A simulated ${width} × ${height} ${STYLE_NAMES[style]}. The demo gateway always draws a gatehouse. The prompt sets the time of day, the landscape and the style.`;
  const text = [drawn, ...described].join(' ');
  const parts: object[] = modalities.includes('TEXT') ? [{ text }] : [];
  if (modalities.includes('IMAGE')) {
    // Each turn and input image changes the result, but the same request always draws the same
    // image.
    const plan = { prompt, width, height, seed: JSON.stringify([seed ?? 0, request.contents]) };
    const png = Buffer.from(await runSingle({ kind: 'image', plan, style }, signal));
    parts.push({ inlineData: { mimeType: 'image/png', data: png.toString('base64') } });
  }
  const answerTokens =
    (modalities.includes('TEXT') ? countTokens(text) : 0) +
    (modalities.includes('IMAGE') ? IMAGE_TOKENS : 0);
  sendJson(response, 200, {
    candidates: [
      {
        content: { role: 'model', parts },
        finishReason: 'STOP',
        index: 0,
        safetyRatings: listRatings(false),
      },
    ],
    usageMetadata: getUsage(promptTokens, answerTokens),
    modelVersion: request.model,
  });
}

function readInputImages({ contents }: ImageRequest): { data: Buffer; mimeType: string }[] {
  return contents.flatMap(({ parts }) =>
    parts.flatMap(({ inlineData, inline_data: snake }) => {
      const data = inlineData?.data ?? snake?.data;
      const mimeType = inlineData?.mimeType ?? snake?.mime_type;
      if (data === undefined || mimeType === undefined) return [];
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length === 0)
        throw createInvalidRequest('contents: An image part is empty.', 'contents');
      return [{ data: bytes, mimeType }];
    }),
  );
}

function listRatings(blocked: boolean) {
  return CATEGORIES.map((name) => {
    const isCause = blocked && name === 'DANGEROUS_CONTENT';
    return {
      category: `HARM_CATEGORY_${name}`,
      probability: isCause ? 'HIGH' : 'NEGLIGIBLE',
      ...(isCause && { blocked: true }),
    };
  });
}

function getUsage(promptTokenCount: number, candidatesTokenCount: number) {
  const totalTokenCount = promptTokenCount + candidatesTokenCount;
  return { promptTokenCount, candidatesTokenCount, totalTokenCount };
}

/** The API documents uppercase values; the demo accepts any case. */
function readModalities(requested: readonly string[] = MODALITIES): string[] {
  const modalities = requested.map((modality) => modality.toUpperCase());
  if (modalities.length > 0 && modalities.every((modality) => MODALITIES.includes(modality))) {
    return modalities;
  }
  throw createConfigError('responseModalities', 'This model supports TEXT and IMAGE.');
}

/** Images with the same size label have about the same number of pixels at any aspect ratio. */
function readImageSize(aspectRatio = '1:1', imageSize = '1K') {
  const side = SIDES[imageSize.toUpperCase()];
  if (side === undefined)
    throw createConfigError('imageConfig.imageSize', 'Use 512, 1K, 2K or 4K.');
  const [, across = '', down = ''] = /^(\d{1,2}):(\d{1,2})$/.exec(aspectRatio) ?? [];
  const ratio = Number(across) / Number(down);
  if (!(ratio >= 0.1 && ratio <= 10)) {
    throw createConfigError('imageConfig.aspectRatio', 'Use a width-to-height ratio such as 16:9.');
  }
  return {
    width: Math.round(side * Math.sqrt(ratio)),
    height: Math.round(side / Math.sqrt(ratio)),
  };
}

function createConfigError(field: string, message: string) {
  const param = `generationConfig.${field}`;
  return createInvalidRequest(`${param}: ${message}`, param);
}
