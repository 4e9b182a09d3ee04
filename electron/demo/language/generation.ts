/** Sends chat and completion choices at the model's speed, and counts tokens. */
import type { JsonNumber } from '../../../shared/exact-number.ts';
import { getCalled, type Message, type SentPart } from '../../../shared/operations/chat/message.ts';
import type { Usage } from '../../../shared/operations/response/usage.ts';
import { type DemoExchange, openEventStream } from '../exchange.ts';
import { createInvalidRequest } from '../requests.ts';
import { countTokens, type LanguageModel } from './answer.ts';
import type { Piece, PlannedChoice } from './plan-choice.ts';
import { createSeededRandom, type Random } from './random.ts';

const MAX_CHOICES = 16;
/** The maximum time that a non-streaming response waits for its tokens. */
const MAX_DOCUMENT_WAIT_MS = 2000;

export function listChoiceIndexes(requested: JsonNumber = 1): number[] {
  const n = Number(requested);
  if (n < 1) throw createInvalidRequest('n: Enter 1 or more.', 'n');
  if (n > MAX_CHOICES) {
    throw createInvalidRequest(`n: The demo gateway returns at most ${MAX_CHOICES} choices.`, 'n');
  }
  return Array.from({ length: n }, (_, index) => index);
}

export function createChoiceRandom(
  model: string,
  seed: JsonNumber | undefined,
  choice: number,
): Random | null {
  if (seed === undefined && choice === 0) return null;
  return createSeededRandom(model, String(seed ?? 'no seed'), choice);
}

/** Each function returns the chunks to send for its endpoint; an empty list sends nothing. */
export interface StreamShape {
  opening: (choice: PlannedChoice) => unknown[];
  piece: (choice: PlannedChoice, piece: Piece) => unknown[];
  ending: (choice: PlannedChoice, isLast: boolean) => unknown[];
  closing: () => unknown[];
  isTyped?: true;
}

/** Streams the choices in parallel, token by token. */
export async function streamChoices(
  exchange: DemoExchange,
  model: LanguageModel,
  choices: readonly PlannedChoice[],
  shape: StreamShape,
): Promise<void> {
  const { pace } = exchange.state;
  const stream = openEventStream(exchange, shape);
  await stream.wait(model.delayMs);
  await stream.send(choices.flatMap(shape.opening));
  const maxLength = Math.max(...choices.map(({ pieces }) => pieces.length));
  const cutAt = model.flaky ? Math.ceil(maxLength / 2) : Number.POSITIVE_INFINITY;
  const msPerToken = 1000 / model.tokensPerSecond;
  const startedAt = pace.now();
  let ended = 0;
  for (let step = 0; step <= maxLength; ) {
    const due = Math.min(maxLength + 1, Math.floor((pace.now() - startedAt) / msPerToken));
    const documents: unknown[] = [];
    for (; step < due; step += 1) {
      for (const choice of choices) {
        const piece = choice.pieces[step];
        if (step === cutAt) {
          await stream.send(documents);
          return stream.cut(shape.ending(choice, true)[0]);
        }
        if (piece !== undefined) documents.push(...shape.piece(choice, piece));
        else if (step === choice.pieces.length) {
          ended += 1;
          documents.push(...shape.ending(choice, ended === choices.length));
        }
      }
    }
    if (documents.length > 0) await stream.send(documents);
    const nextAt = startedAt + (step + 1) * msPerToken;
    if (step <= maxLength) await stream.wait(Math.max(1, nextAt - pace.now()));
  }
  await stream.send(shape.closing());
  stream.finish();
}

export async function sendDocument(
  { response, signal, state, cut }: DemoExchange,
  model: LanguageModel,
  choices: readonly PlannedChoice[],
  document: unknown,
): Promise<void> {
  const maxPieces = Math.max(...choices.map(({ pieces }) => pieces.length));
  const wordsMs = (maxPieces / model.tokensPerSecond) * 1000;
  await state.pace.wait(model.delayMs + Math.min(wordsMs, MAX_DOCUMENT_WAIT_MS), signal);
  const bytes = Buffer.from(JSON.stringify(document));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  if (model.flaky) cut(bytes.subarray(0, Math.ceil(bytes.length / 2)));
  else response.end(bytes);
}

/** The number of tokens that a message's role and separators take. */
const MESSAGE_TOKENS = 4;
/** Real gateways cache prompt prefixes in blocks of this many tokens. */
const CACHE_BLOCK_TOKENS = 64;

interface PromptTokens {
  text: number;
  image: number;
  audio: number;
  cached: number;
}

export function countPrompt(messages: readonly Message[], tools: unknown): PromptTokens {
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const total = {
    text: tools === undefined ? 0 : countTokens(JSON.stringify(tools)),
    image: 0,
    audio: 0,
  };
  let history = 0;
  messages.forEach((message, index) => {
    addMessage(total, message);
    if (index <= lastAnswer) history = total.text + total.image + total.audio;
  });
  return { ...total, cached: Math.floor(history / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS };
}

function addMessage(total: Omit<PromptTokens, 'cached'>, message: Message): void {
  total.text += MESSAGE_TOKENS;
  for (const call of message.tool_calls ?? []) {
    const { name, arguments: text } = getCalled(call);
    total.text += countTokens(name) + countTokens(text);
  }
  const { content } = message;
  if (typeof content === 'string') total.text += countTokens(content);
  else for (const part of content ?? []) addPart(total, part);
}

function addPart(total: Omit<PromptTokens, 'cached'>, part: SentPart): void {
  switch (part.type) {
    case 'text':
      total.text += countTokens(part.text);
      return;
    case 'image_url':
      total.image += part.image_url.detail === 'low' ? 85 : 765;
      return;
    case 'input_audio':
      total.audio += Math.ceil(part.input_audio.data.length / 4000);
      return;
    case 'file':
      total.text += Math.ceil((part.file.file_data?.length ?? 0) / 6);
      return;
    case 'video_url':
      total.image += 2000;
      return;
    case 'thinking':
    case 'reasoning':
    case 'redacted_thinking':
      total.text += Math.ceil(JSON.stringify(part).length / 4);
  }
}

export function getUsage(prompt: PromptTokens, choices: readonly PlannedChoice[]): Usage {
  const pieces = choices.flatMap((choice) => choice.pieces);
  const reasoning = pieces.filter(({ kind }) => kind === 'reasoning').length;
  const audio = pieces.filter((piece) => piece.kind === 'spoken' && 'data' in piece.audio).length;
  const promptTokens = prompt.text + prompt.image + prompt.audio;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: pieces.length,
    total_tokens: promptTokens + pieces.length,
    prompt_tokens_details: {
      cached_tokens: prompt.cached,
      text_tokens: prompt.text,
      audio_tokens: prompt.audio,
      image_tokens: prompt.image,
    },
    completion_tokens_details: {
      text_tokens: pieces.length - reasoning - audio,
      audio_tokens: audio,
      reasoning_tokens: reasoning,
    },
  };
}
