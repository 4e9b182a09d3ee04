/** Plays other tools' public bug reports byte by byte, from test/fixtures/wire/cases. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import { jsonObjectSchema } from '../../shared/json-schema.ts';
import { viewAnswer } from '../../shared/operations/chat/answer-view.ts';
import { readSources } from '../../shared/operations/chat/sources.ts';
import { emptyChatState } from '../../shared/operations/chat/state.ts';
import type { RunView } from '../../shared/run-view.ts';
import { untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { bodyOf, reply, startWireServer } from '../fixtures/wire-server.ts';

const caseSchema = z.object({
  name: z.string(),
  input: z.object({
    turns: z.array(
      z.object({ message: z.string(), stream: z.boolean(), request: jsonObjectSchema }),
    ),
  }),
  replies: z.array(
    z.object({
      status: z.number(),
      headers: z.record(z.string(), z.string()),
      body: z.object({ text: z.string() }),
    }),
  ),
});

interface Played {
  /** One run per turn. */
  runs: RunView[];
  requests: JsonObject[];
}

/**
 * Sends the turns of a chat case. If an answer calls tools, the next turn answers its first call.
 */
async function playChat(name: string, providerFields: 'automatic' | 'always'): Promise<Played> {
  const file = new URL(`../fixtures/wire/cases/${name}.json`, import.meta.url);
  const { input, replies } = caseSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const waiting = [...replies];
  const server = await startWireServer(async ({ send }) => {
    const next = waiting.shift();
    if (next) await send(reply(`${next.status} Status`, next.headers, next.body.text));
  });
  onTestFinished(() => server.close());
  const services = await startTestServices({ baseUrl: server.url, key: 'sk-test-0123456789' });
  const connectionId = services.connections.list().find(({ kind }) => kind === 'environment')?.id;
  const { id: conversationId, options } = services.conversations.create();
  services.conversations.update(conversationId, { options: { ...options, providerFields } });
  const runs: RunView[] = [];
  let parentId: string | null = null;
  for (const { message, stream, request } of input.turns) {
    const { messages } = services.conversations.get(conversationId);
    const [call] = messages.find(({ id }) => id === parentId)?.toolCalls ?? [];
    const sent = await services.conversations.send({
      conversationId,
      connectionId: connectionId ?? '',
      parentId,
      message: call
        ? { role: 'tool', content: '1', toolCallId: call.id }
        : { role: 'user', content: message },
      request: { model: 'm', stream, ...request },
      extraBody: {},
    });
    runs.push(await untilEnded(services, sent.runId));
    parentId = sent.answerIds[0] ?? null;
  }
  return { runs, requests: server.requests.map((text) => bodyOf(text)) };
}

function answerOf({ runs }: Played, turn = 0) {
  const run = runs[turn];
  const choice = run?.operation === 'chat' ? run.state.choices[0] : undefined;
  if (choice === undefined) throw new Error('The turn has no answer.');
  return viewAnswer(choice);
}

/** Returns the first answer as the second request sends it back. */
function sentBack({ requests }: Played): JsonObject {
  const messages = requests[1]?.messages;
  const message = Array.isArray(messages) ? messages[1] : undefined;
  return isJsonObject(message) ? message : {};
}

describe('chat bug reports of other tools', () => {
  it.each<[string, (played: Played) => void]>([
    [
      'args-repeated-final',
      (played) => expect(answerOf(played).toolCalls[0]?.arguments).toBe('{"z":"UTC"}'),
    ],
    [
      'audio-expired',
      (played) =>
        expect(sentBack(played)).toEqual({
          role: 'assistant',
          content: '[audio without a transcript]',
        }),
    ],
    [
      'citations',
      ({ runs: [run] }) => {
        const state = run?.operation === 'chat' ? run.state : emptyChatState;
        expect(
          state.choices.flatMap((choice) => readSources(state, choice)).map(({ url }) => url),
        ).toEqual(['https://one.example/a', 'https://two.example/b']);
      },
    ],
    ['cumulative', (played) => expect(answerOf(played).content).toBe('The gate is open.')],
    [
      'function-call-legacy',
      (played) =>
        expect(answerOf(played).toolCalls).toEqual([
          { id: 'function_call', name: 'look_up', arguments: '{"q":"rain"}' },
        ]),
    ],
    [
      'gemini-extra-content',
      (played) =>
        expect(sentBack(played).tool_calls).toEqual([
          {
            id: 'fc-81',
            type: 'function',
            function: { name: 'look_up', arguments: '{"q":"rain"}' },
            extra_content: { google: { thought_signature: 'QUJDREVGRw==' } },
          },
        ]),
    ],
    [
      'mistral-replay',
      (played) => {
        expect(answerOf(played).reasoning).toBe('17*20 + 17*3');
        expect(sentBack(played).content).toEqual([
          { type: 'thinking', thinking: [{ type: 'text', text: '17*20 + 17*3' }], closed: true },
          { type: 'text', text: '391' },
        ]);
        expect(played.runs[1]?.error?.message).toContain(
          'Extra inputs are not permitted (body.messages.1.assistant.reasoning_content)',
        );
      },
    ],
    [
      'openrouter-raw',
      ({ runs }) =>
        expect(runs[0]?.error?.message).toContain('This model takes at most 1 image. (Acme)'),
    ],
    [
      'reasoning-details',
      (played) => {
        expect(answerOf(played).reasoning).toBe('The visitor wants a plan.');
        expect(sentBack(played).reasoning_details).toEqual([
          {
            type: 'reasoning.text',
            text: 'The visitor wants a plan.',
            index: 0,
            format: 'unknown',
            signature: 'c2lnbmF0dXJl',
          },
        ]);
      },
    ],
  ])('%s', async (name, check) => {
    check(await playChat(name, 'always'));
  });
});
