/** Implements `POST /v1/chat/completions`. */
import { randomUUID } from 'node:crypto';
import { getNumber } from '../../../shared/exact-number.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { isJsonObject } from '../../../shared/json.ts';
import { type ChatRequest, getChatRequestSchema } from '../../../shared/operations/chat/request.ts';
import type { Usage } from '../../../shared/operations/response/usage.ts';
import type { DemoExchange } from '../exchange.ts';
import type { LanguageModel } from '../language/answer.ts';
import { annotate, citedFields, getLogprobs } from '../language/citations.ts';
import {
  countPrompt,
  createChoiceRandom,
  getUsage,
  listChoiceIndexes,
  sendDocument,
  streamChoices,
} from '../language/generation.ts';
import { findHonesty, treatBody } from '../language/honesty.ts';
import { languageModels } from '../language/language-models.ts';
import {
  type Piece,
  type PlannedChoice,
  planChatChoice,
  readLimits,
} from '../language/plan-choice.ts';
import { checkSignatures, signCall, signReasoning } from '../language/signatures.ts';
import { readSpeechWish, speakChoices } from '../language/speak-choices.ts';
import { describeParts } from '../media/inspect-media.ts';
import { checkRequest, findModel, readJsonObject, withoutNulls } from '../requests.ts';

export async function answerChat(exchange: DemoExchange): Promise<void> {
  const body = await readJsonObject(exchange.request);
  const asked: ChatRequest = checkRequest(getChatRequestSchema(), withPlainMessages(body));
  const model = findModel(languageModels, asked.model);
  const isLie = findHonesty(model.id)?.lies === true;
  const heard = isLie ? ignoreFields(body) : body;
  const request = isLie ? checkRequest(getChatRequestSchema(), withPlainMessages(heard)) : asked;
  if (model.signs) checkSignatures(request.messages);
  const wish = readSpeechWish(request);
  const answered = await planChat(exchange, model, request, heard);
  const planned = isLie ? claimEnd(answered, asked) : answered;
  const choices = wish === null ? planned : await speakChoices(planned, wish, exchange);
  const counted = getUsage(countPrompt(request.messages, request.tools), choices);
  const usage = isLie ? claimUsage(counted, asked) : counted;
  const format: AnswerFormat = { model, alternatives: readAlternatives(heard) };
  const envelope = {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(Date.now() / 1000),
    model: isLie ? CLAIMED_MODEL : model.id,
    system_fingerprint: 'fp_demo',
  };
  if (!request.stream) {
    return sendDocument(exchange, model, choices, {
      ...envelope,
      object: 'chat.completion',
      choices: choices.map((choice) => toDocumentChoice(choice, format)),
      usage,
      ...(model.cites && citedFields),
    });
  }
  const withUsage = request.stream_options?.include_usage === true;
  const chunk = (
    choice: PlannedChoice,
    delta: JsonObject,
    finish: string | null,
    logprobs: JsonObject | null = null,
  ) => [
    {
      ...envelope,
      object: 'chat.completion.chunk',
      choices: [{ index: choice.index, delta, logprobs, finish_reason: finish }],
      ...(withUsage ? { usage: null } : {}),
      ...(model.cites && finish !== null && citedFields),
    },
  ];
  await streamChoices(exchange, model, choices, {
    opening: (choice) => chunk(choice, { role: 'assistant', content: '' }, null),
    piece: (choice, piece) =>
      chunk(choice, toDelta(choice, piece, format), null, getPieceLogprobs([piece], format)),
    ending: (choice) => chunk(choice, getSources(choice, format), choice.finishReason),
    closing: () =>
      withUsage ? [{ ...envelope, object: 'chat.completion.chunk', choices: [], usage }] : [],
  });
}

/** Plans the choices of a request in any chat format; `body` is echoed by some models. */
export async function planChat(
  { state, signal }: Pick<DemoExchange, 'state' | 'signal'>,
  model: LanguageModel,
  request: ChatRequest,
  body: JsonObject,
): Promise<PlannedChoice[]> {
  const { model: _model, messages: _messages, ...parameters } = withoutNulls(body);
  const descriptions = model.looksAtMedia
    ? await describeParts(request.messages, signal)
    : new Map<string, string>();
  const planned = listChoiceIndexes(request.n).map((choice) =>
    planChatChoice(model, request, {
      messages: request.messages,
      completion: null,
      parameters,
      descriptions,
      reasoningEffort: request.reasoning_effort ?? 'medium',
      choice,
      random: createChoiceRandom(model.id, request.seed, choice),
    }),
  );
  if (model.limited) state.countLimitedCall();
  return planned;
}

const CLAIMED_MODEL = 'demo-grand-9';
/** Few enough to be wrong for any answer. */
const CLAIMED_TOKENS = 3;

function ignoreFields(body: JsonObject): JsonObject {
  const treated = treatBody(body, body.model);
  return 'body' in treated ? treated.body : body;
}

/** Claims to have stopped at the limit of a request that was ignored. */
function claimEnd(choices: readonly PlannedChoice[], asked: ChatRequest): PlannedChoice[] {
  const isLimited = Number.isFinite(readLimits(asked).maxTokens);
  return choices.map((choice) => ({
    ...choice,
    finishReason: isLimited ? 'length' : choice.finishReason,
  }));
}

function claimUsage(usage: Usage, asked: ChatRequest): Usage {
  const claimed = Math.min(CLAIMED_TOKENS, readLimits(asked).maxTokens);
  const total = (usage.prompt_tokens ?? 0) + claimed;
  return { prompt_tokens: usage.prompt_tokens, completion_tokens: claimed, total_tokens: total };
}

function signsReasoning({ signs, honest }: LanguageModel): boolean {
  return signs === true || honest === true;
}

interface AnswerFormat {
  model: LanguageModel;
  /** The number of alternatives per token; null if the request didn't ask for log probabilities. */
  alternatives: number | null;
}

function readAlternatives({ logprobs, top_logprobs: count }: JsonObject): number | null {
  return logprobs === true ? (getNumber(count) ?? 0) : null;
}

function getPieceLogprobs(
  pieces: readonly Piece[],
  { model, alternatives }: AnswerFormat,
): JsonObject | null {
  if (!(model.cites || model.honest) || alternatives === null) return null;
  const tokens = pieces.flatMap((piece) => (piece.kind === 'content' ? [piece.text] : []));
  return tokens.length === 0 ? null : getLogprobs(tokens, alternatives);
}

function getSources({ pieces }: PlannedChoice, { model }: AnswerFormat): JsonObject {
  return model.cites ? annotate(getPieceText(pieces, 'content')) : {};
}

function getPieceText(pieces: readonly Piece[], kind: 'reasoning' | 'content'): string {
  return pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : [])).join('');
}

function getArguments({ pieces }: PlannedChoice, call: number): string {
  return pieces
    .flatMap((piece) => (piece.kind === 'arguments' && piece.call === call ? [piece.text] : []))
    .join('');
}

function toDelta(choice: PlannedChoice, piece: Piece, { model }: AnswerFormat): JsonObject {
  switch (piece.kind) {
    case 'reasoning': {
      if (!signsReasoning(model)) return { reasoning_content: piece.text };
      const isLast = piece === choice.pieces.findLast(({ kind }) => kind === 'reasoning');
      return signReasoning(piece.text, isLast ? getPieceText(choice.pieces, 'reasoning') : null);
    }
    case 'content':
      return { content: piece.text };
    case 'spoken':
      return { audio: piece.audio };
    case 'call': {
      const { call: index, id, name } = piece;
      const signature = model.signs ? signCall(name, getArguments(choice, index)) : {};
      const called = { name, arguments: '' };
      return { tool_calls: [{ index, id, type: 'function', function: called, ...signature }] };
    }
    case 'arguments':
      return { tool_calls: [{ index: piece.call, function: { arguments: piece.text } }] };
  }
}

function toDocumentChoice(choice: PlannedChoice, format: AnswerFormat) {
  const { index, pieces, finishReason, spoken } = choice;
  const { model } = format;
  const reasoning = getPieceText(pieces, 'reasoning');
  const calls = pieces.flatMap((head) => {
    if (head.kind !== 'call') return [];
    const called = { name: head.name, arguments: getArguments(choice, head.call) };
    const signature = model.signs ? signCall(called.name, called.arguments) : {};
    return [{ id: head.id, type: 'function', function: called, ...signature }];
  });
  const thoughts = signsReasoning(model)
    ? signReasoning(reasoning, reasoning)
    : { reasoning_content: reasoning };
  return {
    index,
    message: {
      role: 'assistant',
      content: calls.length > 0 || spoken !== undefined ? null : getPieceText(pieces, 'content'),
      ...(reasoning === '' ? {} : thoughts),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(spoken === undefined ? {} : { audio: spoken }),
      ...getSources(choice, format),
    },
    logprobs: getPieceLogprobs(pieces, format),
    finish_reason: finishReason,
  };
}

/** Accepts a model's message sent back with null fields, or with tool calls but no content. */
function withPlainMessages(body: JsonObject): JsonObject {
  if (!Array.isArray(body.messages)) return body;
  const messages = body.messages.map((message): JsonValue => {
    if (!isJsonObject(message)) return message;
    const { content, ...rest } = message;
    const onlyCalls = content === undefined && Array.isArray(message.tool_calls);
    const kept = content === undefined ? {} : { content };
    return { ...withoutNulls(rest), ...(onlyCalls ? { content: null } : kept) };
  });
  return { ...body, messages };
}
