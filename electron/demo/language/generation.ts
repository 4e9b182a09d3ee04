/** One generation as chat and completion share it: who answers, in how many choices, how fast. */

import type { JsonNumber } from '../../../shared/exact-number.ts';
import { openEventStream } from '../http/event-stream.ts';
import type { DemoExchange } from '../http/exchange.ts';
import { invalidRequest } from '../http/failure.ts';
import type { LanguageModel } from './answer.ts';
import type { Piece, PlannedChoice } from './plan-choice.ts';
import { type Random, seededRandom } from './random.ts';

const MAX_CHOICES = 16;
/** A reply in one document need not keep anyone waiting for as long as the words would take. */
const MAX_DOCUMENT_WAIT_MS = 2000;

/** 0, 1, … n − 1. */
export function choiceIndexes(requested: JsonNumber = 1): number[] {
  const n = Number(requested);
  if (n < 1) throw invalidRequest('n: Enter 1 or more.', 'n');
  if (n > MAX_CHOICES) {
    throw invalidRequest(`n: The demo gateway returns at most ${MAX_CHOICES} choices.`, 'n');
  }
  return Array.from({ length: n }, (_, index) => index);
}

/** The same seed draws the same words; without one only the choices of one request differ. */
export function randomForChoice(
  model: string,
  seed: JsonNumber | undefined,
  choice: number,
): Random | null {
  if (seed === undefined && choice === 0) return null;
  return seededRandom(model, String(seed ?? 'no seed'), choice);
}

/** How the pieces of an endpoint look on the wire; an empty list sends nothing. */
export interface StreamShape {
  opening: (choice: PlannedChoice) => unknown[];
  piece: (choice: PlannedChoice, piece: Piece) => unknown[];
  ending: (choice: PlannedChoice, isLast: boolean) => unknown[];
  closing: () => unknown[];
}

/** Streams the choices side by side, token by token, at the model's own speed. */
export async function streamChoices(
  exchange: DemoExchange,
  model: LanguageModel,
  choices: readonly PlannedChoice[],
  shape: StreamShape,
): Promise<void> {
  const { pace } = exchange.state;
  const stream = openEventStream(exchange);
  await stream.wait(model.delayMs);
  await stream.send(choices.flatMap(shape.opening));
  const longest = Math.max(...choices.map(({ pieces }) => pieces.length));
  const cutAt = model.flaky ? Math.ceil(longest / 2) : Number.POSITIVE_INFINITY;
  const msPerToken = 1000 / model.tokensPerSecond;
  const startedAt = pace.now();
  let ended = 0;
  for (let step = 0; step <= longest; ) {
    const due = Math.min(longest + 1, Math.floor((pace.now() - startedAt) / msPerToken));
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
    if (step <= longest) await stream.wait(Math.max(1, nextAt - pace.now()));
  }
  await stream.send(shape.closing());
  stream.finish();
}

/** Waits as the model would; a flaky one breaks off in the middle of the document. */
export async function sendDocument(
  { response, signal, state, cut }: DemoExchange,
  model: LanguageModel,
  choices: readonly PlannedChoice[],
  document: unknown,
): Promise<void> {
  const longest = Math.max(...choices.map(({ pieces }) => pieces.length));
  const wordsMs = (longest / model.tokensPerSecond) * 1000;
  await state.pace.wait(model.delayMs + Math.min(wordsMs, MAX_DOCUMENT_WAIT_MS), signal);
  const bytes = Buffer.from(JSON.stringify(document));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
  });
  if (model.flaky) cut(bytes.subarray(0, Math.ceil(bytes.length / 2)));
  else response.end(bytes);
}
