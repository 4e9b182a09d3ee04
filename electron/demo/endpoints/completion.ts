/** Implements `POST /v1/completions`. */
import { randomUUID } from 'node:crypto';
import { isJsonNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { Message } from '../../../shared/operations/chat/message.ts';
import { getCompletionRequestSchema } from '../../../shared/operations/completion/request.ts';
import type { DemoExchange } from '../exchange.ts';
import { getLogprobColumns } from '../language/citations.ts';
import { continueProse } from '../language/continue-prose.ts';
import {
  countPrompt,
  createChoiceRandom,
  getUsage,
  listChoiceIndexes,
  sendDocument,
  streamChoices,
} from '../language/generation.ts';
import { languageModels } from '../language/language-models.ts';
import { type Piece, type PlannedChoice, planText, readLimits } from '../language/plan-choice.ts';
import type { Random } from '../language/random.ts';
import { checkRequest, findModel, readJsonObject, withoutNulls } from '../requests.ts';

export async function answerCompletion(exchange: DemoExchange): Promise<void> {
  const body = withoutNulls(await readJsonObject(exchange.request));
  const request = checkRequest(getCompletionRequestSchema(), body);
  const model = findModel(languageModels, request.model);
  const { prompt, suffix = '' } = request;
  const { model: _model, prompt: _prompt, suffix: _suffix, ...parameters } = body;
  const messages: Message[] = [{ role: 'user', content: prompt }];
  const seed = isJsonNumber(body.seed) ? body.seed : undefined;
  const answerPrompt = (choice: number, random: Random | null) =>
    model.answer({
      messages,
      completion: { suffix },
      parameters,
      descriptions: new Map(),
      reasoningEffort: 'low',
      choice,
      random,
    }).content;
  const choices = listChoiceIndexes(request.n).map((choice) => {
    const random = createChoiceRandom(model.id, seed, choice);
    const { proseParagraphs: paragraphs } = model;
    const text =
      paragraphs === undefined
        ? separate(prompt, answerPrompt(choice, random))
        : continueProse({ prompt, suffix, random, paragraphs });
    return planText(choice, '', text, readLimits(request));
  });
  if (model.limited) exchange.state.countLimitedCall();
  const usage = getUsage(countPrompt(messages, undefined), choices);
  const envelope = {
    id: `cmpl-${randomUUID()}`,
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model: model.id,
  };
  const echoed = request.echo ? prompt : '';
  const getPieceLogprobs = (pieces: readonly Piece[]) => {
    if (!model.cites || !isJsonNumber(request.logprobs)) return null;
    return getLogprobColumns(getTokens(pieces), Number(request.logprobs));
  };
  if (!request.stream) {
    return sendDocument(exchange, model, choices, {
      ...envelope,
      choices: choices.map((choice) => ({
        text: echoed + getText(choice),
        index: choice.index,
        logprobs: getPieceLogprobs(choice.pieces),
        finish_reason: choice.finishReason,
      })),
      usage,
    });
  }
  const options = body.stream_options;
  const withUsage = isJsonObject(options) && options.include_usage === true;
  const chunk = (
    { index }: PlannedChoice,
    text: string,
    finish: string | null,
    logprobs: JsonObject | null = null,
  ) => ({
    ...envelope,
    choices: [{ text, index, logprobs, finish_reason: finish }],
    ...(withUsage ? { usage: null } : {}),
  });
  await streamChoices(exchange, model, choices, {
    opening: (choice) => (echoed === '' ? [] : [chunk(choice, echoed, null)]),
    piece: (choice, piece) =>
      piece.kind === 'content' ? [chunk(choice, piece.text, null, getPieceLogprobs([piece]))] : [],
    // In this API, the last chunk includes usage even without `stream_options`.
    ending: (choice, isLast) => [
      { ...chunk(choice, '', choice.finishReason), ...(isLast && !withUsage ? { usage } : {}) },
    ],
    closing: () => (withUsage ? [{ ...envelope, choices: [], usage }] : []),
  });
}

function getText({ pieces }: PlannedChoice): string {
  return getTokens(pieces).join('');
}

function getTokens(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => (piece.kind === 'content' ? [piece.text] : []));
}

/** Adds a blank line before the text, unless the prompt ends with a space. */
function separate(prompt: string, text: string): string {
  return /\s$/.test(prompt) ? text : `\n\n${text}`;
}
