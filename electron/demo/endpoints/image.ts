/** `POST /v1beta/models/{model}:generateContent`: draws a small PNG and describes it. */
import { imageRequestSchema } from '../../../shared/operations/image-request.ts';
import { asJsonObject, checkRequest } from '../http/check-request.ts';
import { type DemoExchange, sendJson } from '../http/exchange.ts';
import { invalidRequest, modelNotFound } from '../http/failure.ts';
import { readJson } from '../http/read-body.ts';
import { shorten } from '../language/answer.ts';
import { countTokens } from '../language/tokens.ts';
import { drawGatehouse } from '../media/drawing.ts';
import { encodePng } from '../media/png.ts';
import { imageModels } from '../models.ts';

const IMAGE_TOKENS = 1290;
/** Pixels of a square picture's side by its size label. */
const SIDES: Record<string, number> = { '1K': 1024, '2K': 2048, '4K': 4096 };
const MODALITIES = ['TEXT', 'IMAGE'];

export async function answerImage(exchange: DemoExchange): Promise<void> {
  const body = asJsonObject(await readJson(exchange.request));
  const request = checkRequest(imageRequestSchema, { ...body, model: exchange.parameter });
  if (!imageModels.includes(request.model)) throw modelNotFound(request.model, imageModels);
  const { responseModalities = MODALITIES, imageConfig = {} } = request.generationConfig ?? {};
  const modalities = readModalities(responseModalities);
  const { width, height } = readSize(imageConfig.aspectRatio, imageConfig.imageSize);
  const texts = request.contents.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? []));
  const prompt = texts.join('\n');
  const parts: object[] = [];
  const words = `A simulated picture of ${width} × ${height} pixels for “${shorten(prompt, 120)}”. The demo gateway draws a gatehouse whatever is asked.`;
  if (modalities.includes('TEXT')) parts.push({ text: words });
  if (modalities.includes('IMAGE')) {
    const png = await encodePng(drawGatehouse(width, height, prompt));
    parts.push({ inlineData: { mimeType: 'image/png', data: png.toString('base64') } });
  }
  await exchange.state.pace.wait(1500, exchange.signal);
  const promptTokens = countTokens(prompt);
  const answerTokens =
    (modalities.includes('TEXT') ? countTokens(words) : 0) +
    (modalities.includes('IMAGE') ? IMAGE_TOKENS : 0);
  sendJson(exchange.response, 200, {
    candidates: [
      { content: { role: 'model', parts }, finishReason: 'STOP', index: 0, safetyRatings: [] },
    ],
    usageMetadata: {
      promptTokenCount: promptTokens,
      candidatesTokenCount: answerTokens,
      totalTokenCount: promptTokens + answerTokens,
    },
    modelVersion: request.model,
  });
}

/** The words are upper case in the convention; case does not matter here. */
function readModalities(asked: readonly string[]): string[] {
  const modalities = asked.map((word) => word.toUpperCase());
  const unknown = modalities.find((word) => !MODALITIES.includes(word));
  if (unknown !== undefined || modalities.length === 0) {
    throw invalidRequest(
      'generationConfig.responseModalities: This model makes TEXT and IMAGE.',
      'generationConfig.responseModalities',
    );
  }
  return modalities;
}

/** Pictures of one size label have about the same number of pixels whatever their ratio. */
function readSize(aspectRatio = '1:1', imageSize = '1K'): { width: number; height: number } {
  const side = SIDES[imageSize.toUpperCase()];
  if (side === undefined) {
    throw invalidRequest(
      'generationConfig.imageConfig.imageSize: Use 1K, 2K or 4K.',
      'generationConfig.imageConfig.imageSize',
    );
  }
  const [, across = '', down = ''] = /^(\d{1,2}):(\d{1,2})$/.exec(aspectRatio) ?? [];
  const ratio = Number(across) / Number(down);
  if (!(ratio >= 0.1 && ratio <= 10)) {
    throw invalidRequest(
      'generationConfig.imageConfig.aspectRatio: Use a ratio of width to height such as 16:9.',
      'generationConfig.imageConfig.aspectRatio',
    );
  }
  return {
    width: Math.round(side * Math.sqrt(ratio)),
    height: Math.round(side / Math.sqrt(ratio)),
  };
}
