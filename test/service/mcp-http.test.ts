/** Tests MCP servers over HTTP: the official example, sign-in and servers that break the rules. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { McpServerInput } from '../../shared/mcp.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { serveMcp } from '../fixtures/mcp-http-server.ts';
import { everythingArguments, findFreePort } from '../fixtures/mcp-server.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const never = new AbortController().signal;

function httpServer(url: string, headers: Record<string, string> = {}): McpServerInput {
  const entries = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return {
    id: null,
    name: 'remote',
    enabled: true,
    transport: { type: 'http', url, headers: entries },
  };
}

async function start(input: McpServerInput, home = temporaryFolder()) {
  const lines: string[] = [];
  const services = await startTestServices({ home, log: (line) => lines.push(line) });
  const { mcp } = services;
  const { id } = await mcp.save(input);
  const call = (name: string, args = {}) =>
    mcp.callTool({ serverId: id, name, args, signal: never });
  return { services, mcp, id, call, home, lines };
}

async function startEverything(port: number) {
  const child = spawn(process.execPath, everythingArguments('streamableHttp'), {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/mcp`).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  return child;
}

it('calls the example server over HTTP, and again after it is killed', async () => {
  const port = await findFreePort();
  const first = await startEverything(port);
  const { mcp, id, call } = await start(httpServer(`http://127.0.0.1:${port}/mcp`));
  expect(await call('echo', { message: 'Hello' })).toMatchObject({ content: 'Echo: Hello' });
  first.kill('SIGKILL');
  await expect(call('echo', { message: 'lost' })).rejects.toThrow('remote');
  await startEverything(port);
  await mcp.connect(id);
  expect(await call('echo', { message: 'back' })).toMatchObject({ content: 'Echo: back' });
});

it('sends the headers to the server, and keeps them out of the data folder’s database', async () => {
  const server = await serveMcp();
  const { call, home, mcp, id } = await start(
    httpServer(server.url, { 'X-Key': 'header-secret-1' }),
  );
  await call('fine');
  const sent = server.requests.filter(({ path }) => path === '/mcp');
  expect(sent.every(({ headers }) => headers['x-key'] === 'header-secret-1')).toBe(true);
  expect(JSON.stringify(mcp.server(id))).not.toContain('header-secret-1');
  for (const name of ['ledger.sqlite', 'ledger.sqlite-wal']) {
    expect(readFileSync(join(home, name), 'latin1')).not.toContain('header-secret-1');
  }
});

it('drops saved headers when the URL gets another origin', async () => {
  const server = await serveMcp();
  const { mcp, id } = await start(httpServer(server.url, { 'X-Key': 'header-secret-1' }));
  const headers = [{ name: 'X-Key', value: null }];
  const other = { type: 'http' as const, url: 'https://other.example/mcp', headers };
  await expect(mcp.save({ id, name: 'remote', enabled: true, transport: other })).rejects.toThrow(
    'Enter the value of X-Key.',
  );
  const same = { ...other, url: `${server.origin}/other` };
  await mcp.save({ id, name: 'remote', enabled: true, transport: same });
  expect(mcp.server(id)).toMatchObject({ missing: [] });
});

it('never follows a redirect to another origin with the headers', async () => {
  const thief = await serveMcp();
  const server = await serveMcp({
    respond(message, response) {
      if (message.method !== 'tools/call') return false;
      response.writeHead(307, { Location: thief.url }).end();
      return true;
    },
  });
  const { call } = await start(httpServer(server.url, { 'X-Key': 'header-secret-1' }));
  await expect(call('fine')).rejects.toThrow('remote');
  expect(thief.requests).toEqual([]);
});

it('accepts thousands of small events in one stream', async () => {
  const server = await serveMcp({
    respond(message, response) {
      if (message.method !== 'tools/call') return false;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const params = { level: 'info', data: 'x'.repeat(100) };
      response.write(event({ method: 'notifications/message', params }).repeat(5000));
      const result = { content: [{ type: 'text', text: 'done' }] };
      response.end(event({ id: message.id, result }));
      return true;
    },
  });
  const { call } = await start(httpServer(server.url));
  expect(await call('echo')).toMatchObject({ content: 'done' });
});

const event = (body: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...body })}\n\n`;

it('starts a new session once the server has forgotten it, and repeats the rejected calls', async () => {
  const server = await serveMcp({ keepsSessions: true });
  const { mcp, id, call } = await start(httpServer(server.url));
  await call('fine');
  server.forgetSessions();
  const results = await Promise.all([call('fine'), call('fine'), call('fine')]);
  expect(results.map(({ content }) => content)).toEqual(['done', 'done', 'done']);
  expect(server.ran.filter((method) => method === 'initialize')).toHaveLength(2);
  expect(server.ran.filter((method) => method === 'tools/call')).toHaveLength(4);
  expect(mcp.server(id)).toMatchObject({ status: 'ready', error: null });
});

it('keeps a call of an expired session that the server is still answering', async () => {
  const slow = Promise.withResolvers<ServerResponse>();
  const server = await serveMcp({
    keepsSessions: true,
    respond({ method, params }, response) {
      if (method !== 'tools/call' || params?.name !== 'slow') return false;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      slow.resolve(response);
      return true;
    },
  });
  const { call } = await start(httpServer(server.url));
  const slowCall = call('slow');
  const response = await slow.promise;
  const { id } = JSON.parse(server.requests.at(-1)?.body ?? '{}');
  server.forgetSessions();
  expect(await call('fine')).toMatchObject({ content: 'done' });
  response.end(event({ id, result: { content: [{ type: 'text', text: 'late' }] } }));
  expect(await slowCall).toMatchObject({ content: 'late' });
});

it('repeats a call only once if the server forgets every session', async () => {
  const server = await serveMcp({
    keepsSessions: true,
    respond({ method }) {
      if (method === 'tools/list') server.forgetSessions();
      return false;
    },
  });
  const { call } = await start(httpServer(server.url));
  await expect(call('fine')).rejects.toThrow('remote ends each session at once (HTTP 404).');
  expect(server.ran.filter((method) => method === 'initialize')).toHaveLength(2);
  expect(server.ran).not.toContain('tools/call');
});

it('ends a server that sends many pings, having answered only a few', async () => {
  const server = await serveMcp({
    respond({ method }, response) {
      if (method !== 'tools/call') return false;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const pings = Array.from({ length: 10_000 }, (_, at) =>
        event({ id: `ping-${at}`, method: 'ping' }),
      );
      response.write(pings.join(''));
      return true;
    },
  });
  const { call, mcp, id } = await start(httpServer(server.url));
  await expect(call('fine')).rejects.toThrow(
    'remote sent more than 100 requests within ten seconds.',
  );
  expect(mcp.server(id)).toMatchObject({ status: 'failed' });
  const answers = server.requests.filter(({ body }) => body.includes('ping-'));
  expect(answers.length).toBeLessThanOrEqual(100);
});

it.for([
  ['application/json', 'text'],
  ['application/json', null],
  ['text/event-stream', 'text'],
  ['text/event-stream', [1]],
  ['text/event-stream', null],
] as const)('fails a call at once if its result as %s is %j', async ([type, result]) => {
  const server = await serveMcp({
    respond({ id, method }, response) {
      if (method !== 'tools/call') return false;
      const body = { id, result };
      response.writeHead(200, { 'Content-Type': type });
      // The stream stays open, so only the response can end the call.
      if (type === 'text/event-stream') response.write(event(body));
      else response.end(JSON.stringify({ jsonrpc: '2.0', ...body }));
      return true;
    },
  });
  const { call, mcp, id } = await start(httpServer(server.url));
  await expect(call('fine')).rejects.toThrow('remote returned a result that couldn’t be read.');
  expect(mcp.server(id)).toMatchObject({ status: 'ready' });
});

it('signs in through the browser, keeps the tokens in the vault, and refreshes them', async () => {
  const server = await serveMcp({ asksForSignIn: true });
  const { mcp, id, call, home, lines } = await start(
    httpServer(server.url, { 'X-Key': 'header-secret-1' }),
  );
  await expect(call('fine')).rejects.toThrow('remote asks you to sign in.');
  expect(mcp.server(id)).toMatchObject({ status: 'sign-in', signedIn: false });

  const { url } = await mcp.signIn(id);
  // The browser follows the redirect to the loopback address.
  const page = await fetch(url);
  expect(await page.text()).toContain('You’re signed in.');
  await expect.poll(() => mcp.server(id)?.status).toBe('ready');
  expect(await call('fine')).toMatchObject({ content: 'done' });

  server.expireTokens();
  expect(await call('fine')).toMatchObject({ content: 'done' });
  server.expireTokens();
  server.revokeRefreshTokens();
  await expect(call('fine')).rejects.toThrow('remote asks you to sign in.');
  expect(mcp.server(id)).toMatchObject({ status: 'sign-in' });

  const sent = server.requests.flatMap(({ headers }) => headers.authorization ?? []);
  const token = sent[0]?.replace('Bearer ', '') ?? '';
  expect(token).toContain('access-');
  const shown = JSON.stringify([mcp.list(), mcp.log(id), lines]);
  for (const text of [shown, readFileSync(join(home, 'ledger.sqlite-wal'), 'latin1')]) {
    expect(text).not.toContain(token);
  }
  expect(await mcp.signOut(id)).toMatchObject({ signedIn: false });
});

it('asks to sign in again after the user declined, with the reason', async () => {
  const server = await serveMcp({ asksForSignIn: true });
  const { mcp, id } = await start(httpServer(server.url));
  const { url } = await mcp.signIn(id);
  expect(mcp.server(id)).toMatchObject({ status: 'signing-in', error: null });
  const { searchParams } = new URL(url);
  const back = new URL(searchParams.get('redirect_uri') ?? '');
  back.search = `error=access_denied&state=${searchParams.get('state')}`;
  expect((await fetch(back)).status).toBe(400);
  expect(mcp.server(id)).toMatchObject({
    status: 'sign-in',
    error: { message: 'Couldn’t sign in to remote: access_denied.' },
  });
  await mcp.signIn(id);
  expect(await mcp.stop(id)).toMatchObject({ status: 'stopped', error: null });
});

it.for([
  [404, 'remote isn’t at this URL (HTTP 404).'],
  [403, 'remote refused access (HTTP 403).'],
  [503, 'remote failed (HTTP 503).'],
  [200, 'remote sent something other than MCP, such as a web page.'],
] as const)('explains a server that returns a page with status %i', async ([status, message]) => {
  const server = await serveMcp({
    respond(_, response) {
      response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Welcome</h1>');
      return true;
    },
  });
  const { mcp, id } = await start(httpServer(server.url));
  expect(await mcp.connect(id)).toMatchObject({ status: 'failed', error: { message } });
});

it('explains why a server can’t be reached', async () => {
  const port = await findFreePort();
  const { mcp, id } = await start(httpServer(`http://127.0.0.1:${port}/mcp`));
  const message = `remote can’t be reached. 127.0.0.1:${port} refused the connection.`;
  expect(await mcp.connect(id)).toMatchObject({ status: 'failed', error: { message } });
});

it('rejects a sign-in response with another state', async () => {
  const server = await serveMcp({ asksForSignIn: true });
  const { mcp, id } = await start(httpServer(server.url));
  const { url } = await mcp.signIn(id);
  const back = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
  expect(back.hostname).toBe('127.0.0.1');
  back.search = 'code=stolen&state=guessed';
  expect((await fetch(back)).status).toBe(404);
  expect(mcp.server(id)).toMatchObject({ signedIn: false });
});

it('cancels a pending sign-in when the server’s URL changes', async () => {
  const server = await serveMcp({ asksForSignIn: true });
  const other = await serveMcp({});
  const { mcp, id, call } = await start(httpServer(server.url));
  const signingIn = expect(mcp.signIn(id)).rejects.toThrow('remote was changed');
  await mcp.save({ ...httpServer(other.url), id });
  await signingIn;
  expect(mcp.server(id)).toMatchObject({ signedIn: false });
  expect(await call('fine')).toMatchObject({ content: 'done' });
});
