import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startApplication } from '../fixtures/electron/desktop-under-test.ts';
import { wav } from '../fixtures/sounds.ts';

const at = (path: string) => `app://gatehouse${path}`;
const origin = 'app://gatehouse';

async function upload(load: (url: string, init?: RequestInit) => Promise<Response>, bytes: Buffer) {
  const begun = await load(at('/media?name=tone.wav'), { method: 'POST', headers: { origin } });
  const { id } = await begun.json();
  const body = new Uint8Array(bytes).buffer;
  await load(at(`/media/${id}?offset=0`), { method: 'PUT', headers: { origin }, body });
  const finished = await load(at(`/media/${id}/finish`), { method: 'POST' });
  return finished.json();
}

test('stores a file from the page and serves it in ranges', async () => {
  const { electron } = await startApplication();
  const load = electron.protocol.load;
  const bytes = wav();
  const media = await upload(load, bytes);
  expect(media).toMatchObject({ name: 'tone.wav', type: 'audio/wav', durationSeconds: 1 });

  const whole = await load(at(`/media/${media.id}`));
  expect(whole.headers.get('content-type')).toBe('audio/wav');
  expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
  const part = await load(at(`/media/${media.id}`), { headers: { range: 'bytes=10-19' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 10-19/${bytes.length}`,
  ]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
  const head = await load(at(`/media/${media.id}`), { method: 'HEAD' });
  expect([head.headers.get('content-length'), await head.text()]).toEqual([`${bytes.length}`, '']);
  const peaks = await load(at(`/media/${media.id}/peaks?points=4`));
  expect(await peaks.json()).toMatchObject({ durationSeconds: 1 });
});

test('plays audio from its first bytes while it arrives', async () => {
  const { electron } = await startApplication();
  const load = electron.protocol.load;
  const begun = await load(at('/media?role=recording'), { method: 'POST' });
  const { id } = await begun.json();
  const put = (offset: number, bytes: Buffer) =>
    load(at(`/media/${id}?offset=${offset}`), {
      method: 'PUT',
      body: new Uint8Array(bytes).buffer,
    });
  const bytes = wav({ claimedBytes: 0 });
  await put(0, bytes.subarray(0, 1000));
  const reading = await load(at(`/media/${id}`));
  expect([reading.status, reading.headers.has('content-length')]).toEqual([200, false]);
  const reader = reading.body?.getReader();
  expect((await reader?.read())?.value).toHaveLength(1000);
  // Electron's streaming scheme expects the response to start at the requested byte.
  const within = await load(at(`/media/${id}`), { headers: { range: 'bytes=600-' } });
  expect([within.status, within.headers.get('content-range')]).toEqual([
    206,
    'bytes 600-9007199254740991/*',
  ]);
  // Electron would take Content-Length as the length of the whole file.
  expect(within.headers.has('content-length')).toBe(false);
  await put(1000, bytes.subarray(1000));
  expect((await reader?.read())?.value).toHaveLength(bytes.length - 1000);
  await load(at(`/media/${id}/finish`), { method: 'POST' });
  expect((await reader?.read())?.done).toBe(true);
  expect(Buffer.from(await within.arrayBuffer())).toEqual(bytes.subarray(600));
});

test('handles readers that leave at any moment', async () => {
  const { electron, log } = await startApplication();
  const load = electron.protocol.load;
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const media = await upload(load, wav({ seconds: 100 }));
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const reader = (await load(at(`/media/${media.id}`))).body?.getReader();
      const reading = index % 3 === 0 ? null : reader?.read();
      await reader?.cancel();
      await reading;
    }),
  );
  const still = await load(at(`/media/${media.id}`));
  expect((await still.arrayBuffer()).byteLength).toBe(media.sizeBytes);
  expect(unhandled).not.toHaveBeenCalled();
  expect(log).toEqual([]);
});

describe('access', () => {
  test('rejects a page from another origin', async () => {
    const { electron } = await startApplication();
    const reply = await electron.protocol.load(at('/media'), {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    });
    expect(reply.status).toBe(403);
  });

  test.each(['/media/..%2fledger.sqlite', '/media/%2e%2e/ledger.sqlite', '/media/x/../../y'])(
    'rejects a path that escapes the folder: %s',
    async (path) => {
      const { electron } = await startApplication();
      expect((await electron.protocol.load(at(path))).status).toBe(404);
    },
  );
});
