/** Splits an answer into tokens and tool calls, applying stop sequences, limits and JSON mode. */
import { randomUUID } from 'node:crypto';
import { getNumber, type JsonNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import {
  getCalled,
  getContentText,
  type SentTool,
  type Tool,
} from '../../../shared/operations/chat/message.ts';
import type { ChatRequest } from '../../../shared/operations/chat/request.ts';
import { createInvalidRequest } from '../requests.ts';
import {
  getLastUserText,
  type LanguageModel,
  listPendingToolResults,
  type Question,
  shorten,
  splitTokens,
} from './answer.ts';
import { createJsonFromSchema, type Hints } from './json-from-schema.ts';

export interface SpokenAnswer {
  id: string;
  data: string;
  expires_at: number;
  transcript: string;
}

/** A piece is one token, the start of a tool call, or a fragment of speech. */
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
  spoken?: SpokenAnswer;
}

export interface ChoiceLimits {
  stop: string[];
  /** Includes reasoning tokens; infinite by default. */
  maxTokens: number;
}

/** A negative `max_tokens` means no limit, because some clients send -1. */
export function readLimits(request: {
  stop?: string | string[] | undefined;
  max_tokens?: JsonNumber | undefined;
  max_completion_tokens?: JsonNumber | undefined;
}): ChoiceLimits {
  const { stop = [], max_tokens: olderLimit, max_completion_tokens: newerLimit } = request;
  const limits = [olderLimit, newerLimit]
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
  const calls = inventCalls(request, model);
  if (calls.length > 0) {
    const pieces = calls.flatMap(({ name, arguments: value }, call): Piece[] => [
      { kind: 'call', call, id: `call_${randomUUID().replaceAll('-', '')}`, name },
      ...splitTokens(JSON.stringify(value)).map(
        (text): Piece => ({ kind: 'arguments', call, text }),
      ),
    ]);
    return limitTokens(question.choice, pieces, 'tool_calls', limits);
  }
  const { reasoning = '', content } = answerInWords(model, request, question);
  return planText(question.choice, reasoning, content, limits);
}

export function planText(
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
  return limitTokens(index, pieces, 'stop', limits);
}

function limitTokens(
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
    return {
      content: toJsonText(
        createJsonFromSchema(schema, findHints(getLastUserText(request.messages))),
      ),
    };
  }
  const summary = model.readsToolResults ? null : summarizeToolResults(request);
  const answer = summary === null ? model.answer(question) : { content: summary };
  if (type !== 'json_object' || model.readsToolResults) return answer;
  const text = shorten(answer.content, 400);
  return { ...answer, content: toJsonText({ model: model.id, simulated: true, answer: text }) };
}

function toJsonText(value: JsonValue): string {
  return JSON.stringify(value, null, 2);
}

function cutAtStop(text: string, stop: readonly string[]): string {
  const starts = stop.map((sequence) => text.indexOf(sequence)).filter((start) => start >= 0);
  return starts.length === 0 ? text : text.slice(0, Math.min(...starts));
}

export interface CallPlan {
  name: string;
  arguments: JsonValue;
}

/** Returns an empty list if the answer should be text, such as after tool results. */
export function inventCalls(request: ChatRequest, model: LanguageModel): CallPlan[] {
  const tools = listToolsToCall(request, model);
  if (listPendingToolResults(request.messages).length > 0) return [];
  const hints = findHints(getLastUserText(request.messages));
  const inventCall = ({ function: { name, parameters } }: Tool, words: string[]): CallPlan => ({
    name,
    arguments: createJsonFromSchema({ type: 'object', ...parameters }, { ...hints, words }),
  });
  const [tool] = tools;
  const isRepeated = model.honest === true && request.parallel_tool_calls !== false;
  if (isRepeated && tool !== undefined && hints.words.length > 1) {
    return hints.words.map((word) => inventCall(tool, [word]));
  }
  return tools.map((each) => inventCall(each, hints.words));
}

function isFunction(tool: SentTool): tool is SentTool & Tool {
  return tool.type === 'function' && tool.function !== undefined;
}

function listToolsToCall(
  { tools: given = [], tool_choice: choice, messages }: ChatRequest,
  model: LanguageModel,
): Tool[] {
  const tools = given.filter(isFunction);
  if (choice === 'none') return [];
  if (typeof choice === 'object') {
    const named = tools.find((tool) => tool.function.name === choice.function.name);
    if (named === undefined) {
      throw createInvalidRequest(
        `tool_choice: No tool is named ${JSON.stringify(choice.function.name)}.`,
        'tool_choice',
      );
    }
    return [named];
  }
  if (tools.length === 0 && choice === 'required') {
    throw createInvalidRequest('tool_choice: "required" needs tools.', 'tool_choice');
  }
  return model.callsAllTools ? tools : pickBestTools(tools, getLastUserText(messages));
}

/** Returns a list of the tool that best matches the question, or an empty list. */
function pickBestTools(tools: Tool[], question: string): Tool[] {
  const questionWords = new Set(getWords(question));
  const scored = tools.map((tool) => {
    const { name, description = '' } = tool.function;
    return {
      tool,
      score: new Set(getWords(`${name} ${description}`).filter((word) => questionWords.has(word)))
        .size,
    };
  });
  const best = scored.reduce<(typeof scored)[number] | null>(
    (leader, next) => (leader === null || next.score > leader.score ? next : leader),
    null,
  );
  return best === null ? [] : [best.tool];
}

function getWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

/** Returns the question's quoted text and capitalized names, for use as text arguments. */
export function findHints(question: string): Hints {
  const quoted = [...question.matchAll(/["“']([^"”']{1,80})["”']/g)].map((match) => match[1] ?? '');
  const names = [...question.matchAll(/(?<=[\p{Ll},;] )\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*/gu)];
  return {
    words: quoted.length > 0 ? quoted : names.map(([name]) => name),
    numbers: [...question.matchAll(/(?<![\w.])-?\d{1,12}(?:\.\d{1,6})?(?![\w])/g)].map(Number),
  };
}

export function summarizeToolResults({ messages }: Pick<ChatRequest, 'messages'>): string | null {
  const results = listPendingToolResults(messages);
  if (results.length === 0) return null;
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const lines = results.map((result) => {
    const call = calls.findLast(({ id }) => id === result.tool_call_id);
    const name = (call && getCalled(call).name) ?? result.name ?? 'the tool';
    return `- **${name}** returned: ${shorten(getContentText(result.content), 400)}`;
  });
  const question = shorten(getLastUserText(messages), 120);
  return [
    `You wrote: “${question}”. ${results.length === 1 ? 'The tool' : 'The tools'} returned:`,
    '',
    ...lines,
    '',
    'That is all I need. (A simulated model wrote this from the tool results above.)',
  ].join('\n');
}
