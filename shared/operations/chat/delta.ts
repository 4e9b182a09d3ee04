/** Reads one `delta` or `message` of a chat reply, narrowed by hand (reply-fold.ts says why). */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { ReceivedChoice } from '../reply/choices-fold.ts';
import { type ChoiceEnd, readChoiceEnd } from '../reply/finish-reason.ts';
import { readWord, textOfValue, type Warn } from '../reply/values.ts';
import { addAudio } from './audio.ts';
import type { ChatChoice } from './state.ts';
import { addText } from './think-tags.ts';
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

/** The choice with one chunk's or document's piece added; the same object if nothing was added. */
export function addToChoice(
  choice: ChatChoice,
  received: ReceivedChoice,
  { isFirst, whole }: { isFirst: boolean; whole: boolean },
  warn: Warn,
): ChatChoice {
  const delta = deltaOf(received.value, warn);
  const added = emptyPieces();
  readContent(delta.content, added, warn);
  readReasoning(delta, added, warn);
  if (typeof delta.refusal === 'string') added.refusal = delta.refusal;
  const role = readWord(delta.role, 'role', warn) ?? choice.role;
  const toolCalls = addToolCalls(choice.toolCalls, delta.tool_calls, whole, warn);
  const audio = addAudio(choice.audio ?? null, delta.audio, warn);
  const hasOutput =
    added.content !== '' ||
    added.reasoning !== '' ||
    added.refusal !== '' ||
    toolCalls !== choice.toolCalls ||
    audio !== (choice.audio ?? null);
  const end = readChoiceEnd(choice, received.value.finish_reason, { isFirst, hasOutput }, warn);
  if (!hasOutput && role === choice.role && end.finishReason === choice.finishReason) return choice;
  const { content, reasoning, think } = addText(
    {
      content: choice.content,
      reasoning: choice.reasoning + added.reasoning,
      think: choice.think,
    },
    added.content,
    whole ? textEnd(end) : 'more',
  );
  return {
    index: choice.index,
    role,
    content,
    reasoning,
    refusal: choice.refusal + added.refusal,
    toolCalls,
    ...(think && { think }),
    ...(audio === null ? {} : { audio }),
    ...end,
  };
}

/** The choice when nothing more comes; the same object if nothing was held back. */
export function endChoice(choice: ChatChoice): ChatChoice {
  const ended = addText(choice, '', textEnd(choice));
  if (ended === choice) return choice;
  const { think: _, ...rest } = choice;
  const { content, reasoning, think } = ended;
  return { ...rest, content, reasoning, ...(think && { think }) };
}

function textEnd({ finishReason }: ChoiceEnd): 'stopped' | 'cut' {
  return finishReason === 'stop' ? 'stopped' : 'cut';
}

type Pieces = { content: string; reasoning: string; refusal: string };

function emptyPieces(): Pieces {
  return { content: '', reasoning: '', refusal: '' };
}

/** A chunk may bring `message` for `delta`, `text` as text completion does, or only a finish reason. */
function deltaOf(value: JsonObject, warn: Warn): JsonObject {
  const { delta, message, text } = value;
  if (isJsonObject(delta)) return delta;
  if (isJsonObject(message)) return message;
  const stray = [delta, message, text].find((item) => item !== undefined && item !== null);
  if (stray === undefined) return {};
  warn('A chunk of the answer has no delta or message.');
  return { content: stray };
}

function readContent(content: JsonValue | undefined, added: Pieces, warn: Warn): void {
  if (typeof content === 'string') added.content = content;
  else if (Array.isArray(content)) for (const part of content) readPart(part, added, warn);
  else if (content !== undefined && content !== null) readPart(content, added, warn);
}

function readPart(part: JsonValue, added: Pieces, warn: Warn): void {
  if (typeof part === 'string') added.content += part;
  else if (isJsonObject(part) && isThought(part)) {
    added.reasoning += textInside(part.thinking ?? part.reasoning ?? part.text);
  } else if (isJsonObject(part) && typeof part.text === 'string') added.content += part.text;
  else if (isJsonObject(part)) {
    warn('The answer contains a part that is not text. Open the inspector to see it.');
  } else if (part !== null) {
    warn('The content is neither text nor a list of parts.');
    added.content += textOfValue(part);
  }
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

/** Two spellings are in use; a gateway that sends both sends the same text twice. */
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
  warn('The reasoning is not text.');
  const inner = isJsonObject(value) ? (value.content ?? value.text) : textInside(value);
  return typeof inner === 'string' && inner !== '' ? inner : textOfValue(value);
}
