/** Turns a model's answer into the pieces that go out: stop sequences, limits and JSON applied. */
import { randomUUID } from 'node:crypto';
import { getNumber, type JsonNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import type { ChatRequest } from '../../../shared/operations/chat/request.ts';
import { type LanguageModel, lastUserText, type Question, shorten } from './answer.ts';
import { jsonFromSchema } from './json-from-schema.ts';
import { splitTokens } from './tokens.ts';
import { findHints, planCalls, summarizeToolResults } from './tool-calls.ts';

/** Base64 sound and its words, as chat completion names them. */
export interface SpokenAnswer {
  id: string;
  data: string;
  /** Unix time in seconds. */
  expires_at: number;
  transcript: string;
}

/** One token, the head of a tool call, or a fragment of speech. */
export type Piece =
  | { kind: 'reasoning'; text: string }
  | { kind: 'content'; text: string }
  | { kind: 'call'; call: number; id: string; name: string }
  | { kind: 'arguments'; call: number; text: string }
  | { kind: 'spoken'; audio: Partial<SpokenAnswer> };

export interface PlannedChoice {
  index: number;
  pieces: Piece[];
  finishReason: 'stop' | 'length' | 'tool_calls';
  /** The whole answer as sound, where that was requested. */
  spoken?: SpokenAnswer;
}

export interface ChoiceLimits {
  stop: string[];
  /** Tokens including reasoning; infinite when not limited. */
  maxTokens: number;
}

/** `maxTokens` below 0 means no limit, as clients that send -1 expect. */
export function readLimits(request: {
  stop?: string | string[] | undefined;
  max_tokens?: JsonNumber | undefined;
  max_completion_tokens?: JsonNumber | undefined;
}): ChoiceLimits {
  const { stop = [], max_tokens: most, max_completion_tokens: mostCompletion } = request;
  const limits = [most, mostCompletion]
    .map(getNumber)
    .filter((limit) => limit !== null)
    .filter((limit) => limit >= 0);
  return {
    stop: [stop].flat().filter((sequence) => sequence !== ''),
    maxTokens: Math.min(Number.POSITIVE_INFINITY, ...limits),
  };
}

export function planChatChoice(
  model: LanguageModel,
  request: ChatRequest,
  question: Question,
): PlannedChoice {
  const limits = readLimits(request);
  const calls = planCalls(request, model);
  if (calls.length > 0) {
    const pieces = calls.flatMap(({ name, arguments: value }, call): Piece[] => [
      { kind: 'call', call, id: `call_${randomUUID().replaceAll('-', '')}`, name },
      ...splitTokens(JSON.stringify(value)).map(
        (text): Piece => ({ kind: 'arguments', call, text }),
      ),
    ]);
    return limited(question.choice, pieces, 'tool_calls', limits);
  }
  const { reasoning = '', content } = answerInWords(model, request, question);
  return describePlan(question.choice, reasoning, content, limits);
}

export function describePlan(
  index: number,
  reasoning: string,
  content: string,
  limits: ChoiceLimits,
): PlannedChoice {
  const pieces: Piece[] = [
    ...splitTokens(reasoning).map((text): Piece => ({ kind: 'reasoning', text })),
    ...splitTokens(cutAtStop(content, limits.stop)).map(
      (text): Piece => ({ kind: 'content', text }),
    ),
  ];
  return limited(index, pieces, 'stop', limits);
}

function limited(
  index: number,
  pieces: Piece[],
  finishReason: 'stop' | 'tool_calls',
  { maxTokens }: ChoiceLimits,
): PlannedChoice {
  return pieces.length <= maxTokens
    ? { index, pieces, finishReason }
    : { index, pieces: pieces.slice(0, maxTokens), finishReason: 'length' };
}

function answerInWords(model: LanguageModel, request: ChatRequest, question: Question) {
  const { type, json_schema: definition } = request.response_format ?? { type: 'text' };
  if (type === 'json_schema') {
    const schema: JsonValue =
      definition !== undefined && isJsonObject(definition.schema)
        ? definition.schema
        : (definition ?? { type: 'object' });
    return { content: inJson(jsonFromSchema(schema, findHints(lastUserText(request.messages)))) };
  }
  const summary = model.readsToolResults ? null : summarizeToolResults(request);
  const answer = summary === null ? model.answer(question) : { content: summary };
  if (type !== 'json_object' || model.readsToolResults) return answer;
  const text = shorten(answer.content, 400);
  return { ...answer, content: inJson({ model: model.id, simulated: true, answer: text }) };
}

function inJson(value: JsonValue): string {
  return JSON.stringify(value, null, 2);
}

/** The answer ends before the first stop sequence in it, wherever its tokens begin. */
function cutAtStop(text: string, stop: readonly string[]): string {
  const starts = stop.map((sequence) => text.indexOf(sequence)).filter((start) => start >= 0);
  return starts.length === 0 ? text : text.slice(0, Math.min(...starts));
}
