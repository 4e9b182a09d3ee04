/** Runs the same faults on the model list, which is fetched outside of runs. See model-list.md. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyAccess } from '../../electron/gateway/access.ts';
import { createNetwork } from '../../electron/gateway/network.ts';
import { fetchModelList } from '../../electron/models/model-list.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { startWireServer, type WireExchange } from '../fixtures/wire-server.ts';
import { type Fault, json, PATIENT } from './fault.ts';
import { groups } from './groups.ts';
import { trustedCertificate } from './secure.ts';
import { goodReply, type Target } from './targets.ts';

const target: Target = {
  name: 'model list',
  operation: 'console',
  request: () => ({}),
  isMeant: () => true,
  isRead: true,
  type: 'application/json',
  body: Buffer.from('{"data":[{"id":"Alpha"},{"id":"Bravo"},{"id":"Charlie"}]}'),
  events: [],
};

const list = (name: string, body: string) => json(name, 'model list', body);
const practice: Fault[] = [
  list('A bare list', '[{"id":"Alpha"},{"id":"Bravo"},{"id":"Charlie"}]'),
  list('A list of names', '["Alpha","Bravo","Charlie"]'),
  list('`models/…`', '{"models":[{"name":"models/Alpha"},{"name":"models/Bravo"}]}'),
  list('No models', '{"data":[]}'),
  list('`data` that is null', '{"data":null}'),
  list('An ID that is a number', '{"data":[{"id":7},{"id":"Alpha"}]}'),
  list('An ID with an odd length', '{"data":[{"id":{"length":{"toString":1}}},{"id":"Alpha"}]}'),
  list(
    '20,000 models',
    `{"data":[${Array.from({ length: 20_000 }, (_, at) => `{"id":"m${at}"}`)}]}`,
  ),
];

/** More requests at once would delay each other beyond the short timeouts. */
const AT_ONCE = 12;
const network = createNetwork({
  environment: {},
  systemProxy: null,
  certificates: () => [trustedCertificate],
});
const endings: (() => unknown)[] = [];
const unhandled: string[] = [];
const note = (cause: unknown): void => void unhandled.push(String(cause));
beforeAll(() => void process.on('unhandledRejection', note).on('uncaughtException', note));
afterAll(async () => {
  await network.close();
  for (const end of endings) await end();
  process.off('unhandledRejection', note).off('uncaughtException', note);
});

/** Fetches the list once with the fault and once without, and describes the outcome. */
async function outcomeOf(fault: Fault): Promise<string> {
  let isFaulty = true;
  let isTaken = false;
  let last: WireExchange | null = null;
  const hasClosed = () => (last?.socket.writableEnded ? last.closed : undefined);
  const server = await startWireServer(
    (wire) => {
      last = wire;
      if (isFaulty && fault.answer) return void fault.answer(wire, target, 0);
      return wire.send(goodReply(target));
    },
    undefined,
    (socket) => {
      if (isTaken || !fault.connected) return false;
      isTaken = true;
      fault.connected(socket);
      return true;
    },
  );
  endings.push(() => server.close());
  const access = createKeyAccess('sk-test-1234567890');
  const baseUrl = fault.baseUrl ? await fault.baseUrl() : server.url;
  const first = await fetchModelList({
    baseUrl,
    access,
    network,
    timeouts: { ...PATIENT, ...fault.timeouts },
  }).then(
    (models) => `${models.length} model${models.length === 1 ? '' : 's'} | `,
    (cause: unknown) => {
      if (!(cause instanceof UserFacingError)) throw cause;
      return `failed: ${cause.error.kind} | ${cause.error.nextStep}`;
    },
  );
  isFaulty = false;
  // A server that closes a connection after a good response may break the next request.
  await hasClosed();
  const good = { baseUrl: server.url, access, network, timeouts: PATIENT };
  const again = await fetchModelList(good).catch(String);
  expect(again, fault.name).toHaveLength(3);
  return first;
}

const HEAD = `# Faults of the model list

This table shows how the list of models, which the form and Test of a connection read, ends under the same faults.
\`model-list.rest.test.ts\` writes it. After each fault, the test reads a good list on the same connection.

| Outcome | Next step | Faults |
|---|---|---|
`;

it('returns the list, or explains why there is none', async () => {
  const met = [...practice, ...groups.flatMap(({ faults }) => faults)].filter(
    ({ on, places, request }) => (on?.(target) ?? true) && !places && !request,
  );
  const outcomes: { name: string; outcome: string }[] = [];
  for (let at = 0; at < met.length; at += AT_ONCE) {
    const some = met.slice(at, at + AT_ONCE);
    const ends = await Promise.all(
      some.map(async (fault) => ({ name: fault.name, outcome: await outcomeOf(fault) })),
    );
    outcomes.push(...ends);
  }
  const same = Map.groupBy(outcomes, ({ outcome }) => outcome);
  const lines = [...same].map(
    ([outcome, those]) => `| ${outcome} | ${those.map(({ name }) => name).join('; ')} |`,
  );
  await expect(`${HEAD}${lines.join('\n')}\n`).toMatchFileSnapshot('./model-list.md');
  expect(unhandled).toEqual([]);
});
