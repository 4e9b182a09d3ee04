/**
 * Folds chat and completion streams; avoids zod, because streams can reach 3,000 chunks per second.
 */
import { isJsonNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import type { RunEvent, RunEventOf } from '../../run.ts';
import type { Folded, Operation } from '../operation.ts';
import { type ChunkPattern, findChunkPattern } from './chunk-pattern.ts';
import type { ResponseEnvelope } from './envelope.ts';
import { type ChoiceEnd, NO_STREAM_END } from './finish-reason.ts';
import { createFoldBatch, type FoldBatch, MAX_CHOICES, TOO_MUCH_WARNING } from './fold-batch.ts';
import { isEndMark, readDocuments } from './json-documents.ts';
import { readUsage } from './usage.ts';
import { addWarnings, isError, readIndex, readString, toDisplayText, type Warn } from './values.ts';

/** An item of `choices` with its `index`, or its position if it has no index. */
export interface ReceivedChoice {
  index: number;
  value: JsonObject;
}

/** `chunks`: a single chunk that contains the joined text of several. */
export type ChoiceSource = 'document' | 'chunk' | 'chunks';

export interface Reading {
  source: ChoiceSource;
  batch: FoldBatch;
  warn: Warn;
}

export interface ChoiceReader<State> {
  /** Adds the choices, and the number of output characters to `batch`. */
  choices(state: State, received: ReceivedChoice[], reading: Reading): State;
  /** Reads top-level fields that only this operation has. */
  extra?(state: State, body: JsonObject, reading: Reading): State;
  /** Flushes buffered text when the response ends. */
  end?(state: State): State;
  /** Text of at least this length may repeat the field, so it's folded separately; 0 for any. */
  repeatLength?(state: State, place: { index: number; field: string }): number;
  /** Whether `after` has generated output that `before` lacks. */
  hasNewOutput(before: State, after: State): boolean;
}

/** Converts a response of another format to the chunks and documents that this fold reads. */
export interface Translation<State> {
  /** Returns no chunks for an event that adds nothing, such as a ping. */
  chunks(event: JsonObject, state: State): JsonObject[];
  document(body: JsonObject): JsonObject;
  /** Whether the event is the last one of its stream. */
  isEnd(event: JsonObject): boolean;
}

/** For fewer chunks, building a pattern takes longer than parsing. */
const PATTERN_FROM = 6;
/** Stops trying patterns if the chunks differ in more than one text. */
const PATTERNS_TRIED = 2;

type FoldableState = ResponseEnvelope & {
  choices: readonly ({ index: number } & ChoiceEnd)[];
};

/** Pure, keeps unchanged objects, and never throws, whatever the gateway sent. */
export function createResponseFold<State extends FoldableState>(
  reader: ChoiceReader<State>,
  translation: Translation<State> | null = null,
): Required<Pick<Operation<never, State>, 'fold' | 'foldChunks' | 'hasNewOutput'>> {
  function readBody(state: State, body: JsonObject, source: ChoiceSource, batch: FoldBatch): State {
    const warnings = new Set<string>();
    const warn: Warn = (warning) => warnings.add(warning);
    const reading = { source, batch, warn };
    let next = readEnvelope(state, body, warn);
    if (reader.extra) next = reader.extra(next, body, reading);
    const received = readReceivedChoices(body.choices, warn);
    if (received.length > 0) next = reader.choices(next, received, reading);
    return addWarnings(next, [...warnings]);
  }

  function foldChunk(state: State, event: RunEventOf<'chunk'>, batch: FoldBatch): State {
    if (event.comment) return state;
    const data = event.data.trim();
    if (data === '') return state;
    const streamed = state.streamed === true ? state : { ...state, streamed: true };
    const read = readFrame(streamed, event.event, data, batch);
    return isEndMark(data) && !read.done ? { ...read, done: true } : read;
  }

  function readFrame(state: State, name: string | null, data: string, batch: FoldBatch): State {
    if (data === '[DONE]') return state;
    const documents = readDocuments(data) ?? [undefined];
    const [body] = documents;
    if (name === 'error' && !(isJsonObject(body) && isError(body.error))) {
      return { ...state, streamError: isJsonObject(body) ? body : { message: data } };
    }
    let next = state;
    for (const document of documents) {
      next = isJsonObject(document)
        ? readChunk(next, document, batch)
        : addWarnings(next, [WARNINGS.notJson]);
    }
    return next;
  }

  function readChunk(state: State, document: JsonObject, batch: FoldBatch): State {
    if (translation === null) return readBody(state, document, 'chunk', batch);
    let next = state;
    for (const chunk of translation.chunks(document, state)) {
      next = readBody(next, chunk, 'chunk', batch);
    }
    return translation.isEnd(document) ? { ...next, done: true } : next;
  }

  function foldBody(state: State, event: RunEventOf<'body'>): State {
    const document = parseJson(event.text);
    const received = Array.isArray(document) && document.length === 1 ? document[0] : document;
    if (isJsonObject(received)) {
      const body = translation === null ? received : translation.document(received);
      const unreadable = !Array.isArray(body.choices);
      const read = readBody(state, body, 'document', createFoldBatch());
      return { ...read, done: true, unreadable };
    }
    return { ...state, unreadable: true };
  }

  function fold(state: State, event: RunEvent): State {
    switch (event.kind) {
      case 'chunk':
        return foldChunk(state, event, createFoldBatch());
      case 'body':
        return foldBody(state, event);
      case 'finish':
        return addWarnings(reader.end?.(state) ?? state, listMissing(state));
      case 'error':
        return reader.end?.(state) ?? state;
      default:
        return state;
    }
  }

  let lastPattern: ChunkPattern | null = null;

  /** A pattern matches chunks of any run, so try the last one before building another. */
  function findPattern(data: string): ChunkPattern | null {
    const isKnown = lastPattern !== null && lastPattern.readText(data) !== null;
    if (!isKnown) lastPattern = findChunkPattern(data);
    return lastPattern;
  }

  /** Folds chunks that differ only in one text as a single chunk with the joined text. */
  function foldChunks(before: State, events: readonly RunEventOf<'chunk'>[]): Folded<State> {
    const batch = createFoldBatch();
    let state = before;
    let produced = 0;
    let tries = PATTERNS_TRIED;
    for (let at = 0; at < events.length; ) {
      const first = events[at];
      if (first === undefined) break;
      const { output } = batch;
      state = foldChunk(state, first, batch);
      if (batch.output > output) produced += 1;
      at += 1;
      if (translation !== null) continue;
      if (tries === 0 || events.length - at < PATTERN_FROM || first.comment) continue;
      const pattern = first.event === 'error' ? null : findPattern(first.data);
      const alone = pattern ? reader.repeatLength?.(state, pattern) : undefined;
      if (alone === 0) continue;
      const texts: string[] = [];
      for (let next = events[at]; pattern && next; next = events[at]) {
        const isAlike = !next.comment && next.event === first.event;
        const text = isAlike ? pattern.readText(next.data) : null;
        if (text === null || (alone !== undefined && text.length >= alone)) break;
        texts.push(text);
        at += 1;
      }
      if (pattern === null || texts.length === 0) tries -= 1;
      else {
        const known = batch.output;
        state = readBody(state, pattern.withText(texts.join('')), 'chunks', batch);
        // The reader may ignore the pattern's text field.
        if (batch.output > known) produced += texts.filter((text) => text !== '').length;
      }
    }
    return { state, produced };
  }

  return { fold, foldChunks, hasNewOutput: reader.hasNewOutput };
}

const WARNINGS = {
  notJson: 'A chunk of the stream isn’t a JSON object.',
  nothing: 'The response has no choices.',
  choicesNotList: 'The choices aren’t a list.',
  choiceNotObject: 'A choice isn’t a JSON object.',
  usage: 'The usage isn’t a JSON object.',
};

function listMissing(state: FoldableState): string[] {
  if (state.streamError !== null) return [];
  const { choices, done } = state;
  if (choices.length === 0) return [done ? WARNINGS.nothing : NO_STREAM_END];
  return done || choices.every((choice) => choice.finishReason !== null) ? [] : [NO_STREAM_END];
}

/** Most fields change only once, so most chunks don't copy the envelope. */
function readEnvelope<State extends FoldableState>(
  state: State,
  body: JsonObject,
  warn: Warn,
): State {
  let next = state;
  if (state.id === null) {
    const id = readString(body.id, 'id', warn);
    if (id !== null) next = { ...next, id };
  }
  if (state.model === null) {
    const model = readString(body.model, 'model', warn);
    if (model !== null) next = { ...next, model };
  }
  if (state.created === null && isJsonNumber(body.created)) {
    next = { ...next, created: body.created };
  }
  if (isJsonObject(body.usage)) next = { ...next, usage: readUsage(body.usage) };
  else if (body.usage !== undefined && body.usage !== null) warn(WARNINGS.usage);
  if (isJsonObject(body.timings)) next = { ...next, timings: body.timings };
  if (isError(body.error)) {
    const { error } = body;
    next = {
      ...next,
      streamError: isJsonObject(error) ? error : { message: toDisplayText(error) },
    };
  } else if (body.object === 'error') next = { ...next, streamError: body };
  return next;
}

function readReceivedChoices(value: JsonValue | undefined, warn: Warn): ReceivedChoice[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) warn(WARNINGS.choicesNotList);
  const items = Array.isArray(value) ? value : [value];
  const received: ReceivedChoice[] = [];
  for (const [position, item] of items.entries()) {
    if (!isJsonObject(item)) warn(WARNINGS.choiceNotObject);
    else received.push({ index: readIndex(item.index) ?? position, value: item });
  }
  return received;
}

/** Adds each received choice to the choice with the same index and keeps unchanged choices. */
export function updateChoices<Choice extends { index: number }>(
  choices: Choice[],
  received: readonly ReceivedChoice[],
  { batch, warn }: Reading,
  empty: (index: number) => Choice,
  change: (choice: Choice, received: ReceivedChoice, isFirst: boolean) => Choice,
): Choice[] {
  let updated = choices;
  for (const item of received) {
    const at = getPlace(updated, item.index);
    const known = updated[at];
    const isFirst = known?.index !== item.index;
    if (isFirst && updated.length >= MAX_CHOICES) {
      warn(TOO_MUCH_WARNING);
      continue;
    }
    const changed = change(isFirst ? empty(item.index) : known, item, isFirst);
    if (changed === known) continue;
    updated = batch.editList(updated);
    if (isFirst) updated.splice(at, 0, changed);
    else updated[at] = changed;
  }
  return updated;
}

/** Returns new and changed choices of `after`, with their values in `before`. */
export function findChangedChoices<Choice extends { index: number }>(
  before: readonly Choice[],
  after: readonly Choice[],
): { choice: Choice; old: Choice | undefined }[] {
  if (before === after) return [];
  return after.flatMap((choice) => {
    const known = before[getPlace(before, choice.index)];
    if (known === choice) return [];
    return [{ choice, old: known?.index === choice.index ? known : undefined }];
  });
}

/** Returns the position of the first choice whose index is at least `index`. */
function getPlace(choices: readonly { index: number }[], index: number): number {
  let low = 0;
  for (let high = choices.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((choices[middle]?.index ?? index) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
