import { MessageChannel } from 'node:worker_threads';
import { ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { isContractProcedure } from '@orpc/contract';
import { RPCHandler } from '@orpc/server/message-port';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { createRouter } from '../../electron/router.ts';
import type { Services } from '../../electron/services.ts';
import { contract } from '../../shared/contract/contract.ts';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';
import { ExactNumber } from '../../shared/exact-number.ts';
import { placesOfKey } from '../fixtures/key-files.ts';
import { inputs, jsonValue } from '../fixtures/property.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { inputsOf } from '../fixtures/zod-inputs.ts';

/** A URL where no server listens. */
const NOWHERE = 'http://127.0.0.1:9';
const KEY = 'sk-canary/Zq7+Xw93kLmN0pRstUv';

/** Generates texts that a hostile page could send, and placeholders for existing IDs. */
const texts = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'environment',
      'environment',
      ...Array.from('0123456789', (at) => `id-${at}`),
    ),
  },
  fc.constantFrom(
    '',
    ' ',
    'm',
    'text',
    '0',
    '__proto__',
    'constructor',
    'toString',
    '\0',
    '\ud83d',
    '😀',
    '%',
    "' OR 1=1 --",
    '"',
    '*',
    'NEAR(',
    '{}',
    '[',
    NOWHERE,
    `${NOWHERE}/v1`,
    'http://',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '../../etc/passwd',
    '/v1/models',
    'media:AAAAAAAAAAAAAAAAAAAAAA',
    'x'.repeat(9000),
  ),
);

const procedures = listProcedures(contract, []);

interface Listed {
  path: string[];
  schema: z.core.$ZodType | undefined;
}

function listProcedures(group: object, path: readonly string[]): Listed[] {
  return Object.entries(group).flatMap(([name, member]: [string, unknown]): Listed[] => {
    const inner = [...path, name];
    if (isContractProcedure(member)) {
      return [{ path: inner, schema: member['~orpc'].inputSchema as Listed['schema'] }];
    }
    if (typeof member !== 'object' || member === null) {
      throw new Error(`${inner.join('.')} is no procedure.`);
    }
    return listProcedures(member, inner);
  });
}

/** Calls the contract as a page that ignores its types would. */
function openLink(services: Services): (path: string[], input: unknown) => Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  new RPCHandler(createRouter(services), { customJsonSerializers: [exactNumberCodec] }).upgrade(
    port2,
  );
  port1.start();
  port2.start();
  const link = new RPCLink({ port: port1, customJsonSerializers: [exactNumberCodec] });
  return (path, input) => link.call(path, input, { context: {} });
}

/** Replaces `id-n` with the n-th ID that the main process returned. */
function withIds(value: unknown, ids: readonly string[]): unknown {
  if (typeof value === 'string') {
    const [, number] = /^id-(\d)$/.exec(value) ?? [];
    return number === undefined ? value : ids.at(-1 - Number(number));
  }
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids));
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withIds(item, ids)]),
  );
}

function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item === 'string' ? (/id$/i.test(name) && item !== '' ? [item] : []) : idsIn(item),
  );
}

it('answers any input with a valid response or an error, and never reveals the key', async () => {
  const services = await startTestServices({ baseUrl: NOWHERE, key: KEY });
  const call = openLink(services);
  const ids = await firstIds(services);
  const calls = procedures.map(({ path, schema }) => {
    const input = schema === undefined ? jsonValue : inputsOf(schema, texts);
    const arbitrary = fc.record({
      path: fc.constant(path),
      input: fc.oneof(
        { weight: 6, arbitrary: input },
        { weight: 1, arbitrary: jsonValue },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    });
    return { weight: schema === undefined ? 1 : 4, arbitrary };
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(...calls), async ({ path, input }) => {
      const answer = call(path, withIds(input, ids));
      expect(await outcome(answer)).toBe('as the contract says');
      const value: unknown = await answer.catch((cause: unknown) => cause);
      expect(placesOfKey(KEY, `${value} ${JSON.stringify(value)}`)).toEqual([]);
      const found = idsIn(value);
      ids.push(...found.filter((id) => !ids.includes(id)).slice(0, 2));
    }),
    inputs(400),
  );
  expect(services.system.info().notices.filter(({ id }) => id.startsWith('defect'))).toEqual([]);
});

it('rejects an object instead of a text, whatever length it claims', async () => {
  const lines: string[] = [];
  const services = await startTestServices({ log: (line) => lines.push(line) });
  const call = openLink(services);
  const odd = { length: { valueOf: 1, toString: 1 } };
  for (const [path, input] of [
    [['connections', 'create'], { name: odd, baseUrl: NOWHERE }],
    [['media', 'fetchRemote'], { url: odd }],
    [['deletions', 'undo'], { ids: odd }],
  ] as const) {
    await expect(call([...path], input)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Input validation failed',
    });
  }
  expect(lines).toEqual([]);
});

it('rejects event numbers below 0, which would reach another run', async () => {
  const services = await startTestServices({ baseUrl: NOWHERE });
  const call = openLink(services);
  await firstIds(services);
  const [id] = await firstIds(services);
  const query = { id, limit: 100, kinds: null };
  const refused = { code: 'BAD_REQUEST', message: 'Input validation failed' };
  await expect(call(['runs', 'events'], { ...query, after: -(2 ** 26) })).rejects.toMatchObject(
    refused,
  );
  await expect(call(['runs', 'events'], { ...query, after: 0 })).resolves.toMatchObject({
    more: false,
  });
});

async function firstIds({ conversations, engine }: Services): Promise<string[]> {
  const { id } = conversations.create();
  const { messages } = conversations.addMessage(id, null, { role: 'user', content: 'Hi' });
  const input = {
    connectionId: 'environment',
    extraBody: {},
    request: { model: 'm', prompt: 'Hi' },
  };
  const runId = await engine.start({ ...input, operation: 'completion' });
  return [runId, ...messages.map((message) => message.id), id];
}

async function outcome(answer: Promise<unknown>): Promise<string> {
  try {
    const given = await answer;
    if (isIterator(given)) {
      const next = given.next().catch(() => undefined);
      await given.return?.();
      await next;
    }
    return 'as the contract says';
  } catch (cause) {
    if (!(cause instanceof ORPCError)) return `no answer: ${String(cause)}`;
    const isTyped = cause.code === 'APP_ERROR' && cause.defined;
    return isTyped || cause.code === 'BAD_REQUEST'
      ? 'as the contract says'
      : `${cause.code}: ${cause.message}`;
  }
}

function isIterator(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
