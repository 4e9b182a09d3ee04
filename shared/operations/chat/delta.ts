/**
 * Reads one `delta` or `message` of a chat response, without zod for speed (see choices-fold.ts).
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { ReceivedChoice } from '../response/choices-fold.ts';
import { type ChoiceEnd, readChoiceEnd } from '../response/finish-reason.ts';
import { readString, textOfValue, type Warn } from '../response/values.ts';
import { type AnswerPart, readAnswerPart } from './answer-parts.ts';
import { addAudio } from './audio.ts';
import type { ChatChoice } from './state.ts';
import { addText, type TextEnd, type ThinkingText, type ThinkTags } from './think-tags.ts';
import { addToolCalls } from './tool-calls.ts';

export function emptyChatChoice(index: number): ChatChoice {
  return {
    index,
    role: 'assistant',
    content: '',
    reasoning: '',
    refusal: '',
    toolCalls: [],
    finishReason: null,
  };
}

/** Returns the same object if the delta added nothing. */
export function addToChoice(
  choice: ChatChoice,
  received: ReceivedChoice,
  { isFirst, whole }: { isFirst: boolean; whole: boolean },
  warn: Warn,
): ChatChoice {
  const delta = getDelta(received.value, warn);
  const added = emptyPieces();
  readContent(delta.content, added, warn);
  if (delta.images !== undefined) readContent(imageParts(delta.images), added, warn);
  readReasoning(delta, added, warn);
  if (typeof delta.refusal === 'string') added.refusal += delta.refusal;
  const role = readString(delta.role, 'role', warn) ?? choice.role;
  const name = choice.name ?? readString(delta.name, 'name', warn) ?? undefined;
  const toolCalls = addToolCalls(choice.toolCalls, delta.tool_calls, whole, warn);
  const audio = addAudio(choice.audio ?? null, delta.audio, warn);
  const hasOutput =
    added.content !== '' ||
    added.parts.length > 0 ||
    added.reasoning !== '' ||
    added.refusal !== '' ||
    toolCalls !== choice.toolCalls ||
    audio !== (choice.audio ?? null);
  const end = readChoiceEnd(choice, received.value.finish_reason, { isFirst, hasOutput }, warn);
  const isSame =
    role === choice.role && name === choice.name && end.finishReason === choice.finishReason;
  if (!hasOutput && isSame) return choice;
  const { content, reasoning, think, parts } = addPieces(
    choice,
    added,
    whole ? textEnd(end) : 'more',
  );
  return {
    index: choice.index,
    role,
    ...(name !== undefined && { name }),
    content,
    ...(parts.length > 0 && { parts }),
    reasoning,
    refusal: choice.refusal + added.refusal,
    toolCalls,
    ...(think && { think }),
    ...(audio === null ? {} : { audio }),
    ...end,
  };
}

type GrownText = Pick<ChatChoice, 'content' | 'reasoning'> & {
  think?: ThinkTags | undefined;
  parts: AnswerPart[];
};

/** Splits the text at each part, because a think tag can't span a part. */
function addPieces(choice: ChatChoice, added: Pieces, end: TextEnd): GrownText {
  const { content, think, parts: before = [] } = choice;
  const reasoning = choice.reasoning + added.reasoning;
  let text: ThinkingText = { content, reasoning, think };
  if (added.parts.length === 0) {
    text = addText(text, added.content, end);
    return { ...text, parts: keepPlaces(before, content, text.content) };
  }
  let parts = before;
  let from = 0;
  for (const { part, at } of added.parts) {
    const next: ThinkingText = addText(text, added.content.slice(from, at), 'cut');
    parts = [...keepPlaces(parts, text.content, next.content), { part, at: next.content.length }];
    text = next;
    from = at;
  }
  const whole = addText(text, added.content.slice(from), end);
  return { ...whole, parts: keepPlaces(parts, text.content, whole.content) };
}

/** Moves parts to the start if the text before them turned out to be reasoning. */
function keepPlaces(parts: AnswerPart[], before: string, after: string): AnswerPart[] {
  if (parts.length === 0 || after.startsWith(before)) return parts;
  return parts.map(({ part }) => ({ part, at: 0 }));
}

/** Flushes buffered text; returns the same object if nothing was buffered. */
export function endChoice(choice: ChatChoice): ChatChoice {
  const ended = addText(choice, '', textEnd(choice));
  if (ended === choice) return choice;
  const { think: _, parts: before, ...rest } = choice;
  const { content, reasoning, think } = ended;
  const parts = before && keepPlaces(before, choice.content, content);
  return { ...rest, content, ...(parts && { parts }), reasoning, ...(think && { think }) };
}

function textEnd({ finishReason }: ChoiceEnd): TextEnd {
  return finishReason === 'stop' ? 'stopped' : 'cut';
}

type Pieces = {
  content: string;
  /** Each `at` is the length of `content` before the part. */
  parts: AnswerPart[];
  reasoning: string;
  refusal: string;
};

function emptyPieces(): Pieces {
  return { content: '', parts: [], reasoning: '', refusal: '' };
}

/** Accepts `message` in place of `delta`, bare `text`, or only a finish reason. */
function getDelta(value: JsonObject, warn: Warn): JsonObject {
  const { delta, message, text } = value;
  if (isJsonObject(delta)) return delta;
  if (isJsonObject(message)) return message;
  const stray = [delta, message, text].find((item) => item !== undefined && item !== null);
  if (stray === undefined) return {};
  warn('A chunk of the answer has no delta or message.');
  return { content: stray };
}

function readContent(content: JsonValue | undefined, added: Pieces, warn: Warn): void {
  if (typeof content === 'string') added.content += content;
  else if (Array.isArray(content)) for (const part of content) readPart(part, added, warn);
  else if (content !== undefined && content !== null) readPart(content, added, warn);
}

function readPart(part: JsonValue, added: Pieces, warn: Warn): void {
  if (typeof part === 'string') added.content += part;
  else if (isJsonObject(part) && isThought(part)) {
    added.reasoning += textInside(part.thinking ?? part.reasoning ?? part.text);
  } else if (isJsonObject(part) && typeof part.text === 'string') added.content += part.text;
  else if (isJsonObject(part) && typeof part.refusal === 'string') added.refusal += part.refusal;
  else if (isJsonObject(part)) {
    const read = readAnswerPart(part, warn);
    if (read !== null) added.parts.push({ part: read, at: added.content.length });
  } else if (part !== null) {
    warn('The content is neither text nor a list of parts.');
    added.content += textOfValue(part);
  }
}

/** Some gateways send a bare URL in `images`. */
function imageParts(images: JsonValue): JsonValue {
  if (typeof images === 'string' && images !== '') return { type: 'image', url: images };
  return Array.isArray(images) ? images.map(imageParts) : images;
}

function isThought(part: JsonObject): boolean {
  return part.type === 'thinking' || part.type === 'reasoning';
}

function textInside(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value
    .map((item) => (isJsonObject(item) && typeof item.text === 'string' ? item.text : ''))
    .join('');
}

/** Gateways use two field names; if both are present, they usually repeat the same text. */
function readReasoning(delta: JsonObject, added: Pieces, warn: Warn): void {
  const first = reasoningText(delta.reasoning_content, warn);
  const second = reasoningText(delta.reasoning, warn);
  added.reasoning += first === '' ? second : first;
  if (first !== '' && second !== '' && first !== second) {
    warn('reasoning_content and reasoning differ. Showing reasoning_content.');
  }
}

function reasoningText(value: JsonValue | undefined, warn: Warn): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  warn('The reasoning isn’t text.');
  const inner = isJsonObject(value) ? (value.content ?? value.text) : textInside(value);
  return typeof inner === 'string' && inner !== '' ? inner : textOfValue(value);
}
