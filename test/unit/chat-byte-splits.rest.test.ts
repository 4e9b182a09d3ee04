import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import type { RunEventOf } from '../../shared/run.ts';
import { chunk, finish, numbered } from './support/fold-events.ts';
import { readEvents } from './support/read-events.ts';

const bodySchema = z.object({
  input: z.object({
    turns: z.array(z.object({ request: z.object({ format: z.string().default('') }) })),
  }),
  replies: z.array(z.object({ body: z.object({ text: z.string().optional() }) })),
});

/** Returns the bytes of a stream that a real gateway sent, and their format. */
function readStream(name: string): { bytes: Buffer; format: string } {
  const file = new URL(`../fixtures/wire/cases/${name}.json`, import.meta.url);
  const { input, replies } = bodySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const bytes = Buffer.from(replies[0]?.body.text ?? '');
  return { bytes, format: input.turns[0]?.request.format ?? '' };
}

async function assemble(
  pieces: Buffer[],
  format: string,
  isTogether: boolean,
): Promise<ChatState['choices']> {
  const events = (await readEvents(pieces, null)).map((event, at) =>
    numbered(chunk(typeof event === 'string' ? event : event.data), at + 1),
  );
  const chunks = events.filter((event): event is RunEventOf<'chunk'> => event.kind === 'chunk');
  const { initialState, formats = [] } = chatOperation;
  const { fold, foldChunks } = formats.find(({ name }) => name === format) ?? chatOperation;
  const state =
    isTogether && foldChunks
      ? foldChunks(initialState, chunks).state
      : chunks.reduce(fold, initialState);
  return fold(state, numbered(finish, events.length + 1)).choices;
}

it.each([
  'args-repeated-final',
  'cumulative',
  'function-call-legacy',
  'gemini-extra-content',
  'mistral-replay',
  'reasoning-details',
  'chat-reasoning-tags',
  'chat-tool-image-result',
  'resp-content-index-per-token',
  'resp-two-calls-one-index',
  'msg-signature-on-thinking-delta',
  'msg-pause-turn',
  'msg-refusal',
  'msg-tool-error-flag',
  'msg-input-in-start-and-delta',
])('assembles the message of %s wherever the bytes are cut', async (name) => {
  const { bytes, format } = readStream(name);
  const whole = await assemble([bytes], format, false);
  expect(whole).toHaveLength(1);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
    expect(await assemble(pieces, format, cut % 2 === 0), `cut at ${cut}`).toEqual(whole);
  }
});
