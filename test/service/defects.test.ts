import { expect, it, vi } from 'vitest';
import { formatStack } from '../../electron/base/uncaught-errors.ts';
import { keepDefectsFromRunner, startMain } from '../fixtures/electron/desktop-under-test.ts';
import { connect } from '../fixtures/electron/page.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const KEY = 'sk-canary-0123456789';

it('logs uncaught errors of the desktop app with their stack, and continues', async () => {
  vi.stubEnv('GATEHOUSE_BASE_URL', 'http://127.0.0.1:9');
  vi.stubEnv('GATEHOUSE_API_KEY', KEY);
  keepDefectsFromRunner();
  const desktop = await startMain();
  await desktop.opened();
  const { api } = await connect(desktop);
  const changes = await api.system.changes();
  expect((await api.system.info()).notices).toEqual([]);

  void Promise.reject(new Error(`A failure with ${KEY}`));
  expect((await changes.next()).value).toMatchObject({ topic: 'notices' });
  const { notices } = await api.system.info();
  expect(notices).toMatchObject([{ level: 'danger' }]);
  setImmediate(() => {
    throw new Error('Another failure');
  });
  await vi.waitFor(() => expect(desktop.log.join()).toContain('Another failure'));
  const log = desktop.log.join('\n');
  expect(log).toMatch(/Error: A failure with \[redacted\]\n\s+at /);
  expect(log).toMatch(/Error: Another failure\n\s+at /);
  expect(log + JSON.stringify(notices)).not.toContain(KEY);
});

it('redacts every connection’s key, and truncates a long message', async () => {
  const services = await startTestServices();
  const { id } = await services.connections.create({ name: 'Mine', baseUrl: 'http://127.0.0.1:9' });
  await services.connections.setKey(id, KEY, 'session');
  services.reportDefect(new Error(`${KEY} ${'x'.repeat(5000)}`));
  const [notice] = (await services.system.info()).notices;
  expect(notice?.message).toContain('[redacted] xxx');
  expect(notice?.message.length).toBeLessThan(400);
});

it('shows each error once, and at most five', async () => {
  const services = await startTestServices();
  for (const what of ['One', 'Two', 'One', 'Three', 'Four', 'Five', 'Six']) {
    services.reportDefect(new Error(what));
  }
  const { notices } = await services.system.info();
  expect(notices.map(({ message }) => message.split(' ').at(-1))).toEqual([
    'One',
    'Two',
    'Three',
    'Four',
    'Five',
  ]);
});

it("logs a thrown value that isn't an error as text", () => {
  expect(formatStack('plain text')).toBe('plain text');
  expect(formatStack(undefined)).toBe('undefined');
});
