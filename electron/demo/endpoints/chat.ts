/** Implements `POST /v1/chat/completions`. */
import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { isJsonObject } from '../../../shared/json.ts';
import { type ChatRequest, chatRequestSchema } from '../../../shared/operations/chat/request.ts';
import type { DemoExchange } from '../exchange.ts';
import {
  choiceIndexes,
  countPrompt,
  getUsage,
  randomForChoice,
  sendDocument,
  streamChoices,
} from '../language/generation.ts';
import { languageModels } from '../language/language-models.ts';
import { type Piece, type PlannedChoice, planChatChoice } from '../language/plan-choice.ts';
import { readSpeechWish, speakChoices } from '../language/speak-choices.ts';
import { describeParts } from '../media/inspect-media.ts';
import { checkRequest, findModel, readJsonObject, withoutNulls } from '../requests.ts';

export async function answerChat(exchange: DemoExchange): Promise<void> {
  const body = await readJsonObject(exchange.request);
  const request: ChatRequest = checkRequest(chatRequestSchema, withPlainMessages(body));
  const model = findModel(languageModels, request.model);
  const { model: _model, messages: _messages, ...parameters } = withoutNulls(body);
  const wish = readSpeechWish(request);
  const descriptions = model.looksAtMedia
    ? await describeParts(request.messages, exchange.signal)
    : new Map<string, string>();
  const planned = choiceIndexes(request.n).map((choice) =>
    planChatChoice(model, request, {
      messages: request.messages,
      completion: null,
      parameters,
      descriptions,
      reasoningEffort: request.reasoning_effort ?? 'medium',
      choice,
      random: randomForChoice(model.id, request.seed, choice),
    }),
  );
  if (model.limited) exchange.state.countLimitedCall();
  const choices = wish === null ? planned : await speakChoices(planned, wish, exchange);
  const usage = getUsage(countPrompt(request.messages, request.tools), choices);
  const envelope = {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(Date.now() / 1000),
    model: model.id,
    system_fingerprint: 'fp_demo',
  };
  if (!request.stream) {
    return sendDocument(exchange, model, choices, {
      ...envelope,
      object: 'chat.completion',
      choices: choices.map(toDocumentChoice),
      usage,
    });
  }
  const withUsage = request.stream_options?.include_usage === true;
  const chunk = (choice: PlannedChoice, delta: JsonObject, finish: string | null) => [
    {
      ...envelope,
      object: 'chat.completion.chunk',
      choices: [{ index: choice.index, delta, logprobs: null, finish_reason: finish }],
      ...(withUsage ? { usage: null } : {}),
    },
  ];
  await streamChoices(exchange, model, choices, {
    opening: (choice) => chunk(choice, { role: 'assistant', content: '' }, null),
    piece: (choice, piece) => chunk(choice, toDelta(piece), null),
    ending: (choice) => chunk(choice, {}, choice.finishReason),
    closing: () =>
      withUsage ? [{ ...envelope, object: 'chat.completion.chunk', choices: [], usage }] : [],
  });
}

function toDelta(piece: Piece): JsonObject {
  switch (piece.kind) {
    case 'reasoning':
      return { reasoning_content: piece.text };
    case 'content':
      return { content: piece.text };
    case 'spoken':
      return { audio: piece.audio };
    case 'call': {
      const { call: index, id, name } = piece;
      return { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
    }
    case 'arguments':
      return { tool_calls: [{ index: piece.call, function: { arguments: piece.text } }] };
  }
}

function toDocumentChoice({ index, pieces, finishReason, spoken }: PlannedChoice) {
  const textOfKind = (kind: 'reasoning' | 'content') =>
    pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : [])).join('');
  const reasoning = textOfKind('reasoning');
  const calls = pieces.flatMap((head) => {
    if (head.kind !== 'call') return [];
    const fragments = pieces.flatMap((piece) =>
      piece.kind === 'arguments' && piece.call === head.call ? [piece.text] : [],
    );
    return [
      {
        id: head.id,
        type: 'function',
        function: { name: head.name, arguments: fragments.join('') },
      },
    ];
  });
  return {
    index,
    message: {
      role: 'assistant',
      content: calls.length > 0 || spoken !== undefined ? null : textOfKind('content'),
      ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(spoken === undefined ? {} : { audio: spoken }),
    },
    logprobs: null,
    finish_reason: finishReason,
  };
}

/** Accepts a model's own message with nulls, and without content next to tool calls. */
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
