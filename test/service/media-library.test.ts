import { expect, onTestFinished, test, vi } from 'vitest';
import type { MediaSort } from '../../shared/media.ts';
import { isRunOf } from '../../shared/run-view.ts';
import { openTestMedia, store } from '../fixtures/media-service.ts';
import { pixel } from '../fixtures/pixel.ts';
import { startBench } from '../fixtures/run-operation.ts';
import { wav } from '../fixtures/sounds.ts';
import { everyRun } from '../fixtures/test-run.ts';
import { always, jsonReply, reply } from '../fixtures/wire-server.ts';

const all = { kind: null, after: null, limit: 50 };

test('names an output by its prompt and time, and lists it with its run', async () => {
  const parts = [1, 2].map(() => ({
    inlineData: { mimeType: 'image/png', data: pixel.toString('base64') },
  }));
  const bench = await startBench(always(jsonReply({ candidates: [{ content: { parts } }] })));
  const { media } = bench.services;
  const run = await bench.run('image', {
    model: 'img',
    contents: [{ role: 'user', parts: [{ text: 'A boat in fog' }] }],
  });
  await bench.store('boat.wav', 'audio/wav', wav());
  const listed = media.list(all).media;
  expect(listed.map(({ name, role }) => [name, role])).toEqual([
    ['boat.wav', 'upload'],
    [expect.stringMatching(/^a-boat-in-fog-\d{4}-\d\d-\d\d-\d{6}-2\.png$/), 'output'],
    [expect.stringMatching(/^a-boat-in-fog-\d{4}-\d\d-\d\d-\d{6}\.png$/), 'output'],
  ]);
  const source = { id: run.id, operation: 'image', preview: 'A boat in fog' };
  expect(listed.map((item) => item.run)).toEqual([null, source, source]);

  expect(media.list({ ...all, text: 'FOG  boat' }).media).toHaveLength(2);
  expect(media.list({ ...all, text: 'boat' }).media).toHaveLength(3);
  expect(media.list({ ...all, text: '%' }).media).toEqual([]);
  expect(media.list({ ...all, role: 'upload' }).media).toHaveLength(1);
  expect(media.list({ ...all, role: 'recording' }).media).toEqual([]);

  await bench.services.engine.remove(run.id);
  expect(media.list({ ...all, role: 'output' }).media.map((item) => item.run)).toEqual([
    null,
    null,
  ]);
});

test.each<[MediaSort, string[]]>([
  ['newest', ['a.txt', 'b.png', 'a.png', 'long.wav']],
  ['oldest', ['long.wav', 'a.png', 'b.png', 'a.txt']],
  ['largest', ['long.wav', 'b.png', 'a.png', 'a.txt']],
  ['kind', ['b.png', 'a.png', 'long.wav', 'a.txt']],
])('sorts by %s, page by page', async (sort, names) => {
  const { media } = openTestMedia();
  await store(media, wav(), { name: 'long.wav' });
  await store(media, pixel, { name: 'a.png' });
  await store(media, pixel, { name: 'b.png' });
  await store(media, Buffer.from('a'), { name: 'a.txt' });
  const listed: (string | null)[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page = media.list({ ...all, sort, after, limit: 1 });
    listed.push(...page.media.map(({ name }) => name));
    after = page.media.at(-1)?.id ?? null;
    ({ more } = page);
  }
  expect(listed).toEqual(names);
});

test('renames a file everywhere, keeps its extension, and never creates a path', async () => {
  const { media, changed } = openTestMedia();
  const { id } = await store(media, pixel, { name: 'image-1.png' });
  changed.length = 0;
  expect(media.rename(id, ' The gate ').name).toBe('The gate.png');
  expect(changed).toEqual([id]);
  expect(media.get(id)?.name).toBe('The gate.png');
  expect(media.rename(id, 'gate.PNG').name).toBe('gate.PNG');
  expect(media.rename(id, '../a/b').name).toBe('.._a_b.PNG');
  expect(media.rename(id, 'clip.mov').name).toBe('clip.mov.PNG');
  expect(media.rename(id, 'a\u202egnp').name).toBe('agnp.PNG');
  expect(media.rename(id, '.png').name).toBe(`gatehouse-${id.slice(0, 6)}.png`);
  expect(() => media.rename('nothing', 'x')).toThrow('no longer in the library');

  const other = await store(media, pixel, { name: 'image-2.png' });
  expect(media.rename(id, 'The gate').name).toBe('The gate.png');
  expect(media.rename(other.id, 'The gate').name).toBe('The gate-2.png');
  expect(media.rename(id, 'The gate').name).toBe('The gate.png');
});

test('gives outputs of the same prompt and second different names', async () => {
  const bench = await startBench(always(reply('200 OK', { 'Content-Type': 'audio/wav' }, wav())));
  const { media } = bench.services;
  vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 21, 12));
  onTestFinished(() => void vi.restoreAllMocks());
  const runs = await Promise.all(
    [1, 2, 3].map(() => bench.run('speech', { model: 'm', input: 'Mind the step' })),
  );
  const names = runs.map(({ media: [sound] }) => sound?.name ?? '').toSorted();
  const stem = /^mind-the-step-2026-11-2\d-\d{6}/.exec(names[0] ?? '')?.[0];
  expect(names).toEqual([`${stem}-2.wav`, `${stem}-3.wav`, `${stem}.wav`]);
  expect(
    media
      .list(all)
      .media.map(({ name }) => name)
      .toSorted(),
  ).toEqual(names);
});

test('shows the new name of a file wherever its run is shown', async () => {
  const bench = await startBench(always(reply('200 OK', { 'Content-Type': 'audio/wav' }, wav())));
  const { changes, engine, ledger, media } = bench.services;
  // The run has ended, but is still being stored.
  const stored = Promise.withResolvers<void>();
  onTestFinished(() => stored.resolve());
  const write = ledger.updateTogether;
  vi.spyOn(ledger, 'updateTogether').mockImplementation(async (runId, fields) => {
    await write(runId, fields);
    if (fields.finishedAt !== undefined) await stored.promise;
  });
  const run = await bench.run('speech', { model: 'm', input: 'Mind the step' });
  const id = run.media[0]?.id ?? '';
  const announced = changes.subscribe(undefined);
  const first = announced.next();
  media.rename(id, 'The platform');
  expect((await first).value).toEqual({ topic: 'media', id });
  expect((await announced.next()).value).toEqual({ topic: 'runs', id: run.id });
  await announced.return();

  const name = 'The platform.wav';
  const view = await engine.view(run.id);
  expect(view.media).toMatchObject([{ id, name }]);
  expect(isRunOf(view, 'speech') && view.state.media?.name).toBe(name);
  expect(ledger.list(everyRun).runs[0]?.media).toMatchObject([{ id, name }]);
  expect(bench.events(run.id, 'media').at(-1)?.media.name).toMatch(/^mind-the-step/);

  media.discard(id);
  expect((await engine.view(run.id)).media).toMatchObject([{ id, name }]);
});

test('keeps the format of raw samples with the file and its run', async () => {
  const bench = await startBench(
    always(reply('200 OK', { 'Content-Type': 'audio/pcm' }, Buffer.alloc(4800))),
  );
  const { media, ledger } = bench.services;
  const request = { model: 'tts', input: 'Hi', voice: 'alloy', response_format: 'pcm' };
  const run = await bench.run('speech', request);
  const [item] = media.list(all).media;
  const id = item?.id ?? '';
  expect(item).toMatchObject({ type: 'audio/pcm', sampleRate: null, channels: null });
  const shape = { sampleRate: 44_100, channels: 2 };
  expect(media.setShape(id, shape)).toMatchObject({ id, ...shape });
  expect(media.get(id)).toMatchObject(shape);
  expect(ledger.list(everyRun).runs.find((one) => one.id === run.id)?.media).toMatchObject([
    { id, ...shape },
  ]);
  expect(() => media.setShape('unknown', shape)).toThrow();
});

test('keeps that an image is cut off', async () => {
  const { media } = openTestMedia();
  const cut = await store(media, pixel.subarray(0, -8), { name: 'cut.png' });
  const whole = await store(media, pixel, { name: 'whole.png' });
  expect(media.get(cut.id)).toMatchObject({ type: 'image/png', isCut: true });
  expect(media.get(whole.id)).not.toHaveProperty('isCut');
});
