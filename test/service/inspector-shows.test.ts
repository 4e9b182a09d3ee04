/** Where an error says “open the inspector to see”, what it speaks of is in the exchange shown first. */
import { expect, it } from 'vitest';
import type { Services } from '../../electron/services.ts';
import { getShownExchange } from '../../renderer/features/inspector/exchanges/exchange-rows.ts';
import { startBench } from '../fixtures/run-operation.ts';
import { bytes, completed, film, json, startTaskGateway } from '../fixtures/task-gateway.ts';
import { ended, startVideo, videoServices } from '../fixtures/video-run.ts';
import { chunk, lastChunk, reply, streamHead } from '../fixtures/wire-server.ts';

/** The first data that the inspector loads for a finished run: error, exchange and events. */
function shownFirst({ ledger }: Services, runId: string) {
  const run = ledger.run(runId);
  const exchanges = ledger.exchanges(runId, { from: 0, limit: 500 }).exchanges;
  const exchange = run && getShownExchange(exchanges, null, run.status);
  if (run == null || exchange == null) throw new Error('There is no exchange.');
  const page = { after: 0, limit: 1000, kinds: null, exchange: exchange.number };
  const { events } = ledger.events(runId, page);
  return { error: run.error, exchange, count: exchanges.length, text: JSON.stringify(events) };
}

async function videoOf(gateway: { url: string }) {
  const services = await videoServices(gateway.url);
  const runId = await startVideo(services);
  await ended(services, runId);
  return shownFirst(services, runId);
}

const opensInspector = /open the inspector/i;
const redirectTo = (location: string) => reply('302 Found', { Location: location }, '');

it('a submit reply that names no task', async () => {
  const gateway = await startTaskGateway({ submit: json({ note: 'later' }), polls: [] });
  const { error, exchange, text } = await videoOf(gateway);
  expect(error?.nextStep).toMatch(opensInspector);
  expect(exchange).toMatchObject({ number: 0, method: 'POST' });
  expect(text).toContain('later');
});

it.each([
  ['has no link', {}],
  ['has a link that cannot be opened', { url: 'http://[nowhere/film.mp4' }],
])('a finished task that %s: the last poll', async (_name, more) => {
  const gateway = await startTaskGateway({ polls: [completed({ note: 'the last', ...more })] });
  const { error, exchange, text } = await videoOf(gateway);
  expect(error?.nextStep).toMatch(opensInspector);
  expect(exchange).toMatchObject({ method: 'GET', taskWord: 'completed' });
  expect(text).toContain('the last');
  for (const value of Object.values(more)) expect(text).toContain(value);
});

it('a link that leads to a picture: where it came from, and the file', async () => {
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const gateway = await startTaskGateway({ download: bytes(picture, 'video/mp4') });
  const { error, exchange, text } = await videoOf(gateway);
  expect(error?.message).toContain('image/png');
  expect(error?.nextStep).toMatch(opensInspector);
  expect(exchange.url).toBe(`${gateway.url}/files/film.mp4`);
  expect(text).toContain('"type":"image/png"');
});

it('a link that leads to a web page: the page', async () => {
  const gateway = await startTaskGateway({
    download: bytes(Buffer.from('<!doctype html><p>Log in'), 'text/html'),
  });
  const { error, text } = await videoOf(gateway);
  expect(error?.nextStep).toMatch(opensInspector);
  expect(text).toContain('Log in');
});

it('redirects without end: each of them', async () => {
  const gateway = await startTaskGateway({ download: ({ send }) => send(redirectTo('/again')) });
  const { error, exchange, count, text } = await videoOf(gateway);
  expect(error?.message).toContain('too many times');
  expect(error?.nextStep).toMatch(opensInspector);
  expect(count).toBe(8);
  expect(exchange).toMatchObject({ number: 7, url: `${gateway.url}/again`, status: 302 });
  expect(text).toContain('/again');
});

it('a redirect that leaves the web: where to', async () => {
  const gateway = await startTaskGateway({
    download: ({ send }) => send(redirectTo('file:///etc/passwd')),
  });
  const { error, exchange, text } = await videoOf(gateway);
  expect(error?.nextStep).toMatch(opensInspector);
  expect(exchange.status).toBe(302);
  expect(text).toContain('file:///etc/passwd');
});

it('a file too large to take: its URL', async () => {
  const gateway = await startTaskGateway({
    async download({ send }) {
      await send(
        'HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 9000000000\r\n\r\n',
      );
      await send(film);
    },
  });
  const { error, exchange } = await videoOf(gateway);
  expect(error?.message).toContain('larger than 8 GB');
  expect(exchange.url).toBe(`${gateway.url}/files/film.mp4`);
});

const speech = { model: 'tts-1', input: 'Hello', voice: 'alloy' };

it('a speech reply that is JSON: the JSON', async () => {
  const bench = await startBench(async ({ send }) => {
    await send(reply('200 OK', { 'Content-Type': 'application/json' }, '{"note":"no sound"}'));
  });
  const runId = await bench.start('speech', speech);
  await bench.ended('speech', runId);
  const { error, text } = shownFirst(bench.services, runId);
  expect(error?.nextStep).toMatch(opensInspector);
  expect(text).toContain('no sound');
});

it('a speech reply that is a stream: its frames', async () => {
  const bench = await startBench(async ({ send }) => {
    await send(streamHead);
    await send(chunk('data: {"note":"no sound"}\n\n'));
    await send(lastChunk);
  });
  const runId = await bench.start('speech', speech);
  await bench.ended('speech', runId);
  const { error, text } = shownFirst(bench.services, runId);
  expect(error?.nextStep).toMatch(opensInspector);
  expect(text).toContain('no sound');
});

it('a part of an answer that is not text: the part', async () => {
  const part = { type: 'weather_map', region: 'Saltmere' };
  const answer = { choices: [{ index: 0, message: { role: 'assistant', content: [part] } }] };
  const bench = await startBench(async ({ send }) => {
    await send(reply('200 OK', { 'Content-Type': 'application/json' }, JSON.stringify(answer)));
  });
  const runId = await bench.start('chat', {
    model: 'm-1',
    messages: [{ role: 'user', content: 'Hi' }],
  });
  const view = await bench.ended('chat', runId);
  expect(JSON.stringify(view.state)).toContain('Open the inspector');
  expect(shownFirst(bench.services, runId).text).toContain('Saltmere');
});
