/** A ledger of schema 5, made by running every operation: it opens with everything in it. */
import { expect, it } from 'vitest';
import { createChanges } from '../../electron/changes.ts';
import { createSettingsStore } from '../../electron/storage/settings-store.ts';
import type { RunSummary } from '../../shared/run.ts';
import { openTestStorage } from '../fixtures/data-folder.ts';
import { everyRun, folderWithOldLedger, openOldLedger } from '../fixtures/old-ledger.ts';
import {
  completed,
  film,
  filmDownload,
  KEY,
  running,
  startTaskGateway,
} from '../fixtures/task-gateway.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { ended, notedPauses } from '../fixtures/video-run.ts';

/** Every run, oldest first: what the list says, and what its view or its error must contain. */
const runs: [preview: string, operation: string, status: string, ...contains: string[]][] = [
  ['What is a lock?', 'chat', 'succeeded', 'The Gatehouse at Saltmere', '"completion_tokens":8'],
  ['And a gate?', 'chat', 'succeeded', 'Saltmere', 'Hollow Weir'],
  ['And a gate?', 'chat', 'succeeded', 'Greywater'],
  ['And a portcullis?', 'chat', 'succeeded', 'The Gatehouse at Saltmere'],
  ['Is the bridge safe?', 'chat', 'succeeded', 'a keeper counts the boats', '**2 steps**'],
  ['What is the weather in Paris?', 'chat', 'succeeded', 'get_weather', 'get_time', 'Paris'],
  ['What is the weather in Paris?', 'chat', 'succeeded', '**get_weather** answered: noon'],
  ['What do you see?', 'chat', 'succeeded', '1 × 1 pixels, detail low', '16,044 bytes'],
  ['Say it aloud.', 'chat', 'succeeded', 'The Gatehouse at', 'RBJMmnMDX4c3vGeUSDGKzA'],
  ['Is it open?', 'chat', 'succeeded', '\\"open\\": '],
  ['Refused?', 'chat', 'failed', 'Invalid token', 'unauthorized'],
  ['Limited?', 'chat', 'failed', 'Slow down', '"retryAfterSeconds":30'],
  ['A page?', 'chat', 'failed', 'malformed-response'],
  ['Cut?', 'chat', 'failed', 'The bridge is ', 'stream-cut'],
  ['Nobody?', 'chat', 'failed', 'unreachable'],
  ['Extra?', 'chat', 'succeeded', 'Plain answer to with-extra'],
  ['Stopped?', 'chat', 'cancelled', 'So far so good'],
  ['Once upon a gate', 'completion', 'succeeded', '"completion_tokens":16'],
  ['In one piece', 'completion', 'succeeded', 'In one piece'],
  ['A gatehouse at dawn', 'image', 'succeeded', '8heeX79ZfApunHJedbJmlQ', 'STOP'],
  ['Now at night', 'image', 'succeeded', 'Input image 2: image/png, 70 bytes'],
  ['gate keeper', 'rerank', 'succeeded', 'A keeper of the gate.', '0.532697', 'bm25'],
  ['Mind the step.', 'speech', 'succeeded', '68pGKKRr6NorMXno9aHYUw', 'audio/wav'],
  [
    'Under another name.',
    'speech',
    'succeeded',
    'br1kMaLig1lsNUajr4Y8Dw',
    '"durationSeconds":1.248',
  ],
  ['tone.wav', 'transcription', 'succeeded', 'verbose_json', '"word":"Simulated"'],
  ['tone.wav', 'transcription', 'succeeded', '00:00:00,000 --> 00:00:01,000'],
  ['GET /v1/odd', 'console', 'succeeded', 'Any text at all.'],
  ['POST /v1/rerank', 'console', 'succeeded', 'relevance_score'],
  ['POST /v1/audio/transcriptions', 'console', 'succeeded', 'transcription of other.wav'],
  ['A drawbridge opens', 'video', 'succeeded', 'lXjzIYDw1_4jN8zbO-vrJw', '"pollCount":4'],
  ['Please fail', 'video', 'failed', 'asked for a failure', 'code 500', 'task-failed'],
  ['Renamed fields', 'video', 'succeeded', 'pnXl9HbLdnShtxCVEHIezA', 'task-done', '"seed":11'],
  ['A known task', 'video', 'succeeded', '8JxpbAF-5Qgrf8WRLhfF8Q', 'task-known'],
  ['Task task-gone', 'video', 'failed', 'task-gone', 'No such task', 'not-found'],
  ['A task that is watched', 'video', 'running', 'task-running', '30%', '"following":true'],
  ['A task that is left alone', 'video', 'running', 'task-stopped', '"following":false'],
  ['Closed meanwhile?', 'chat', 'interrupted', 'So far so good'],
  ['Closed unanswered?', 'chat', 'unknown', 'outcome-unknown'],
  ['Killed meanwhile?', 'chat', 'interrupted', 'So far so good', 'The other one'],
  ['Killed unanswered?', 'chat', 'unknown', 'outcome-unknown'],
];

/** What the recorded input of some of them must still say. */
const inputs: [preview: string, ...contains: string[]][] = [
  ['Extra?', '"top_k":40', '"nested":{"a":[1,null]}'],
  ['Now at night', 'media:8heeX79ZfApunHJedbJmlQ', 'media:KCupoLS-mPuq0I3lo0gJSQ'],
  ['gate keeper', '{"text":"A river."}', '"top_n":2'],
  ['Under another name.', '"speed":1.5', '"voice_id"', '"nova"'],
  ['GET /v1/odd', '["X-Trace","abc"]'],
  ['POST /v1/audio/transcriptions', 'other.wav', 'media:mvR_BrJN7k-lrrCrQEgfyA'],
  ['A drawbridge opens', '"metadata":{"negative_prompt":"fog","style":"ink"}'],
  ['Renamed fields', 'input_reference', 'frame_rate', 'media:KCupoLS-mPuq0I3lo0gJSQ', 'watermark'],
  ['A known task', 'task-known', '"duration":4'],
];

it('opens without a notice and lists every run as it ended', async () => {
  const { services, listed } = await openOldLedger();
  expect((await services.system.info()).notices).toEqual([]);
  expect(listed.map(({ preview, operation, status }) => [preview, operation, status])).toEqual(
    runs.map(([preview, operation, status]) => [preview, operation, status]),
  );
});

it('folds each run to what it was', async () => {
  const { services, listed } = await openOldLedger();
  for (const [index, [preview, , status, ...contains]] of runs.entries()) {
    const view = await services.engine.view(listed[index]?.id ?? '');
    expect(view).toMatchObject({ preview, status });
    const { state, figures, error } = view;
    for (const part of contains) expect(JSON.stringify({ state, figures, error })).toContain(part);
  }
});

it('lists how far each run came, and what files it brought, as its events say', async () => {
  const { services, listed } = await openOldLedger();
  const ofEvents = await Promise.all(listed.map(({ id }) => services.engine.view(id)));
  const listedState = ({ phase, media }: RunSummary) => ({
    media,
    name: phase.name,
    task: phase.task && { ...phase.task, progress: null },
  });
  expect(listed.map(listedState)).toEqual(ofEvents.map(listedState));
  expect(listed.flatMap(({ media }) => media).length).toBeGreaterThan(5);
});

it.each(inputs)('keeps the input of the run “%s”', async (preview, ...contains) => {
  const { services, runNamed } = await openOldLedger();
  const recorded = JSON.stringify(services.ledger.run(runNamed(preview).id));
  for (const part of contains) expect(recorded).toContain(part);
});

it('holds field names and followed tasks beside the request, no longer inside it', async () => {
  const { services, runNamed } = await openOldLedger();
  const inputOf = (preview: string) => {
    const { request, wireNames, follow } = services.ledger.run(runNamed(preview).id) ?? {};
    return { request, wireNames, follow };
  };
  expect(inputOf('Renamed fields')).toEqual({
    request: {
      model: 'video-1',
      prompt: 'Renamed fields',
      image: 'media:KCupoLS-mPuq0I3lo0gJSQ',
      fps: 24,
      seed: 11,
    },
    wireNames: { image: 'input_reference', fps: 'frame_rate' },
    follow: null,
  });
  expect(inputOf('A known task')).toEqual({
    request: { model: 'video-1', prompt: 'A known task', duration: 4 },
    wireNames: {},
    follow: 'task-known',
  });
  expect(inputOf('Task task-gone')).toMatchObject({ request: {}, follow: 'task-gone' });
  const transcriptions = services.ledger.list({ ...everyRun, operation: 'transcription' }).runs;
  const recorded = transcriptions.map(({ id }) => services.ledger.run(id));
  expect(recorded.map((run) => run?.wireNames)).toContainEqual({
    timestamp_granularities: 'timestamp_granularities[]',
  });
  for (const run of recorded) expect(run?.request).not.toHaveProperty('granularities_field');
});

it('finds runs by request and response', async () => {
  const { services } = await openOldLedger();
  const previews = async (search: string) =>
    (await services.ledger.search({ ...everyRun, search })).runs.map(({ preview }) => preview);
  expect(await previews('Mind the step')).toEqual(['Mind the step.']);
  await expect.poll(() => previews('counts the boats')).toEqual(['Is the bridge safe?']);
});

it('keeps every exchange of a video run', async () => {
  const { services, runNamed } = await openOldLedger();
  const { id } = runNamed('A drawbridge opens');
  const { events } = services.ledger.events(id, { after: 0, limit: 2000, kinds: ['request'] });
  const heads = events.map((event) => (event.kind === 'request' ? event.method : ''));
  expect(heads).toEqual(['POST', 'GET', 'GET', 'GET', 'GET', 'GET']);

  const exchanges = services.ledger.exchanges(id, { from: 0, limit: 500 }).exchanges;
  expect(
    exchanges.map(({ status, taskWord, ending }) => [status, taskWord, ending?.status]),
  ).toEqual([
    [200, 'queued', 'succeeded'],
    [200, 'queued', 'succeeded'],
    [200, 'in_progress', 'succeeded'],
    [200, 'in_progress', 'succeeded'],
    [200, 'completed', 'succeeded'],
    [200, null, 'succeeded'],
  ]);
  expect(exchanges.at(-1)?.timings).toEqual(services.ledger.run(id)?.timings);
});

it('gives the one exchange of every other run the end and the timings of the run', async () => {
  const { services } = await openOldLedger();
  const ended = services.ledger
    .list(everyRun)
    .runs.filter(({ operation, status }) => operation !== 'video' && status !== 'running');
  expect(ended.length).toBeGreaterThan(25);
  for (const { id, status, error, timings, httpStatus } of ended) {
    expect(services.ledger.exchanges(id, { from: 0, limit: 500 }).exchanges).toMatchObject([
      { number: 0, status: httpStatus, timings, ending: { status, error } },
    ]);
  }
});

it('keeps tools, connections, media and the models that were used', async () => {
  const { services } = await openOldLedger();
  expect(services.tools.list().map(({ tool }) => tool.function)).toMatchObject([
    { name: 'get_time', description: 'Time of a city' },
    { name: 'get_weather', parameters: { required: ['city'] } },
  ]);
  const connections = services.connections.list();
  expect(connections.map(({ name }) => name)).toEqual([
    'Demo',
    'Environment',
    'My gateway',
    'Nobody answers',
  ]);
  const mine = connections.find(({ name }) => name === 'My gateway');
  expect(mine?.baseUrl).toBe('http://127.0.0.1:4180');
  const { models } = await services.models.suggest(mine?.id ?? '', 'video');
  expect(models).toMatchObject([{ id: 'video-1', used: true }]);
  const { media } = services.media.list({ kind: null, before: null, limit: 100 });
  expect(media.map(({ name }) => name)).toEqual([
    'video.mp4',
    'video.mp4',
    'video.mp4',
    'speech.mp3',
    'speech.wav',
    'image-1.png',
    'answer-1.pcm',
    'tone.wav',
    'dot.png',
  ]);
});

it('keeps the settings', () => {
  const { db } = openTestStorage(folderWithOldLedger(5));
  expect(createSettingsStore(db, createChanges()).get()).toMatchObject({
    theme: 'dark',
    density: 'comfortable',
    selectedConnectionId: 'environment',
    timeouts: {
      chat: { connectSeconds: 5, firstByteSeconds: 0, stallSeconds: 90 },
      video: { connectSeconds: 7, firstByteSeconds: 8, stallSeconds: 9 },
    },
  });
});

it('continues the video tasks that were running, and polls a stopped one on demand', async () => {
  const gateway = await startTaskGateway({
    polls: [running, completed()],
    download: filmDownload,
  });
  const services = await startTestServices({
    home: folderWithOldLedger(5),
    baseUrl: gateway.url,
    key: KEY,
    polling: notedPauses().polling,
  });
  const [stopped, watched] = services.ledger.list({ ...everyRun, operation: 'video' }).runs;
  expect(await ended(services, watched?.id ?? '')).toMatchObject({
    preview: 'A task that is watched',
    status: 'succeeded',
    state: { media: [{ type: 'video/mp4', sizeBytes: film.length }] },
  });
  expect(gateway.submits()).toEqual([]);
  expect(gateway.polls().some((head) => head.includes('/task-stopped '))).toBe(false);
  await services.engine.resume(stopped?.id ?? '');
  expect((await ended(services, stopped?.id ?? '')).status).toBe('succeeded');
});
