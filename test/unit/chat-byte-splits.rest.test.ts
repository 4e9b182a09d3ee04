import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import type { RunEventOf } from '../../shared/run.ts';
import { chunk, finish, numbered } from './support/fold-events.ts';
import { readEvents } from './support/read-events.ts';

const bodySchema = z.object({
  replies: z.array(z.object({ body: z.object({ text: z.string().optional() }) })),
});

/** Returns the bytes of a stream that a real gateway sent. */
function readStream(name: string): Buffer {
  const file = new URL(`../fixtures/wire/cases/${name}.json`, import.meta.url);
  const { replies } = bodySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Buffer.from(replies[0]?.body.text ?? '');
}

async function assemble(pieces: Buffer[], isTogether: boolean): Promise<ChatState['choices']> {
  const events = (await readEvents(pieces, null)).map((event, at) =>
    numbered(chunk(typeof event === 'string' ? event : event.data), at + 1),
  );
  const chunks = events.filter((event): event is RunEventOf<'chunk'> => event.kind === 'chunk');
  const { initialState, fold, foldChunks } = chatOperation;
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
])('assembles the message of %s wherever the bytes are cut', async (name) => {
  const bytes = readStream(name);
  const whole = await assemble([bytes], false);
  expect(whole).toHaveLength(1);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
    expect(await assemble(pieces, cut % 2 === 0), `cut at ${cut}`).toEqual(whole);
  }
});
