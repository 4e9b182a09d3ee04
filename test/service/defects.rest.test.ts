/** Checks that both hosts survive an uncaught error, log its stack and show it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { expect, it, onTestFinished } from 'vitest';
import type { AppContract } from '../../shared/contract/contract.ts';
import { startBrowserHostProcess } from '../e2e/fixtures/browser-host-process.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { linkOver, openSocket, signIn } from '../fixtures/page-socket.ts';

const KEY = 'sk-canary-0123456789';
const root = join(import.meta.dirname, '../..');

async function connectTo(address: string) {
  const socket = await openSocket(await signIn(address));
  onTestFinished(() => socket.close());
  const api: ContractRouterClient<AppContract> = createORPCClient(linkOver(socket));
  return api;
}

it('logs uncaught errors of the browser version with their stack, and continues', async () => {
  const preload = pathToFileURL(join(root, 'test/fixtures/fail-unnoticed.ts')).href;
  const home = temporaryFolder();
  const host = await startBrowserHostProcess({
    home,
    entry: join(root, 'electron/browser.ts'),
    environment: {
      NODE_OPTIONS: `--import=${preload}`,
      GATEHOUSE_BASE_URL: 'http://127.0.0.1:9',
      GATEHOUSE_API_KEY: KEY,
    },
  });
  onTestFinished(() => host.kill());
  const api = await connectTo(host.address);
  expect((await api.system.info()).notices).toEqual([]);

  process.kill(host.pid, 'SIGUSR2');
  await expect.poll(host.output).toMatch(/Error: Second failure\n\s+at /);
  expect(host.output()).toMatch(/Error: First failure with \[redacted\]\n\s+at /);
  expect(host.output()).toMatch(/Caused by: Error: Its cause\n\s+at /);
  const { notices } = await api.system.info();
  expect(notices).toMatchObject([
    { level: 'danger', message: expect.stringContaining('First failure with [redacted]') },
    { level: 'danger', message: expect.stringContaining('Second failure') },
  ]);
  expect(host.output() + JSON.stringify(notices)).not.toContain(KEY);
  expect(await host.stop()).toBe(0);
  const file = readFileSync(join(home, 'logs', 'gatehouse.log'), 'utf8');
  expect(file).toMatch(/Node\.js .+ started\n/);
  expect(file).toMatch(/Error: Second failure\n\s+at /);
  expect(file).toMatch(/Gatehouse ended\n$/);
  expect(file).not.toContain(KEY);
});
