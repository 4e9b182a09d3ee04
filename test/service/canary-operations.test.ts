/**
 * Repeats the key in every kind of response to every request, and checks what is stored or shown.
 */
import { readFileSync } from 'node:fs';
import { createRouterClient } from '@orpc/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logPath, openLogFile } from '../../electron/log-file.ts';
import { createRouter } from '../../electron/router.ts';
import { goodReply, type Target, targets } from '../faults/targets.ts';
import { finished, plan, row, variant } from '../fixtures/comparisons.ts';
import { exportText } from '../fixtures/conversation-files.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { filesWithKey, placesOfKey } from '../fixtures/key-files.ts';
import { readShown } from '../fixtures/read-shown.ts';
import { benchOn, serveScript } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import {
  chunk,
  jsonReply,
  lastChunk,
  reply,
  startWireServer,
  streamHead,
  type WireExchange,
  type WireServer,
} from '../fixtures/wire-server.ts';

const KEY = 'sk-canary/Zq7+Xw93kLmN0pRstUv';
const isStream = ({ events }: Target): boolean => events.length > 0;
/** Returns false for audio and video, which are stored byte for byte. */
const isText = ({ type }: Target): boolean => !/^(?:audio|video)/.test(type);

/** A redirect target that must not receive the key. */
let stranger: WireServer;

beforeAll(async () => {
  stranger = await startWireServer(({ send }) => send(reply('404 Not Found', {}, 'nothing')));
});
afterAll(() => stranger.close());

interface Way {
  name: string;
  on?: (target: Target) => boolean;
  answer(wire: WireExchange, target: Target): unknown;
}

const loudHeaders = {
  'X-Request-Id': `r-${KEY}`,
  'Set-Cookie': `key=${encodeURIComponent(KEY)}`,
  'Content-Disposition': `attachment; filename="${KEY.replace('/', '_')} ${KEY}.bin"`,
};

const ways: Way[] = [
  {
    name: 'in its text',
    on: isText,
    answer: ({ send }, target) => send(goodReply(repeating(target, `Alpha ${KEY} `))),
  },
  {
    name: 'in its text, as numeric escapes and after backslashes',
    on: isText,
    answer: ({ send }, target) => {
      const spelled = KEY.replaceAll('/', String.raw`\/`).replace('Z', String.raw`\u005a`);
      return send(goodReply(repeating(target, `Alpha ${spelled} `)));
    },
  },
  {
    name: 'one letter at a time',
    on: isStream,
    async answer({ send }, target) {
      await send(streamHead);
      const [first = '', ...rest] = target.events;
      for (const letter of KEY) await send(chunk(first.replace('Alpha ', letter)));
      for (const event of rest) await send(chunk(event));
      await send(lastChunk);
    },
  },
  {
    name: 'in its headers',
    answer: ({ send }, { type, body }) =>
      send(reply('200 OK', { 'Content-Type': type, ...loudHeaders }, body)),
  },
  {
    name: 'in its reason phrase',
    answer: ({ send }) => send(jsonReply('{}', `400 You sent ${KEY}`)),
  },
  {
    name: 'in headers before the response',
    async answer({ send }, target) {
      await send(`HTTP/1.1 103 Early Hints\r\nLink: <https://g.example/?${KEY}>\r\n\r\n`);
      await send(goodReply(target));
    },
  },
  {
    name: 'in an error',
    answer({ send }) {
      const error = { message: `Incorrect key: ${KEY}`, code: KEY, [KEY]: { param: KEY } };
      return send(jsonReply({ error }, '401 Unauthorized', { ...loudHeaders }));
    },
  },
  {
    name: 'in an error page',
    answer: ({ send }) =>
      send(
        reply(
          '502 Bad Gateway',
          { 'Content-Type': 'text/html' },
          `<html><title>${KEY}</title><body>Authorization: Bearer ${KEY} ${btoa(`user:${KEY}`)}</body></html>`,
        ),
      ),
  },
  {
    name: 'in a truncated response',
    async answer({ send, socket }, target) {
      const { type, body } = isText(target) ? repeating(target, `Alpha ${KEY} `) : target;
      const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nX-Id: ${KEY}\r\nContent-Length: 99999\r\n\r\n`;
      await send(Buffer.concat([Buffer.from(head), body]));
      socket.destroy();
    },
  },
  {
    name: 'in a redirect to itself',
    answer: ({ send }) =>
      send(reply('307 Temporary Redirect', { Location: `./moved?key=${KEY}` }, KEY)),
  },
  ...['302 Found', '307 Temporary Redirect', '308 Permanent Redirect'].map(
    (status): Way => ({
      name: `in a redirect to another origin, ${status}`,
      answer: ({ send }) =>
        send(reply(status, { Location: `${stranger.url}/moved`, 'X-Key': KEY }, KEY)),
    }),
  ),
  {
    name: 'in a redirect URL of another origin',
    on: ({ name }) => name !== 'video file',
    answer: ({ send }) =>
      send(reply('307 Temporary Redirect', { Location: `https://g.example/${KEY}` }, '')),
  },
];

it.each(targets)('$name: sends the key, but never stores or shows it', async (target) => {
  const home = temporaryFolder();
  const logFile = openLogFile({ home, key: null });
  let way: Way | null = null;
  let asked = 0;
  const server = await serveScript((wire) => {
    if (!target.isMeant(wire.request) || asked > 0) return wire.send(answerWell(target, wire));
    asked += 1;
    expect(wire.request).toContain(`Authorization: Bearer ${KEY}\r\n`);
    return void way?.answer(wire, target);
  });
  const services = await startTestServices({
    ...{ baseUrl: server.url, key: KEY, home },
    polling: { spacingMs: 1, random: () => 0.5, pauseMs: (ms) => ms / 1000 },
    log: logFile.write,
  });
  const bench = benchOn(server, services);
  const before = stranger.requests.length;
  const places: string[] = [];
  for (way of ways) {
    if (way.on?.(target) === false) continue;
    asked = 0;
    const runId = await bench.start(target.operation, await target.request(bench));
    const shown = await readShown(bench.services, runId);
    expect(asked, way.name).toBe(1);
    for (const [where, text] of Object.entries(shown)) {
      expect(text.length, `${way.name}: ${where}`).toBeGreaterThan(2);
      for (const place of placesOfKey(KEY, text)) places.push(`${way.name}: ${where}: ${place}`);
    }
    services.reportDefect(new Error(`While it answered ${way.name}: Bearer ${KEY}`));
  }
  expect(places).toEqual([]);
  expect(
    stranger.requests.slice(before).filter((sent) => /authorization|sk-can/i.test(sent)),
  ).toEqual([]);
  const notices = await createRouterClient(createRouter(services)).system.info();
  expect(placesOfKey(KEY, JSON.stringify(notices))).toEqual([]);
  expect(readFileSync(logPath(home), 'utf8')).toContain('Bearer [redacted]');
  expect(filesWithKey(KEY, home)).toEqual([]);
  await services.close();
  expect(filesWithKey(KEY, home)).toEqual([]);
});

function repeating(target: Target, words: string): Target {
  const repeat = (text: string) =>
    text.replace('Alpha ', words).replace('Alpha-', `${words.trim()}-`);
  const body = repeat(target.body.toString('utf8'));
  return {
    ...target,
    body: Buffer.from(body.includes(words.trim()) ? body : body.replace('"Alpha"', `"${words}"`)),
    events: target.events.map(repeat),
  };
}

function answerWell(target: Target, { request }: WireExchange): Uint8Array {
  const asked = targets.find(
    (other) => other.operation === target.operation && other.isMeant(request),
  );
  return goodReply(asked ?? target);
}

it('keeps the key and the gateway’s address out of exported conversations', async () => {
  const target = targets.find(({ operation }) => operation === 'chat');
  if (target === undefined) throw new Error('There is a chat target.');
  const server = await serveScript((wire) =>
    wire.send(goodReply(repeating(target, `Alpha ${KEY} `))),
  );
  const services = await startTestServices({ baseUrl: server.url, key: KEY });
  const { conversations } = services;
  const { id } = conversations.create();
  const [connection] = services.connections.list().filter(({ kind }) => kind !== 'demo');
  const { runId } = await conversations.send({
    ...{ conversationId: id, connectionId: connection?.id ?? '', parentId: null },
    message: { role: 'user', content: 'Hello' },
    request: { model: 'm', stream: isStream(target) },
  });
  for await (const _update of services.engine.watch(runId, null, undefined));
  for (const format of ['json', 'markdown', 'jsonl'] as const) {
    const file = await exportText(services, [id], format);
    expect(file).toContain('Hello');
    expect(placesOfKey(KEY, file)).toEqual([]);
    expect(file).not.toContain(server.url);
  }
});

it('keeps the key out of responses to the model list and the connection test', async () => {
  let list = jsonReply({ data: [{ id: `model-${KEY}` }] });
  const server = await serveScript(({ send }) => send(list));
  const services = await startTestServices({ baseUrl: server.url, key: KEY });
  const api = createRouterClient(createRouter(services));
  const before = stranger.requests.length;
  for (const answer of [
    list,
    jsonReply(`{"error":{"message":"No: ${KEY}"}}`, '401 Unauthorized', { ...loudHeaders }),
    reply('302 Found', { Location: `${stranger.url}/models` }, KEY),
    reply('307 Temporary Redirect', { Location: `./elsewhere?key=${KEY}` }, KEY),
    reply('200 OK', { 'Content-Type': 'text/html' }, `<html>${KEY}</html>`),
  ]) {
    list = answer;
    const tested = await api.connections.test({ id: 'environment' });
    const models = await api.models.suggest({ connectionId: 'environment', operation: 'chat' });
    expect(server.requests.at(-1)).toContain(`Bearer ${KEY}`);
    expect(placesOfKey(KEY, JSON.stringify([tested, models]))).toEqual([]);
  }
  const connections = await api.connections.list();
  expect(placesOfKey(KEY, JSON.stringify(connections))).toEqual([]);
  const leaked = stranger.requests.slice(before).filter((sent) => sent.includes('Bearer'));
  expect(leaked).toEqual([]);
});

it('keeps the key out of a comparison’s stored prompts and exported replies', async () => {
  const server = await serveScript(({ send }) =>
    send(jsonReply(`{"choices":[{"index":0,"text":"after ${KEY} it"}]}`)),
  );
  const services = await startTestServices({ baseUrl: server.url, key: KEY });
  const withKey = plan([variant('one')], { rows: [row('once', { prompt: `My key is ${KEY}` })] });
  await expect(services.comparisons.start(withKey)).rejects.toThrow('contains an API key');
  expect(server.requests).toEqual([]);
  const id = await services.comparisons.start(plan([variant('one')]));
  await finished(services, id);
  let exported = '';
  for await (const piece of services.comparisons.export(id)) exported += piece;
  expect(exported).toContain('after [redacted] it');
  expect(placesOfKey(KEY, exported)).toEqual([]);
});
