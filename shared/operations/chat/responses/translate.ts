/** Converts a Responses response to chat completions and keeps the received items in `items`. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json.ts';
import { listBodyFields } from '../../field-table.ts';
import type { Translation } from '../../response/choices-fold.ts';
import { isError, readIndex } from '../../response/values.ts';
import type { ChatState } from '../state.ts';
import {
  addItem,
  addItemText,
  addPartText,
  createDraft,
  type DeltaDraft,
  findItem,
  findKnown,
  type ItemReference,
  type KnownState,
  matchOutput,
  readWhole,
  syncItem,
  syncPart,
} from './draft.ts';
import { responsesFields } from './fields.ts';
import { partPlaces, textPlaces } from './places.ts';

export const responsesTranslation: Translation<ChatState> = {
  chunks: toChunks,
  document: toDocument,
  isEnd: ({ type }) => typeof type === 'string' && END.has(type),
};

const END = new Set([
  ...['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'],
]);

/** Fields of a response that the state reads, or that repeat the request. */
const READ = new Set([
  ...['id', 'object', 'model', 'created_at', 'completed_at', 'status', 'output', 'output_text'],
  ...['usage', 'error', 'incomplete_details'],
  ...listBodyFields(responsesFields),
  // Options that the form doesn't have.
  ...['metadata', 'background', 'max_tool_calls', 'previous_response_id', 'conversation', 'prompt'],
  ...['truncation', 'prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options', 'image'],
  ...['presence_penalty', 'frequency_penalty', 'moderation', 'access_programs'],
]);

/** Progress events, which are ignored because the items repeat their content. */
const PROGRESS = new RegExp(
  [
    /^response\.(?:\w+_call|mcp_list_tools|compaction)\.(?<status>[a-z]+(?:_progress)?)$/,
    /^response\.shell_call_(?:command|output_content)\.(?:added|delta|done)$/,
    /^response\.audio\.(?:transcript\.)?done$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

function toChunks(event: JsonObject, state: KnownState): JsonObject[] {
  const { type, response, item, part } = event;
  if (typeof type !== 'string') return [event];
  if (END.has(type)) return isJsonObject(response) ? [endChunk(response, state)] : [];
  const draft = createDraft(state);
  switch (type) {
    case 'response.created':
    case 'response.queued':
    case 'response.in_progress':
      return isJsonObject(response) ? [startChunk(response)] : [];
    case 'error':
      return [{ error: isError(event.error) ? event.error : withoutType(event) }];
    case 'response.output_item.added':
    case 'response.output_item.done': {
      if (!isJsonObject(item)) return [];
      const isDone = type.endsWith('.done');
      const { id, call_id: callId } = item;
      const named = { type: item.type, id, callId, isAdded: !isDone, whole: readWhole(item) };
      syncItem(draft, { ...findItem(draft, { ...refer(event), ...named }), item, isDone });
      return deltaChunks(draft);
    }
    case 'response.content_part.added':
    case 'response.content_part.done':
    case 'response.reasoning_summary_part.added':
    case 'response.reasoning_summary_part.done':
      return isJsonObject(part) ? readPart(draft, event, part) : [];
    case 'response.output_text.annotation.added':
      return readPart(draft, event, {
        type: 'output_text',
        annotations: [event.annotation ?? null],
      });
    case 'response.image_generation_call.partial_image': {
      const known = findKnown(draft, { ...refer(event), type: 'image_generation_call' });
      const index = known?.index ?? readPosition(event.output_index);
      draft.delta.images = [{ index, image_url: { url: event.partial_image_b64 ?? '' } }];
      return deltaChunks(draft);
    }
    case 'response.audio.delta':
      return [deltaChunk({ audio: { data: event.delta ?? '' } })];
    case 'response.audio.transcript.delta':
      return [deltaChunk({ audio: { transcript: event.delta ?? '' } })];
    default:
      return (
        readText(draft, type, event) ?? readProgress(draft, type, event) ?? [{ [type]: event }]
      );
  }
}

/** Returns the IDs and position by which the event refers to its item. */
function refer({
  item_id: itemId,
  call_id: callId,
  output_index: place,
}: JsonObject): ItemReference {
  return { itemId, callId, place: readPosition(place) };
}

function readPart(draft: DeltaDraft, event: JsonObject, part: JsonObject): JsonObject[] {
  const place = partPlaces.get(part.type ?? null);
  if (place === undefined) return [];
  const text = part[place.name];
  // Parts begin empty, and their item begins with its text.
  if (text === '' && !hasAnnotations(part)) return [];
  const whole = typeof text === 'string' ? text : '';
  const target = findItem(draft, { ...refer(event), type: place.itemType, whole });
  syncPart(draft, { ...target, place, at: readPosition(event[place.position]), part });
  return deltaChunks(draft);
}

function hasAnnotations({ annotations }: JsonObject): boolean {
  return Array.isArray(annotations) && annotations.length > 0;
}

/** Returns null if the event has no piece of a text or of an item's field. */
function readText(draft: DeltaDraft, type: string, event: JsonObject): JsonObject[] | null {
  const [, stem = '', step] = /^response\.(\w+)\.(delta|done)$/.exec(type) ?? [];
  const place = textPlaces.get(stem);
  if (place === undefined) return null;
  const value = step === 'delta' ? event.delta : event[place.name];
  const text = typeof value === 'string' ? value : '';
  if (text === '') return [];
  const isWhole = step === 'done';
  const reference = { ...refer(event), type: place.itemType, ...(isWhole && { whole: text }) };
  const target = findItem(draft, reference);
  if (place.kind === 'item') addItemText(draft, { ...target, place, text, isWhole });
  else {
    const at = readPosition(event[place.position]);
    addPartText(draft, { ...target, place, at, text, isWhole, logprobs: event.logprobs });
  }
  return deltaChunks(draft);
}

/** Returns null for an unknown event. */
function readProgress(draft: DeltaDraft, type: string, event: JsonObject): JsonObject[] | null {
  const progress = PROGRESS.exec(type);
  if (progress === null) return null;
  const status = progress.groups?.status;
  const known = findKnown(draft, refer(event));
  if (known === undefined || status === undefined) return [];
  addItem(draft, known, { status });
  return deltaChunks(draft);
}

/** Gateways that send one item may omit its position. */
function readPosition(value: JsonValue | undefined): number {
  return readIndex(value) ?? 0;
}

function withoutType({ type: _type, sequence_number: _number, ...error }: JsonObject): JsonObject {
  return error;
}

function startChunk(response: JsonObject): JsonObject {
  return { ...readEnvelope(response), ...deltaChunk({ role: 'assistant' }) };
}

function readEnvelope({ id, model, created_at: created, usage }: JsonObject): JsonObject {
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(created !== undefined && { created }),
    ...(isJsonObject(usage) && { usage }),
  };
}

function deltaChunk(delta: JsonObject): JsonObject {
  return { choices: [{ index: 0, delta }] };
}

function deltaChunks({ delta, logprobs }: DeltaDraft): JsonObject[] {
  if (Object.keys(delta).length === 0 && logprobs.length === 0) return [];
  return [{ choices: [{ index: 0, delta, ...toLogprobs(logprobs) }] }];
}

function toLogprobs(logprobs: JsonValue[]): JsonObject {
  return logprobs.length === 0 ? {} : { logprobs: { content: logprobs } };
}

/** Some gateways send the output only at the end; others omit it there. */
function endChunk(response: JsonObject, state: KnownState): JsonObject {
  const draft = createDraft(state);
  for (const match of matchOutput(draft, readOutput(response))) {
    syncItem(draft, { ...match, isDone: true });
  }
  const { delta, logprobs } = draft;
  return {
    ...readEnd(response),
    choices: [{ ...readFinish(response), delta, ...toLogprobs(logprobs) }],
  };
}

function readOutput({ output }: JsonObject): JsonObject[] {
  return Array.isArray(output) ? output.filter(isJsonObject) : [];
}

function readEnd(response: JsonObject): JsonObject {
  const { error, status } = response;
  const others = Object.entries(response).filter(
    ([name, value]) => value !== null && !READ.has(name),
  );
  const reason = isError(error) ? error : { message: 'The response failed.' };
  return {
    ...Object.fromEntries(others),
    ...readEnvelope(response),
    ...((status === 'failed' || isError(error)) && { error: reason }),
  };
}

/** An incomplete response states the reason. */
function readFinish({ status, incomplete_details: details }: JsonObject): JsonObject {
  const reason = isJsonObject(details) ? details.reason : null;
  const word = status === 'incomplete' ? (reason ?? 'max_output_tokens') : (status ?? null);
  return { index: 0, finish_reason: word === 'failed' ? null : word };
}

function toDocument(body: JsonObject): JsonObject {
  if (!Array.isArray(body.output)) return body;
  const output = readOutput(body);
  const draft = createDraft({ choices: [] });
  for (const [index, item] of output.entries()) {
    syncItem(draft, { known: undefined, item, index, isDone: true });
  }
  const { delta, logprobs } = draft;
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isJsonObject) : [];
  const message: JsonObject = {
    role: 'assistant',
    ...delta,
    ...(calls.length > 0 && { tool_calls: calls.map(({ index: _, ...call }) => call) }),
    ...(output.length > 0 && { items: output.map((item, index) => ({ index, ...item })) }),
  };
  return {
    ...readEnd(body),
    choices: [{ ...readFinish(body), message, ...toLogprobs(logprobs) }],
  };
}
