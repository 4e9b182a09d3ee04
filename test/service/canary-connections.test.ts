/**
 * Checks that a connection's secrets are never stored or shown, even if a response repeats them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { expect, it, onTestFinished } from 'vitest';
import { getLogPath, openLogFile } from '../../electron/log-file.ts';
import { createRouter } from '../../electron/router.ts';
import { connectionOptionsInputSchema } from '../../shared/connection-options.ts';
import { makeBackup, readArchive } from '../fixtures/backups.ts';
import { createAuthority } from '../fixtures/certificates.ts';
import { exportText } from '../fixtures/conversation-files.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { startHttpProxy } from '../fixtures/http-proxy.ts';
import { filesWithKey, placesOfKey } from '../fixtures/key-files.ts';
import { readShown } from '../fixtures/read-shown.ts';
import { untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import {
  chunk,
  jsonReply,
  lastChunk,
  reply,
  type Script,
  startWireServer,
  streamHead,
} from '../fixtures/wire-server.ts';

const authority = createAuthority('Test Authority');
const client = authority.issue('ann');

/** Secrets that the gateway or the proxy receives and could repeat. */
const sent = {
  key: 'sk-canary/Zq7+Xw93kLmN0pRstUv',
  header: 'hdr9Kd83/jfPq+2mXv71Wc',
  token: 'tok4Vb6Tn8Yq1Lw5Rz3Hs9',
  variable: 'var7Mj2Gf5Dk8Sa1Pq4Oe6',
  query: 'qry3Xc/6Vb+9Nm2Lk5Jh8G',
  proxy: 'prx1Za4Sw7De0Fr3Gt6Hy9',
};
/** Secrets that never leave the machine. */
const own = {
  privateKey: client.key.split('\n')[1] ?? '',
  passphrase: 'pas5Ui8Op1Lk4Jh7Gf0Ds3',
};
const secrets = Object.values({ ...sent, ...own });
const all = Object.values(sent).join(' ');

const ways: Record<string, Script> = {
  'in its text': ({ send }) => send(jsonReply({ choices: [{ index: 0, text: `You: ${all}` }] })),
  async 'in pieces of a stream'({ send }) {
    await send(streamHead);
    for (const piece of all.match(/.{1,3}/g) ?? []) {
      await send(chunk(`data: ${JSON.stringify({ choices: [{ index: 0, text: piece }] })}\n\n`));
    }
    await send(chunk('data: [DONE]\n\n'));
    await send(lastChunk);
  },
  'in headers': ({ send }) =>
    send(jsonReply({ choices: [{ index: 0, text: 'Hi' }] }, '200 OK', { 'X-Seen': all })),
  'in an error': ({ send }) =>
    send(jsonReply({ error: { message: `No: ${all}`, code: all } }, '401 Unauthorized')),
  'in a web page': ({ send }) =>
    send(reply('502 Bad Gateway', { 'Content-Type': 'text/html' }, `<html>${all}</html>`)),
  'in a redirect': ({ send }) =>
    send(reply('307 Temporary Redirect', { Location: `/x?${encodeURIComponent(all)}` }, all)),
};

const options = connectionOptionsInputSchema.parse({
  keyHeader: { name: 'api-key', scheme: '' },
  headers: [
    { id: 'a', name: 'X-Team', value: sent.header },
    { id: 'b', name: 'X-Auth', value: `Bearer ${sent.token}` },
    { id: 'c', name: 'X-Variable', value: '$CANARY' },
  ],
  query: [{ id: 'd', name: 'sig', value: sent.query, isSecret: true }],
  caCertificate: { kind: 'pem', text: authority.cert },
  clientCertificate: {
    kind: 'pem',
    certificate: client.cert,
    key: client.key,
    passphrase: own.passphrase,
  },
});

const findPlaces = (text: string) => secrets.flatMap((secret) => placesOfKey(secret, text));

it('sends the secrets of a connection’s options, but never stores or shows them', async () => {
  let script: Script = () => undefined;
  const tls = { requestCert: true, ca: [authority.cert], ...authority.issue('gateway.test') };
  const server = await startWireServer((wire) => script(wire), tls);
  onTestFinished(() => server.close());
  const proxy = await startHttpProxy(server.port, `ann:${sent.proxy}`);
  const home = temporaryFolder();
  const log = openLogFile({ home, key: null });
  const services = await startTestServices({
    home,
    log: log.write,
    environment: { CANARY: sent.variable },
  });
  const api = createRouterClient(createRouter(services));
  const input = {
    name: 'Mine',
    baseUrl: 'https://gateway.test/v1',
    keeping: 'session' as const,
    options: {
      ...options,
      proxy: { kind: 'url' as const, url: `http://ann:${sent.proxy}@${proxy.host}` },
    },
  };
  const { id } = await api.connections.create(input);
  await api.connections.setKey({ id, key: sent.key, keeping: 'session' });
  const places: string[] = [];
  const check = (where: string, value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(text.length, where).toBeGreaterThan(2);
    places.push(...findPlaces(text).map((place) => `${where}: ${place}`));
  };
  for (const [way, answer] of Object.entries(ways)) {
    script = answer;
    const before = server.requests.length;
    const runId = await services.engine.start({
      connectionId: id,
      operation: 'completion',
      extraBody: {},
      request: { model: 'm', prompt: `Say ${sent.header}` },
    });
    await untilEnded(services, runId);
    const request = server.requests[before] ?? '';
    for (const secret of [sent.key, sent.header, sent.token, sent.variable]) {
      expect(request, way).toContain(secret);
    }
    expect(request, way).toContain(`sig=${encodeURIComponent(sent.query)}`);
    const shown = await readShown(services, runId);
    for (const [where, text] of Object.entries(shown)) check(`${way}: ${where}`, text);
    check(`${way}: test`, await api.connections.test({ id }));
    const draft = { ...input, id: null, key: sent.key };
    check(`${way}: test of a draft`, await api.connections.testDraft(draft));
    services.reportDefect(new Error(`While it answered ${way}: ${secrets.join(' ')}`));
  }
  expect(proxy.heads.join('')).toContain(btoa(`ann:${sent.proxy}`));
  check('list', await api.connections.list());
  check('export', await api.connections.export());
  const message = { role: 'assistant', content: `You: ${all}` };
  script = ({ send }) => send(jsonReply({ choices: [{ index: 0, message }] }, '200 OK', { all }));
  const { id: conversationId } = services.conversations.create();
  const { runId } = await services.conversations.send({
    conversationId,
    connectionId: id,
    parentId: null,
    request: { model: 'm' },
    message: { role: 'user', content: 'Hello' },
  });
  await untilEnded(services, runId);
  for (const format of ['json', 'markdown', 'jsonl'] as const) {
    const file = await exportText(services, [conversationId], format);
    expect(file).toContain('You: ');
    check(`conversations as ${format}`, file);
  }
  check('info', await api.system.info());
  check('log', readFileSync(getLogPath(home), 'utf8'));
  expect(places).toEqual([]);
  expect(secrets.flatMap((secret) => filesWithKey(secret, home))).toEqual([]);
  await services.close();
  expect(secrets.flatMap((secret) => filesWithKey(secret, home))).toEqual([]);
});

it('stores option secrets only in keys.json', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  const baseUrl = 'https://gateway.test/v1';
  await services.connections.create({ name: 'Mine', baseUrl, options, keeping: 'file' });
  await services.close();
  for (const secret of [sent.header, sent.query, own.passphrase, own.privateKey]) {
    expect(filesWithKey(secret, home)).toEqual(['keys.json']);
  }
});

it('keeps keys and secrets of connections out of a backup, wherever they are stored', async () => {
  const server = await startWireServer(async ({ send }) => {
    await send(streamHead);
    for (const piece of [sent.key.slice(0, 9), sent.key.slice(9), ` and ${sent.header}`]) {
      await send(chunk(`data: ${JSON.stringify({ choices: [{ index: 0, text: piece }] })}\n\n`));
    }
    await send(chunk('data: [DONE]\n\n'));
    await send(lastChunk);
  });
  onTestFinished(() => server.close());
  const services = await startTestServices({ environment: { CANARY: sent.variable } });
  for (const keeping of ['file', 'session'] as const) {
    const { id } = await services.connections.create({
      name: keeping,
      baseUrl: server.url,
      keeping,
      options: { ...options, proxy: { kind: 'none' } },
    });
    await services.connections.setKey(id, sent.key, keeping);
    const runId = await services.engine.start({
      connectionId: id,
      operation: 'completion',
      extraBody: {},
      request: { model: 'm', prompt: `Say ${sent.header}`, stream: true },
    });
    await untilEnded(services, runId);
  }
  const folder = temporaryFolder();
  const files = readArchive(await makeBackup(services));
  for (const { name, content } of files) writeFileSync(join(folder, basename(name)), content);
  const names = files.map(({ name }) => name).filter((name) => !name.startsWith('journal/'));
  expect(names).toEqual(['manifest.json', 'ledger.sqlite']);
  expect(secrets.flatMap((secret) => filesWithKey(secret, folder))).toEqual([]);
  expect(filesWithKey('Gatehouse-backup'.toLowerCase(), folder)).toEqual(['manifest.json']);
});
