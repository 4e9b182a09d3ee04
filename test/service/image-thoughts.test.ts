/** Plays an answer with a draft image, then continues the conversation. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createUserTurn, toContents, toModelTurn } from '../../renderer/features/image/turns.ts';
import { jsonObjectSchema } from '../../shared/json-schema.ts';
import { getDraftIds } from '../../shared/operations/image/state.ts';
import { startBench } from '../fixtures/run-operation.ts';
import { always, bodyOf, reply } from '../fixtures/wire-server.ts';

const caseSchema = z.object({
  input: z.object({ request: jsonObjectSchema }),
  replies: z.tuple([z.object({ body: z.object({ text: z.string() }) })]),
});

it('separates a draft from the image, and sends thoughts and signatures back', async () => {
  const file = new URL('../fixtures/wire/cases/thought-image.json', import.meta.url);
  const { input, replies } = caseSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const json = { 'Content-Type': 'application/json' };
  const bench = await startBench(always(reply('200 OK', json, replies[0].body.text)));
  const run = await bench.run('image', input.request);

  const [candidate = expect.fail()] = run.state.candidates;
  const [draftId = ''] = getDraftIds(run.state.candidates);
  expect(run.media).toMatchObject([{ kind: 'image', width: 16 }]);
  expect(run.state.media).toHaveLength(2);
  expect(bench.services.media.get(draftId)).toMatchObject({ width: 8 });
  expect(run.figures).toMatchObject({
    noResult: null,
    usage: { completion_tokens: 37, completion_tokens_details: { reasoning_tokens: 28 } },
  });
  const stored = bench.services.ledger.run(run.id);
  expect(stored?.media).toMatchObject([{ id: run.media[0]?.id }]);

  const turns = [createUserTurn('a gate', []), toModelTurn(candidate) ?? expect.fail()];
  const contents = toContents([...turns, createUserTurn('at night', [])]);
  await bench.run('image', { model: 'g', contents });
  const received: unknown = JSON.parse(replies[0].body.text);
  const expected = z
    .object({ candidates: z.tuple([z.object({ content: jsonObjectSchema })]) })
    .parse(received).candidates[0].content;
  const sent = bodyOf(bench.server.requests[1] ?? '');
  expect(sent.contents).toEqual([
    { role: 'user', parts: [{ text: 'a gate' }] },
    expected,
    { role: 'user', parts: [{ text: 'at night' }] },
  ]);
});
