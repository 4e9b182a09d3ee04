import { expect, test } from 'vitest';
import { openTestMedia, store } from '../fixtures/media-service.ts';
import { folderWithOldLedger } from '../fixtures/old-ledger.ts';
import { startBench } from '../fixtures/run-operation.ts';
import { wav } from '../fixtures/sounds.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { reply } from '../fixtures/wire-server.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const all = { kind: null, before: null, limit: 50 };

test('an output is named after its prompt and time, and is listed with its run', async () => {
  const parts = [1, 2].map(() => ({
    inlineData: { mimeType: 'image/png', data: png.toString('base64') },
  }));
  const bench = await startBench(({ send }) =>
    send(
      reply(
        '200 OK',
        { 'Content-Type': 'application/json' },
        JSON.stringify({ candidates: [{ content: { parts } }] }),
      ),
    ),
  );
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

test('a medium is renamed everywhere, keeps its ending, and never becomes a path', async () => {
  const { media, changed } = openTestMedia();
  const { id } = await store(media, png, { name: 'image-1.png' });
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
});

test('media of an older Gatehouse know the run that brought them', async () => {
  const services = await startTestServices({ home: folderWithOldLedger(5) });
  const { media } = services.media.list({ ...all, limit: 100 });
  const sources = Object.fromEntries(media.map(({ name, run }) => [name, run?.operation ?? null]));
  expect(sources).toMatchObject({
    'video.mp4': 'video',
    'speech.mp3': 'speech',
    'image-1.png': 'image',
    'answer-1.pcm': 'chat',
    'tone.wav': null,
  });
});
