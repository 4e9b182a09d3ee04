/** `POST /v1beta/models/{model}:generateContent`: draws a picture of the prompt and describes it. */
import { type ImageRequest, imageRequestSchema } from '../../../shared/operations/image/request.ts';
import { asJsonObject, checkRequest, findModel } from '../http/check-request.ts';
import { type DemoExchange, sendJson } from '../http/exchange.ts';
import { invalidRequest } from '../http/failure.ts';
import { readJson } from '../http/read-body.ts';
import { shorten } from '../language/answer.ts';
import { countTokens } from '../language/tokens.ts';
import { describeInspection, inspectBytes } from '../media/inspect-media.ts';
import { readModalities, readPictureSize } from '../media/picture-options.ts';
import { imageModels } from '../models.ts';
import { runSingle } from '../studio/studio.ts';
import type { PictureStyle } from '../studio/worker/jobs.ts';

const IMAGE_TOKENS = 1290;
const INPUT_IMAGE_TOKENS = 258;
const BLOCKED_WORD = /\bblocked\b/i;
const WORDS: Record<PictureStyle, string> = { painting: 'image', sketch: 'pencil sketch' };
const CATEGORIES = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'];

export async function answerImage(exchange: DemoExchange): Promise<void> {
  const { response, signal, state } = exchange;
  const body = asJsonObject(await readJson(exchange.request));
  const request = checkRequest(imageRequestSchema, { ...body, model: exchange.parameter });
  const { style, delayMs } = findModel(imageModels, request.model);
  const { responseModalities, imageConfig = {}, seed } = request.generationConfig ?? {};
  const modalities = readModalities(responseModalities);
  const { width, height } = readPictureSize(imageConfig.aspectRatio, imageConfig.imageSize);
  const texts = request.contents.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? []));
  const last = request.contents.findLast(({ role = 'user' }) => role === 'user');
  const prompt = last?.parts.flatMap(({ text }) => text ?? []).join('\n') ?? '';
  const inputs = readInputImages(request);
  const promptTokens = countTokens(texts.join('\n')) + inputs.length * INPUT_IMAGE_TOKENS;
  await state.pace.wait(delayMs, signal);
  if (BLOCKED_WORD.test(prompt)) {
    return sendJson(response, 200, {
      promptFeedback: { blockReason: 'SAFETY', safetyRatings: rate(true) },
      usageMetadata: usage(promptTokens, 0),
      modelVersion: request.model,
    });
  }
  const described: string[] = [];
  for (const { data, mimeType } of inputs) {
    const inspection = await inspectBytes(data, mimeType, signal);
    described.push(describeInspection(data.length, inspection, mimeType));
  }
  const words = describe(WORDS[style], width, height, prompt, described);
  const parts: object[] = modalities.includes('TEXT') ? [{ text: words }] : [];
  if (modalities.includes('IMAGE')) {
    // Every turn and every input image draws another picture; the same request draws the same, in each style.
    const plan = { prompt, width, height, seed: JSON.stringify([seed ?? 0, request.contents]) };
    const png = Buffer.from(await runSingle({ kind: 'picture', plan, style }, signal));
    parts.push({ inlineData: { mimeType: 'image/png', data: png.toString('base64') } });
  }
  const answerTokens =
    (modalities.includes('TEXT') ? countTokens(words) : 0) +
    (modalities.includes('IMAGE') ? IMAGE_TOKENS : 0);
  sendJson(response, 200, {
    candidates: [
      {
        content: { role: 'model', parts },
        finishReason: 'STOP',
        index: 0,
        safetyRatings: rate(false),
      },
    ],
    usageMetadata: usage(promptTokens, answerTokens),
    modelVersion: request.model,
  });
}

function describe(
  kind: string,
  width: number,
  height: number,
  prompt: string,
  inputs: string[],
): string {
  const drawn = `A simulated ${width} × ${height} ${kind}. The demo gateway always draws a gatehouse; the prompt, “${shorten(prompt, 120)}”, sets its landscape and light.`;
  return [drawn, ...inputs.map((input, index) => `Input image ${index + 1}: ${input}.`)].join(' ');
}

/** Parts come in camelCase and in snake_case. */
function readInputImages({ contents }: ImageRequest): { data: Buffer; mimeType: string }[] {
  return contents.flatMap(({ parts }) =>
    parts.flatMap(({ inlineData, inline_data: snake }) => {
      const data = inlineData?.data ?? snake?.data;
      const mimeType = inlineData?.mimeType ?? snake?.mime_type;
      if (data === undefined || mimeType === undefined) return [];
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length === 0) throw invalidRequest('contents: An image part is empty.', 'contents');
      return [{ data: bytes, mimeType }];
    }),
  );
}

function rate(blocked: boolean) {
  return CATEGORIES.map((name) => {
    const isCause = blocked && name === 'DANGEROUS_CONTENT';
    return {
      category: `HARM_CATEGORY_${name}`,
      probability: isCause ? 'HIGH' : 'NEGLIGIBLE',
      ...(isCause && { blocked: true }),
    };
  });
}

function usage(promptTokenCount: number, candidatesTokenCount: number) {
  const totalTokenCount = promptTokenCount + candidatesTokenCount;
  return { promptTokenCount, candidatesTokenCount, totalTokenCount };
}
