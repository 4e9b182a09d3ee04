import { MessageChannel } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { CONNECT_CHANNEL } from '../../shared/connect-channel.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { onlyWindow, startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { StandInFrame } from '../fixtures/electron/frame.ts';
import { startHeldGateway } from '../fixtures/electron/held-gateway.ts';
import { type Api, connect, openDocument, startChat } from '../fixtures/electron/page.ts';
import { watchToEnd } from '../fixtures/electron/watch-to-end.ts';

test('preserves numbers of any length, into the ledger and back', async () => {
  const desktop = await startApplication();
  const { api } = await connect(desktop);
  const long = '{"seed":9007199254740993,"top_p":1.0000000000000000001}';
  const params = { logit_bias: { value: parseJson(long) ?? null } };
  const form = { id: 'chat', operation: 'chat' } as const;
  const content = { operation: 'chat' as const, fields: { params } };
  await api.forms.change({ id: form.id, content, unset: [], after: null });
  const kept = await api.forms.get({ ...form, after: null });
  expect(JSON.stringify(kept.content.fields.params?.logit_bias?.value)).toBe(long);
});

test('doesn’t announce a page’s own save to that page', async () => {
  const desktop = await startApplication();
  const { api } = await connect(desktop);
  const changes = await api.system.changes();
  const content = { operation: 'chat' as const, fields: { input: { text: 'Hello' } } };
  await api.forms.change({ id: 'chat', content, unset: [], after: null });
  const settings = { params: {}, extraBody: '' };
  await api.saved.presets.save({ operation: 'chat', name: 'Plain', settings });
  const heard: string[] = [];
  for await (const { topic } of changes) {
    if (topic === 'forms' || topic === 'saved-items') heard.push(topic);
    if (topic === 'saved-items') break;
  }
  expect(heard).toEqual(['saved-items']);
});

test('streams a complete chat from the demo gateway to the page', async () => {
  const desktop = await startApplication();
  const { api } = await connect(desktop);
  const runId = await startChat(api, 'demo', 'demo-echo', 'Say it back: 木');
  const { updates, text, view } = await watchToEnd(api, runId);
  expect(updates[0]?.type).toBe('snapshot');
  expect(updates.length).toBeGreaterThan(2);
  expect(view.status).toBe('succeeded');
  expect(text).toContain('Say it back: 木');
});

test('rejects a port from any other frame', async () => {
  const desktop = await startApplication();
  const frames = [
    new StandInFrame('app://gatehouse.evil/'),
    new StandInFrame('https://gatehouse/'),
    new StandInFrame('about:blank'),
    new StandInFrame('app://gatehouse/', new StandInFrame('app://gatehouse/')),
  ];
  for (const [index, frame] of frames.entries()) {
    const { closed } = await connect(desktop, frame);
    await closed;
    expect(desktop.log).toHaveLength(index + 1);
    expect(desktop.log.at(-1)).toContain('rejected a port');
  }
});

test('rejects a port whose frame has navigated away', async () => {
  const desktop = await startApplication();
  const frame = new StandInFrame('app://gatehouse/');
  const { window } = await openDocument(desktop, frame);
  const { port1, port2 } = new MessageChannel();
  const closed = new Promise((resolve) => port1.once('close', resolve));
  frame.isGone = true;
  window.postMessage(CONNECT_CHANNEL, '/', [port2]);
  await closed;
  expect(desktop.log).toEqual(['rejected a port from a closed frame']);
});

test('rejects several ports at once, and ignores a message without one', async () => {
  const desktop = await startApplication();
  const { electron, log } = desktop;
  await openDocument(desktop);
  const { port1, port2 } = new MessageChannel();
  const closed = new Promise((resolve) => port1.once('close', resolve));
  const other = new MessageChannel();
  electron.ipcRenderer.postMessage(CONNECT_CHANNEL, null, []);
  // The preload forwards a single port. A page that obtains more must not get to use them.
  electron.ipcRenderer.postMessage(CONNECT_CHANNEL, null, [
    port2 as unknown as globalThis.MessagePort,
    other.port2 as unknown as globalThis.MessagePort,
  ]);
  await closed;
  expect(log).toEqual(['rejected a port from app://gatehouse']);
});

test('passes on only a port from its window with the right message', async () => {
  const desktop = await startApplication();
  const sent = vi.spyOn(desktop.electron.ipcRenderer, 'postMessage');
  const { window } = await openDocument(desktop);
  const port = () => new MessageChannel().port2;
  window.receive(CONNECT_CHANNEL, [port()], {});
  window.receive(CONNECT_CHANNEL, [port()], null);
  window.receive('something else', [port()], window);
  window.receive(CONNECT_CHANNEL, [], window);
  const good = port();
  window.receive(CONNECT_CHANNEL, [good, port()], window);
  await vi.waitFor(() => expect(sent).toHaveBeenCalled());
  expect(sent.mock.calls).toEqual([[CONNECT_CHANNEL, null, [good]]]);
});

test('closes the old port on a reload, and continues the run for the next page', async () => {
  const gateway = await startHeldGateway();
  const desktop = await startApplication({
    environment: { GATEHOUSE_BASE_URL: gateway.baseUrl, GATEHOUSE_API_KEY: 'sk-reload-1234567' },
  });
  const before = await connect(desktop);
  const runId = await startChat(before.api, 'environment', 'any', 'Hello');
  await vi.waitFor(() => expect(gateway.answering()).toBe(1));
  gateway.say('one ');
  await until(before.api, runId, 'one ');

  onlyWindow(desktop).webContents.reload();
  await before.closed;
  gateway.say('two ');
  const after = await connect(desktop);
  await until(after.api, runId, 'one two ');
  const rest = watchToEnd(after.api, runId);
  gateway.say('three');
  gateway.finish();
  expect((await rest).text).toBe('one two three');
  expect((await rest).view.status).toBe('succeeded');
});

/** Waits for the text, however many updates it takes. */
async function until(api: Api, runId: string, text: string): Promise<void> {
  await vi.waitFor(async () => {
    const { view } = await api.runs.get({ id: runId });
    expect(JSON.stringify(view.state)).toContain(JSON.stringify(text).slice(1, -1));
  });
}
