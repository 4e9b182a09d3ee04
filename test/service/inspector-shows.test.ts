/** Checks that the inspector opens on the exchange that caused the error. */
import { expect, it } from 'vitest';
import type { Services } from '../../electron/services.ts';
import { getShownExchange } from '../../renderer/features/inspector/exchanges/exchange-rows.ts';
import { pixel } from '../fixtures/pixel.ts';
import { startBench } from '../fixtures/run-operation.ts';
import { type Answers, bytes, completed, json } from '../fixtures/task-gateway.ts';
import { runVideo } from '../fixtures/video-run.ts';
import { always, jsonReply, reply, streaming } from '../fixtures/wire-server.ts';

/** Returns what the inspector loads first for a finished run. */
function shownFirst({ ledger }: Services, runId: string) {
  const run = ledger.run(runId);
  const exchanges = ledger.exchanges(runId, { from: 0, limit: 500 }).exchanges;
  const exchange = run && getShownExchange(exchanges, null, run.status);
  if (run == null || exchange == null) throw new Error('There is no exchange.');
  const page = { after: 0, limit: 1000, kinds: null, exchange: exchange.number };
  const { events } = ledger.events(runId, page);
  return { error: run.error, exchange, text: JSON.stringify(events) };
}

const lastPoll = { method: 'GET', taskWord: 'completed' };
const opensInspector = /open the inspector/i;
const redirectTo = (location: string) => reply('302 Found', { Location: location }, '');

const redirects = (location: string) => always(redirectTo(location));
const page = bytes(Buffer.from('<!doctype html><p>Log in'), 'text/html');
const film = '/files/film.mp4';

it.each<[string, Answers, object, string]>([
  [
    'a submit reply that names no task',
    { submit: json({ note: 'later' }) },
    { number: 0, method: 'POST' },
    'later',
  ],
  [
    'a finished task without a link',
    { polls: [completed({ note: 'the last' })] },
    lastPoll,
    'the last',
  ],
  [
    'a finished task with a link that cannot be opened',
    { polls: [completed({ url: 'http://[nowhere/film.mp4' })] },
    lastPoll,
    'http://[nowhere/film.mp4',
  ],
  [
    'a link to an image',
    { download: bytes(pixel, 'video/mp4') },
    { path: film },
    '"type":"image/png"',
  ],
  ['a link to a web page', { download: page }, { path: film }, 'Log in'],
  [
    'a redirect without end',
    { download: redirects('/again') },
    { number: 7, path: '/again', status: 302 },
    '/again',
  ],
  [
    'a redirect out of the web',
    { download: redirects('file:///etc/passwd') },
    { status: 302 },
    'file:///etc/passwd',
  ],
])('shows %s', async (_name, answers, expected, words) => {
  const { services, view } = await runVideo(answers);
  const { error, exchange, text } = shownFirst(services, view.id);
  expect(error?.nextStep).toMatch(opensInspector);
  expect({ ...exchange, path: new URL(exchange.url).pathname }).toMatchObject(expected);
  expect(text).toContain(words);
});

it('shows the URL of an oversized file', async () => {
  const { services, view } = await runVideo({
    async download({ send }) {
      await send(
        'HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 9000000000\r\n\r\n',
      );
      await send(Buffer.alloc(100));
    },
  });
  const { error, exchange } = shownFirst(services, view.id);
  expect(error?.message).toContain('larger than 8 GB');
  expect(new URL(exchange.url).pathname).toBe(film);
});

it.each([
  ['JSON', always(jsonReply('{"note":"no sound"}'))],
  ['a stream', streaming('data: {"note":"no sound"}\n\n')],
])('shows %s received instead of speech', async (_name, script) => {
  const bench = await startBench(script);
  const { id } = await bench.run('speech', { model: 'tts-1', input: 'Hello', voice: 'alloy' });
  const { error, text } = shownFirst(bench.services, id);
  expect(error?.nextStep).toMatch(opensInspector);
  expect(text).toContain('no sound');
});

it('shows a non-text part of an answer', async () => {
  const part = { type: 'weather_map', region: 'Saltmere' };
  const message = { role: 'assistant', content: [part] };
  const bench = await startBench(always(jsonReply({ choices: [{ index: 0, message }] })));
  const messages = [{ role: 'user', content: 'Hi' }];
  const view = await bench.run('chat', { model: 'm-1', messages });
  expect(JSON.stringify(view.state)).toContain('Open the inspector');
  expect(shownFirst(bench.services, view.id).text).toContain('Saltmere');
});
