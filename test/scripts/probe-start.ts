/** Starts Gatehouse as a user would, opens its URL, calls it over the socket and stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { WebSocket } from 'ws';
import type { AppContract } from '../../shared/contract/contract.ts';
import { removeFolder } from '../fixtures/remove-folder.ts';

const START_MS = 120_000;
const STOP_MS = 5_000;
const ADDRESS = /^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+$/;

const home = mkdtempSync(join(tmpdir(), 'gatehouse-start-'));
// Hide the display, so that the launcher starts the browser version.
const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, ...environment } = process.env;
const child = spawn('npm', ['start', '--', '--no-open'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...environment, GATEHOUSE_HOME: home },
  shell: process.platform === 'win32',
});

try {
  const address = new URL(await printedAddress(child));
  const cookie = await signIn(address);
  await loadPage(address, cookie);
  await callMain(address, cookie);
  await stop(child, Number(address.port));
  console.log('npm start: printed its address, served the page, answered on the socket, stopped.');
} finally {
  child.kill('SIGKILL');
  removeFolder(home);
}

async function printedAddress({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('npm start has no output.');
  const signal = AbortSignal.timeout(START_MS);
  for await (const line of createInterface({ input: stdout, signal })) {
    if (ADDRESS.test(line)) return line;
  }
  throw new Error(`npm start ended without an address, or printed none in ${START_MS / 1000} s.`);
}

async function signIn(address: URL): Promise<string> {
  const response = await fetch(address, { redirect: 'manual' });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (response.status !== 200 || cookie === undefined) {
    throw new Error(`The printed address answered ${response.status} and gave no cookie.`);
  }
  return cookie;
}

async function loadPage({ origin }: URL, cookie: string): Promise<void> {
  const response = await fetch(origin, { headers: { cookie } });
  const html = await response.text();
  if (response.status !== 200 || !html.includes('<div id=')) {
    throw new Error(`The page answered ${response.status}.`);
  }
}

async function callMain({ origin, host }: URL, cookie: string): Promise<void> {
  const socket = new WebSocket(`ws://${host}/rpc`, { headers: { cookie, origin } });
  await once(socket, 'open');
  // `ws` has all that RPCLink uses, but its listener types differ from the browser's.
  const link = new RPCLink({ websocket: socket as unknown as globalThis.WebSocket });
  const api: ContractRouterClient<AppContract> = createORPCClient(link);
  const info = await api.system.info();
  if (info.host !== 'browser') throw new Error(`Main says it is the ${info.host} host.`);
  socket.close();
}

async function stop(npm: ChildProcess, port: number): Promise<void> {
  npm.kill('SIGTERM');
  const deadline = Date.now() + STOP_MS;
  while (await accepts(port)) {
    if (Date.now() > deadline) throw new Error(`It still ran ${STOP_MS / 1000} s after SIGTERM.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}
