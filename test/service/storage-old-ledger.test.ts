/** A ledger of schema 5, made by running every operation: it opens with everything in it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createChanges } from '../../electron/changes.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { createSettingsStore } from '../../electron/storage/settings-store.ts';
import type { Conversation, TreeMessage } from '../../shared/conversation.ts';
import { textOf } from '../../shared/operations/chat/text.ts';
import type { RunSummary } from '../../shared/run.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { folderWithOldLedger } from '../fixtures/old-ledger.ts';
import { bytes, completed, film, KEY, running, startTaskGateway, filmDownload } from '../fixtures/task-gateway.ts';
import { testRun } from '../fixtures/test-run.ts';
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

const everyRun = {
  connectionId: null,
  operation: null,
  status: null,
  before: null,
  limit: 200,
} as const;

async function openOldLedger() {
  const gateway = await startTaskGateway({ polls: [running] });
  const { polling } = notedPauses();
  const home = folderWithOldLedger(5);
  const services = await startTestServices({ home, baseUrl: gateway.url, key: KEY, polling });
  const { runs: newestFirst } = services.ledger.list(everyRun);
  const runNamed = (preview: string) => {
    const run = newestFirst.find((one) => one.preview === preview);
    if (run === undefined) throw new Error(`No run “${preview}”`);
    return run;
  };
  return { gateway, services, listed: newestFirst.toReversed(), runNamed };
}

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

it('opens with every run where events are damaged', async () => {
  const home = folderWithOldLedger(5);
  const old = new DatabaseSync(join(home, 'ledger.sqlite'));
  old.exec(`UPDATE events SET body = 'x' WHERE kind IN ('media', 'following');
    UPDATE events SET body = '{}' WHERE kind = 'task' AND seq % 2 = 0`);
  old.close();
  const services = await startTestServices({ home });
  expect(services.ledger.list(everyRun).runs).toHaveLength(runs.length);
  expect((await services.system.info()).notices.map(({ id }) => id)).not.toContain(
    'ledger-damaged',
  );
});

it('opens with all the others where one request is damaged', () => {
  const home = folderWithOldLedger(5);
  const old = new DatabaseSync(join(home, 'ledger.sqlite'));
  old.exec(`UPDATE runs SET request = '{"task_id":' WHERE preview = 'A known task'`);
  old.close();
  const ledger = createLedger(openTestStorage(home).db);
  const { runs: listed } = ledger.list({ ...everyRun, operation: 'video' });
  expect(listed).toHaveLength(7);
  const renamed = listed.find(({ preview }) => preview === 'Renamed fields');
  expect(ledger.run(renamed?.id ?? '')?.wireNames).toHaveProperty('fps', 'frame_rate');
});

it('finds runs by request and response', async () => {
  const { services } = await openOldLedger();
  const previews = (search: string) =>
    services.ledger.list({ ...everyRun, search }).runs.map(({ preview }) => preview);
  expect(previews('Mind the step')).toEqual(['Mind the step.']);
  expect(previews('counts the boats')).toEqual(['Is the bridge safe?']);
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

it('keeps every conversation with all its messages', async () => {
  const { services } = await openOldLedger();
  const conversations = services.conversations
    .list({ search: '', limit: 100 })
    .map(({ id }) => services.conversations.get(id));
  const named = (title: string) => {
    const found = conversations.find((one) => one.title === title);
    if (found === undefined) throw new Error(`No conversation “${title}”`);
    return found;
  };
  expect(conversations.map(({ title, messages }) => [title, messages.length]).sort()).toEqual([
    ['Closed meanwhile?', 2],
    ['Is it open?', 2],
    ['Is the bridge safe?', 3],
    ['Killed meanwhile?', 2],
    ['Locks and gates', 8],
    ['New conversation', 0],
    ['Refused?', 2],
    ['What do you see?', 4],
    ['What is the weather in Paris?', 5],
  ]);

  const tools = services.tools.list();
  const gates = named('Locks and gates');
  expect(gates).toMatchObject({
    titled: true,
    systemMessage: 'Answer briefly.',
    options: {
      toolIds: [tools.find(({ tool }) => tool.function.name === 'get_weather')?.id],
      toolChoice: { name: 'get_weather' },
      sendReasoning: true,
      responseFormat: { type: 'json_object' },
    },
  });
  const shown = branchOf(gates);
  expect(shown.map(({ role, content }) => [role, textOf(content)])).toEqual([
    ['user', 'What is a lock?'],
    ['assistant', '# The Gatehouse at Saltmere\n\n*A'],
    ['user', 'And a portcullis?'],
    ['assistant', '# The Gatehouse at Saltmere\n\n'],
  ]);
  const gate = gates.messages.find(({ content }) => content === 'And a gate?');
  expect(gate?.name).toBe('ada');
  const answers = gates.messages.filter(({ parentId }) => parentId === gate?.id);
  expect(answers.map(({ choiceIndex }) => choiceIndex)).toEqual([0, 1, 0]);
  expect(answers.every(({ run }) => run?.status === 'succeeded')).toBe(true);

  const [, thought, note] = named('Is the bridge safe?').messages;
  expect(thought?.reasoning).toContain('a keeper counts the boats');
  expect(note).toMatchObject({ role: 'developer', content: 'Be kind.', run: null });

  const [, calling, first, second] = named('What is the weather in Paris?').messages;
  expect(calling?.toolCalls.map((call) => call.function)).toEqual([
    { name: 'get_time', arguments: '{}' },
    { name: 'get_weather', arguments: '{"city":"Paris"}' },
  ]);
  expect([first, second].map((result) => [result?.toolCallId, result?.content])).toEqual([
    [calling?.toolCalls[0]?.id, '{"sky":"clear"}'],
    [calling?.toolCalls[1]?.id, 'noon'],
  ]);

  const [looking, , , spoken] = named('What do you see?').messages;
  expect(looking?.content).toMatchObject([
    { type: 'text', text: 'What do you see?' },
    { type: 'image_url', image_url: { url: 'media:KCupoLS-mPuq0I3lo0gJSQ', detail: 'low' } },
    { type: 'input_audio', input_audio: { data: 'media:mvR_BrJN7k-lrrCrQEgfyA', format: 'wav' } },
  ]);
  expect(spoken?.audio).toMatchObject({
    media: 'RBJMmnMDX4c3vGeUSDGKzA',
    transcript: 'The Gatehouse at',
  });

  expect(named('Is it open?').options.responseFormat).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'gate' },
  });
  // Its second choice was deleted before main died.
  expect(named('Killed meanwhile?').messages.map(({ content }) => content)).toEqual([
    'Killed meanwhile?',
    'So far so good',
  ]);
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

const unmeasured = {
  startedAtMs: 0,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  reusedSocket: true,
  sentAtMs: 1,
  headAtMs: 5,
  firstDeltaAtMs: null,
  endAtMs: 9,
  deltaCount: 0,
  gaps: null,
  sentBytes: 9,
  receivedBytes: 2,
};

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
  services.engine.resume(stopped?.id ?? '');
  expect((await ended(services, stopped?.id ?? '')).status).toBe('succeeded');
});

/** The messages that are shown, from the root. */
function branchOf({ messages, activeLeafId }: Conversation): TreeMessage[] {
  const branch: TreeMessage[] = [];
  for (let id = activeLeafId; id !== null; ) {
    const found = messages.find((message) => message.id === id);
    if (!found) throw new Error(`No message ${id}`);
    branch.unshift(found);
    id = found.parentId;
  }
  return branch;
}

it('says of a run from before that its reply holds no result, in lists too', async () => {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  const before = createLedger(storage.db);
  before.createRun(testRun({ id: 'a', status: 'succeeded', startedAt: 1, finishedAt: 9 }));
  const event = { atMs: 1, exchange: 0 };
  before.append('a', [
    { ...event, kind: 'request', seq: 1, method: 'POST', url: 'x', headers: [], body: '{}' },
    { ...event, kind: 'response', seq: 2, status: 200, headers: [] },
    { ...event, kind: 'body', seq: 3, text: '{"choices":[]}', truncated: false },
    { ...event, kind: 'finish', seq: 4, timings: unmeasured },
  ]);
  before.close();
  const figures = JSON.stringify({ model: null, usage: null, finishReasons: [] });
  storage.db.sql('UPDATE runs SET indexed = 1, figures = ?').run(figures);
  storage.db.sql('PRAGMA user_version = 12').run();
  storage.close();
  const { ledger } = await startTestServices({ home });
  const listed = () => ledger.list(everyRun).runs.map((run) => run.figures?.noResult);
  await expect.poll(listed).toEqual(['The response is empty.']);
});

it('opens where the media of a run are not what they should be', () => {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  storage.db.sql('DROP TABLE presets').run();
  storage.db.sql('ALTER TABLE media DROP COLUMN run_id').run();
  createLedger(storage.db).createRun(testRun({ id: 'a', status: 'succeeded' }));
  storage.db.sql('UPDATE runs SET media = \'["plain", 7, null]\'').run();
  storage.db.sql('PRAGMA user_version = 10').run();
  storage.close();
  expect(openTestStorage(home).db.sql('SELECT id FROM runs').all()).toEqual([{ id: 'a' }]);
});
