/** Derives the parts of an answer to display from the assembled message, streamed or not. */
import { getNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { findReferencedMedia } from '../../media.ts';
import { parseJson } from '../../parse-json.ts';
import { getOtherLogprobs } from '../response/token-probabilities.ts';
import { readString, toDisplayText, type Warn } from '../response/values.ts';
import { type AnswerPart, createImagePart, readAnswerPart } from './answer-parts.ts';
import { areOddArguments } from './call-arguments.ts';
import { hideDataUrls, splitAtImages } from './inline-images.ts';
import { isShownAsSources } from './sources.ts';
import type { ChatChoice } from './state.ts';
import { addText, type TextEnd, type ThinkingText } from './think-tags.ts';
import { getId, readCallBody } from './tool-calls.ts';
import { listToolSteps, type ToolStep } from './tool-steps.ts';

/** While the call is streaming, `arguments` may be incomplete JSON. */
export type ToolCallView = {
  id: string;
  name: string;
  arguments: string;
};

export type AudioView = {
  id: string | null;
  /** ID of the media item created from the base64 data. */
  media: string | null;
  transcript: string;
  /** Unix time in seconds. */
  expiresAt: number | null;
};

export type AnswerView = {
  role: string;
  name: string | null;
  content: string;
  /** The number of characters at the start of `content` that are commentary, not the answer. */
  commentaryLength: number;
  parts: AnswerPart[];
  reasoning: string;
  /** The model sent its reasoning inside tags in the text, such as `<think>`. */
  isTagged: boolean;
  /** Some or all of the reasoning is encrypted and can be read only by the provider. */
  isEncrypted: boolean;
  refusal: string;
  toolCalls: ToolCallView[];
  audio: AudioView | null;
  /** Tools that the provider ran, and other items that are specific to the response's format. */
  steps: ToolStep[];
  /** Message and choice fields that aren't shown anywhere else. */
  otherFields: JsonObject;
  warnings: string[];
};

const views = new WeakMap<ChatChoice, AnswerView>();

/** Pure; an unchanged choice returns the same object. */
export function viewAnswer(choice: ChatChoice): AnswerView {
  const known = views.get(choice);
  if (known !== undefined) return known;
  const view = readAnswer(choice);
  views.set(choice, view);
  return view;
}

function readAnswer(choice: ChatChoice): AnswerView {
  const { message, other, logprobs, finishReason, ended } = choice;
  const warnings: string[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  const pieces = emptyPieces(choice);
  readContent(message.content, pieces, warn);
  if (message.images !== undefined) readContent(toImageParts(message.images), pieces, warn);
  const named = readReasoning(message, warn);
  const reasoning = named.text + pieces.reasoning;
  const end = !ended ? 'more' : finishReason === 'stop' ? 'stopped' : 'cut';
  const text = addPieces(pieces, reasoning, end);
  const refusal = typeof message.refusal === 'string' ? message.refusal : '';
  const toolCalls = readToolCalls(message, ended, warn);
  const otherItems = getOtherItems(message);
  return {
    role: readString(message.role, 'role', warn) ?? 'assistant',
    name: readString(message.name, 'name', warn),
    content: text.content,
    commentaryLength: getCommentaryLength(message, text.content),
    parts: text.parts,
    reasoning: text.reasoning,
    isTagged: text.think?.tagged ?? false,
    isEncrypted: named.isEncrypted || pieces.isEncrypted,
    refusal: refusal + pieces.refusal,
    toolCalls,
    audio: readAudio(message.audio, warn),
    steps: listToolSteps(otherItems),
    otherFields: {
      ...Object.fromEntries(
        [...Object.entries(message), ...Object.entries(other)].filter(
          ([name, value]) => value !== null && !SHOWN.has(name) && !isShownAsSources(name, value),
        ),
      ),
      ...(otherItems.length > 0 && { items: otherItems }),
      ...getOtherLogprobs(logprobs),
    },
    warnings,
  };
}

/** Returns the length of the commentary, which models write in messages before the answer. */
function getCommentaryLength({ items }: JsonObject, content: string): number {
  const messages = readItems(items).filter(({ type }) => type === 'message');
  const end = messages.findIndex(({ phase }) => phase !== 'commentary');
  const comments = end === -1 ? messages : messages.slice(0, end);
  const texts = comments.map((item) => readTexts(item.content)).filter((text) => text !== '');
  const joined = texts.join('\n\n');
  return content.startsWith(joined) ? joined.length : 0;
}

/** Returns format-specific items, such as calls that the provider answers. */
function getOtherItems({ items }: JsonObject): JsonObject[] {
  return readItems(items).filter(({ type }) => !SHOWN_ITEMS.has(type));
}

/** Returns true if the provider's own tools worked on the answer, or its messages have phases. */
export function hasProviderItems(message: JsonObject | undefined): boolean {
  if (message === undefined) return false;
  return (
    getOtherItems(message).length > 0 ||
    readItems(message.items).some(({ phase }) => isFilled(phase))
  );
}

/** Fields that contain reasoning as text; the first one present wins. */
const REASONING_TEXTS = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'];

/** Fields that contain reasoning; providers require the same name and shape back. */
export const REASONING_FIELDS = [
  ...REASONING_TEXTS,
  ...['reasoning_details', 'thinking_blocks', 'reasoning_opaque', 'reasoning_signature'],
];

/** Fields that the view already shows. */
const SHOWN = new Set([
  ...['role', 'name', 'content', 'images', 'refusal', 'tool_calls', 'function_call', 'audio'],
  ...[...REASONING_TEXTS, 'reasoning_details', 'thinking_blocks', 'items'],
]);

/** Output items of other formats that the view already shows. */
const SHOWN_ITEMS = new Set<JsonValue | undefined>([
  ...['text', 'thinking', 'redacted_thinking', 'tool_use'],
  ...['message', 'reasoning', 'function_call', 'custom_tool_call'],
]);

type Pieces = {
  content: string;
  /** `at` is the number of characters of `content` before the part. */
  parts: AnswerPart[];
  reasoning: string;
  isEncrypted: boolean;
  refusal: string;
  choice: Pick<ChatChoice, 'ended' | 'storedImages'>;
};

function emptyPieces(choice: Pieces['choice']): Pieces {
  return { content: '', parts: [], reasoning: '', isEncrypted: false, refusal: '', choice };
}

/** Splits the text at each part, because a think tag can't span a part. */
function addPieces(
  pieces: Pieces,
  reasoning: string,
  end: TextEnd,
): ThinkingText & { parts: AnswerPart[] } {
  let text: ThinkingText = { content: '', reasoning };
  let parts: AnswerPart[] = [];
  let from = 0;
  for (const { part, at } of pieces.parts) {
    const next: ThinkingText = addText(text, pieces.content.slice(from, at), 'cut');
    parts = [...keepPlaces(parts, text.content, next.content), { part, at: next.content.length }];
    text = next;
    from = at;
  }
  const whole = addText(text, from === 0 ? pieces.content : pieces.content.slice(from), end);
  return { ...whole, parts: keepPlaces(parts, text.content, whole.content) };
}

/** Moves parts to the start if the text before them is reasoning. */
function keepPlaces(parts: AnswerPart[], before: string, after: string): AnswerPart[] {
  if (parts.length === 0 || after.startsWith(before)) return parts;
  return parts.map(({ part }) => ({ part, at: 0 }));
}

function readContent(content: JsonValue | undefined, pieces: Pieces, warn: Warn): void {
  if (typeof content === 'string') addContent(content, pieces);
  else if (Array.isArray(content)) for (const part of content) readPart(part, pieces, warn);
  else if (content !== undefined && content !== null) readPart(content, pieces, warn);
}

/** Turns images in the text into parts, because their data can be megabytes long. */
function addContent(text: string, pieces: Pieces): void {
  const { ended, storedImages = [] } = pieces.choice;
  for (const piece of splitAtImages(ended ? text : hideDataUrls(text), storedImages)) {
    if (typeof piece === 'string') pieces.content += piece;
    else pieces.parts.push({ part: createImagePart(piece.url), at: pieces.content.length });
  }
}

function readPart(part: JsonValue, pieces: Pieces, warn: Warn): void {
  if (typeof part === 'string') addContent(part, pieces);
  else if (isJsonObject(part) && isThought(part)) {
    pieces.reasoning += readTexts(part.thinking ?? part.reasoning ?? part.text);
    pieces.isEncrypted ||= part.type === 'redacted_thinking';
  } else if (isJsonObject(part) && typeof part.text === 'string') addContent(part.text, pieces);
  else if (isJsonObject(part) && typeof part.refusal === 'string') pieces.refusal += part.refusal;
  else if (isJsonObject(part)) {
    const read = readAnswerPart(part, warn);
    if (read !== null) pieces.parts.push({ part: read, at: pieces.content.length });
  } else if (part !== null) {
    warn('The content is neither text nor a list of parts.');
    pieces.content += toDisplayText(part);
  }
}

/** Some gateways send a bare URL in `images`. */
function toImageParts(images: JsonValue): JsonValue {
  if (typeof images === 'string' && images !== '') return { type: 'image', url: images };
  return Array.isArray(images) ? images.map(toImageParts) : images;
}

export function isThought(part: JsonObject): boolean {
  return part.type === 'thinking' || part.type === 'reasoning' || part.type === 'redacted_thinking';
}

function readTexts(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value
    .map((item) => (isJsonObject(item) && typeof item.text === 'string' ? item.text : ''))
    .join('');
}

/** Gateways use several field names; if two are present, they usually contain the same text. */
function readReasoning(message: JsonObject, warn: Warn): { text: string; isEncrypted: boolean } {
  const texts = REASONING_TEXTS.flatMap((name) => {
    const text = readReasoningText(message[name], warn);
    return text === '' ? [] : [{ name, text }];
  });
  const details = readItems(message.reasoning_details);
  const blocks = readItems(message.thinking_blocks);
  const isEncrypted =
    [...details, ...blocks].some(
      ({ type }) => type === 'reasoning.encrypted' || type === 'redacted_thinking',
    ) || readItems(message.items).some(({ encrypted_content: data }) => isFilled(data));
  const [first, second] = texts;
  if (first === undefined) {
    const items = details.length > 0 ? details : blocks;
    const text = items.map(readDetail).join('');
    const isOpaque = text === '' && isFilled(message.reasoning_opaque);
    return { text, isEncrypted: isEncrypted || isOpaque };
  }
  if (second !== undefined && second.text !== first.text) {
    warn(`${first.name} and ${second.name} differ. Showing ${first.name}.`);
  }
  return { text: first.text, isEncrypted };
}

function isFilled(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function readItems(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function readDetail({ text, summary, thinking }: JsonObject): string {
  return readTexts(text ?? summary ?? thinking);
}

function readReasoningText(value: JsonValue | undefined, warn: Warn): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  warn('The reasoning isn’t text.');
  const inner = isJsonObject(value)
    ? (value.content ?? value.text ?? value.thinking)
    : readTexts(value);
  return typeof inner === 'string' && inner !== '' ? inner : toDisplayText(value);
}

/** A call in the older `function_call` field has no ID. */
export const FUNCTION_CALL_ID = 'function_call';

function readToolCalls(message: JsonObject, ended: boolean, warn: Warn): ToolCallView[] {
  const { tool_calls: list, function_call: older } = message;
  const items = Array.isArray(list) ? list : list === undefined || list === null ? [] : [list];
  const calls = items.flatMap((item): ToolCallView[] => {
    if (isJsonObject(item)) return [{ id: getId(item), ...readCallBody(item, warn) }];
    warn('A tool call isn’t a JSON object.');
    return [];
  });
  if (isJsonObject(older)) calls.push({ id: FUNCTION_CALL_ID, ...readCallBody(older, warn) });
  if (ended && calls.some((call) => areOddArguments(call.arguments))) {
    warn('The arguments of a tool call are null or text in JSON. They are read as an object.');
  }
  if (ended && calls.some((call) => isSeveralValues(call.arguments))) {
    warn('The arguments of a tool call are several JSON values. Open the inspector to see them.');
  }
  return calls;
}

function isSeveralValues(text: string): boolean {
  return /\}\s*\{/.test(text) && parseJson(text) === undefined;
}

function readAudio(value: JsonValue | undefined, warn: Warn): AudioView | null {
  if (value === undefined || value === null) return null;
  if (!isJsonObject(value)) {
    warn('The audio in the answer isn’t a JSON object.');
    return null;
  }
  return {
    id: typeof value.id === 'string' ? value.id : null,
    media: typeof value.data === 'string' ? findReferencedMedia(value.data) : null,
    transcript: typeof value.transcript === 'string' ? value.transcript : '',
    expiresAt: getNumber(value.expires_at),
  };
}
