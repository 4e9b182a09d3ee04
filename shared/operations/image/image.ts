/** Folds Gemini-style image events into an image state and describes the state. */
import { getNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { findReferencedMedia, type Media } from '../../media.ts';
import { parseJson } from '../../parse-json.ts';
import { initialPhase, type RunEvent } from '../../run.ts';
import type { Operation } from '../operation.ts';
import {
  emptyResponse,
  listKnownFacts,
  listTextSections,
  previewLine,
  streamOrText,
} from '../response/describe-response.ts';
import { finishReasons } from '../response/envelope.ts';
import { getCount, getUsedTokens, readUsage, type Usage } from '../response/usage.ts';
import {
  addWarnings,
  getCamelOrSnake,
  readIndex,
  readString,
  upsertMedia,
  type Warn,
} from '../response/values.ts';
import { geminiFields } from './gemini-fields.ts';
import { editForm, imagesFields, normalizeImages } from './images/fields.ts';
import { foldImages, getRestOfImages } from './images/fold.ts';
import type { ImageRequest } from './request.ts';
import {
  emptyImageState,
  getDraftIds,
  type ImageCandidate,
  type ImagePart,
  type ImageState,
  isPlainPart,
} from './state.ts';
import { explainNoImage } from './why-no-image.ts';

/** A streaming gateway sends several documents, which this merges. */
function fold(state: ImageState, event: RunEvent): ImageState {
  switch (event.kind) {
    case 'body':
      return readResponse(state, parseJson(event.text));
    case 'chunk':
      return event.comment || event.data.trim() === '[DONE]'
        ? state
        : readResponse(state, parseJson(event.data));
    case 'media':
      return { ...state, media: upsertMedia(state.media, [event.media]) };
    default:
      return state;
  }
}

function readResponse(state: ImageState, response: unknown): ImageState {
  // Some gateways return the stream as one list.
  if (Array.isArray(response)) return response.reduce<ImageState>(readResponse, state);
  if (!isJsonObject(response)) return state;
  const warnings: string[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  const given = getCamelOrSnake(response, 'promptFeedback');
  const feedback = isJsonObject(given) ? given : null;
  const usage = getCamelOrSnake(response, 'usageMetadata');
  const word = (holder: JsonObject, name: string) =>
    readString(getCamelOrSnake(holder, name), name, warn);
  const next: ImageState = {
    ...state,
    candidates: readCandidates(state.candidates, response.candidates, warn),
    promptFeedback: feedback ?? state.promptFeedback,
    blockReason: (feedback && word(feedback, 'blockReason')) ?? state.blockReason,
    usage: isJsonObject(usage) ? usage : state.usage,
    model: word(response, 'modelVersion') ?? state.model,
    responseId: word(response, 'responseId') ?? state.responseId,
  };
  return addWarnings(next, warnings);
}

function readCandidates(
  known: ImageCandidate[],
  value: JsonValue | undefined,
  warn: Warn,
): ImageCandidate[] {
  if (value === undefined || value === null) return known;
  if (!Array.isArray(value)) {
    warn('The candidates aren’t a list.');
    return known;
  }
  if (value.length === 0) return known;
  const candidates = [...known];
  for (const [position, item] of value.entries()) {
    if (!isJsonObject(item)) {
      warn('A candidate isn’t a JSON object.');
      continue;
    }
    const index = readIndex(item.index) ?? position;
    const before = candidates[index] ?? emptyCandidate;
    while (candidates.length < index && candidates.length < MAX_CANDIDATES) {
      candidates.push(emptyCandidate);
    }
    if (index < MAX_CANDIDATES) candidates[index] = addToCandidate(before, item, warn);
  }
  return candidates;
}

/** Limits the list, because a gateway may send an index in the billions. */
const MAX_CANDIDATES = 64;

const emptyCandidate: ImageCandidate = {
  role: 'model',
  parts: [],
  finishReason: null,
  safetyRatings: [],
};

function addToCandidate(candidate: ImageCandidate, item: JsonObject, warn: Warn): ImageCandidate {
  const body = isJsonObject(item.content) ? item.content : {};
  // Some gateways send a single part without a list.
  const parts = isJsonObject(body.parts) ? [body.parts] : body.parts;
  const ratings = getCamelOrSnake(item, 'safetyRatings');
  const word = (name: string) => readString(getCamelOrSnake(item, name), name, warn);
  const finishMessage = word('finishMessage') ?? candidate.finishMessage;
  return {
    role: readString(body.role, 'role', warn) ?? candidate.role,
    parts: [
      ...candidate.parts,
      ...(Array.isArray(parts) ? parts : []).flatMap((part) => readPart(part, warn)),
    ],
    finishReason: word('finishReason') ?? candidate.finishReason,
    ...(finishMessage === undefined ? {} : { finishMessage }),
    safetyRatings: Array.isArray(ratings) ? ratings : candidate.safetyRatings,
  };
}

function readPart(part: JsonValue, warn: Warn): ImagePart[] {
  if (typeof part === 'string') return [{ type: 'text', text: part, thought: false }];
  if (!isJsonObject(part)) return [{ type: 'unknown', raw: part }];
  const { text, ...rest } = part;
  const { inlineData: _data, inline_data, fileData, file_data, ...textOnly } = part;
  const read: ImagePart[] = [];
  if (typeof text === 'string') {
    const raw = isPlainPart(textOnly) ? {} : { raw: textOnly };
    read.push({ type: 'text', text, thought: part.thought === true, ...raw });
  }
  const media = readMedia(part);
  if (media !== null) read.push(isPlainPart(rest) ? media : { ...media, raw: rest });
  else if (hasInlineData(part)) {
    // Drops invalid base64, which would fill the state with megabytes of text.
    warn('A file in the response isn’t valid base64 and was skipped.');
    return read;
  }
  if (read.length > 0) return read;
  return [isSignatureOnly(part) ? { type: 'hidden', raw: part } : { type: 'unknown', raw: part }];
}

/** Reads `inlineData` in either spelling (its base64 is already a reference) or `fileData`. */
function readMedia(part: JsonObject): Extract<ImagePart, { type: 'media' | 'link' }> | null {
  const inline = getCamelOrSnake(part, 'inlineData');
  const file = getCamelOrSnake(part, 'fileData');
  const thought = part.thought === true ? { thought: true as const } : {};
  if (isJsonObject(inline) && typeof inline.data === 'string') {
    const mediaId = findReferencedMedia(inline.data);
    const mimeType = String(getCamelOrSnake(inline, 'mimeType') ?? '');
    return mediaId === null ? null : { type: 'media', mediaId, mimeType, ...thought };
  }
  const url = isJsonObject(file) ? getCamelOrSnake(file, 'fileUri') : undefined;
  if (isJsonObject(file) && typeof url === 'string') {
    const mimeType = String(getCamelOrSnake(file, 'mimeType') ?? '');
    return { type: 'link', url, mimeType, ...thought };
  }
  return null;
}

function hasInlineData(part: JsonObject): boolean {
  const inline = getCamelOrSnake(part, 'inlineData');
  return isJsonObject(inline) && typeof inline.data === 'string';
}

/** A part with only the model's signature has nothing to show. */
function isSignatureOnly(part: JsonObject): boolean {
  return Object.keys(part).every((key) =>
    /^(?:thought|thoughtSignature|thought_signature)$/.test(key),
  );
}

/** `candidatesTokenCount` excludes thinking tokens, which are billed as output. */
function getUsage(usage: JsonObject | null): Usage | null {
  if (usage === null) return null;
  const names = ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'];
  if (names.every((name) => getCamelOrSnake(usage, name) === undefined)) return readUsage(usage);
  const count = (name: string) => getNumber(getCamelOrSnake(usage, name));
  const input = count('promptTokenCount');
  const answer = count('candidatesTokenCount');
  const thoughts = count('thoughtsTokenCount');
  const cached = count('cachedContentTokenCount');
  const total = count('totalTokenCount');
  const output = thoughts === null ? answer : (answer ?? 0) + thoughts;
  return {
    ...(input !== null && { prompt_tokens: input }),
    ...(output !== null && { completion_tokens: output }),
    ...(total !== null && { total_tokens: total }),
    ...(cached !== null && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(thoughts !== null && { completion_tokens_details: { reasoning_tokens: thoughts } }),
  };
}

/** Includes images that the response links to, but excludes drafts. */
function countImages(candidates: readonly ImageCandidate[], media: readonly Media[]): number {
  const links = candidates
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'link' ? [part] : [])))
    .filter(({ mimeType }) => mimeType.startsWith('image/'));
  const stored = getCount(getResults(candidates, media), 'image');
  const finalLinks = links.filter(({ thought }) => !thought).length;
  return stored + (stored + finalLinks === 0 ? links.length : finalLinks);
}

function getResults(candidates: readonly ImageCandidate[], media: readonly Media[]): Media[] {
  const drafts = getDraftIds(candidates);
  return media.filter(({ id }) => !drafts.has(id));
}

function getText(candidates: readonly ImageCandidate[], isThought: boolean): string {
  return candidates
    .flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'text' && part.thought === isThought ? [part.text] : [],
      ),
    )
    .join('\n\n');
}

function getRevisedPrompts(candidates: readonly ImageCandidate[]): string {
  return [...new Set(candidates.flatMap(({ revisedPrompt }) => revisedPrompt ?? []))].join('\n\n');
}

/** Google's examples have no role, which means the user's. */
function addRoles(body: JsonObject): JsonObject {
  const { contents } = body;
  if (!Array.isArray(contents)) return body;
  const named = contents.map((turn) => (isJsonObject(turn) ? { role: 'user', ...turn } : turn));
  return { ...body, contents: named };
}

export const imageOperation: Operation<ImageRequest, ImageState> = {
  method: 'POST',
  path: '/v1beta/models/{model}:generateContent',
  draft: { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } },
  renamable: {},
  needs: { partial_images: 'stream' },
  formatTitle: 'generateContent',
  fields: geminiFields,
  normalize: addRoles,
  formats: [
    {
      name: 'images',
      title: 'Images',
      path: '/v1/images/generations',
      fields: imagesFields,
      normalize: normalizeImages,
      form: editForm,
      fold: foldImages,
      rest: getRestOfImages,
    },
  ],
  followable: false,
  readsLists: true,
  initialState: emptyImageState,
  fold,
  hasNewOutput: (before, after) =>
    after.candidates.length > 0 && before.candidates !== after.candidates,
  figures: ({ model, usage, candidates, blockReason }) => ({
    model,
    usage: getUsage(usage),
    finishReasons: [
      ...(blockReason === null ? [] : [blockReason]),
      ...candidates.flatMap(({ finishReason }) => (finishReason === null ? [] : [finishReason])),
    ],
  }),
  noResult: explainNoImage,
  results: ({ candidates }, media) => getResults(candidates, media),
  quantities: ({ usage, candidates, blockReason }, media) => ({
    ...getUsedTokens(getUsage(usage)),
    // A blocked or truncated response doesn't reveal whether any images were generated.
    images: candidates.length === 0 && blockReason === null ? null : countImages(candidates, media),
  }),
  rest: () => 'more',
  phase: () => initialPhase,
  response: ({ candidates, blockReason, model, responseId, usage, warnings }) => ({
    ...emptyResponse,
    text: getText(candidates, false),
    sections: listTextSections([
      ['Reasoning', getText(candidates, true), 'markdown'],
      ['Text', getText(candidates, false)],
      ['Revised prompt', getRevisedPrompts(candidates)],
    ]),
    warnings,
    facts: listKnownFacts([
      ['responseId', responseId],
      ['modelVersion', model],
      ['blockReason', blockReason],
      ['finishReason', finishReasons(candidates).join(', ')],
      ['finishMessage', candidates.flatMap(({ finishMessage }) => finishMessage ?? []).join(' ')],
      ['usage', usage === null ? null : JSON.stringify(usage)],
    ]),
  }),
  codeResponse: streamOrText,
  preview: ({ contents }) =>
    previewLine(
      contents
        .at(-1)
        ?.parts.flatMap(({ text }) => (text === undefined ? [] : [text]))
        .join(' ') ?? '',
    ),
};
