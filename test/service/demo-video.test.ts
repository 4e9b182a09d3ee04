import { expect, it, vi } from 'vitest';
import { type Client, KEY, readJson, shareClient, startWithClient } from './demo-gateway-client.ts';

const client = await shareClient();

const authorization = `Bearer ${KEY}`;
const small = { model: 'demo-video', prompt: 'A boat', duration: 1, width: 64, height: 48, fps: 4 };
const submit = async (to: Client, fields = {}) =>
  readJson(await to.post('/v1/video/generations', { ...small, ...fields }));
const poll = async (at: Client, id: string) =>
  readJson(await at.get(`/v1/video/generations/${id}`));
const completed = async (at: Client, id: string) => {
  await expect.poll(async () => (await poll(at, id)).status).toBe('completed');
  return poll(at, id);
};

it('moves a task from queued to in_progress to completed, and requires the key for its video', async () => {
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  const slow = await startWithClient({ speed: 4, videoSeconds: 8 });
  try {
    const submitted = await submit(slow, { seed: 7 });
    expect(submitted).toEqual({ task_id: expect.any(String), status: 'queued' });
    expect((await poll(slow, submitted.task_id)).status).toBe('queued');
    now += 1000;
    expect((await poll(slow, submitted.task_id)).status).toBe('in_progress');
    now += 1000;
    const task = await completed(slow, submitted.task_id);
    expect(task).toMatchObject({
      format: 'mp4',
      metadata: { duration: 1, fps: 4, width: 64, height: 48, seed: 7 },
    });
    expect(task.url.startsWith(slow.gateway.baseUrl)).toBe(true);
    expect((await fetch(task.url)).status).toBe(401);
    const film = await fetch(task.url, { headers: { authorization } });
    expect(film.headers.get('content-type')).toBe('video/mp4');
    const bytes = Buffer.from(await film.arrayBuffer());
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
    expect(bytes.includes('avcC')).toBe(true);
  } finally {
    clock.mockRestore();
    await slow.gateway.close();
  }
});

it('serves byte ranges of a video, so that players can seek', async () => {
  const { task_id: id } = await submit(client);
  const { url } = await completed(client, id);
  const whole = Buffer.from(await (await fetch(url, { headers: { authorization } })).arrayBuffer());
  const size = whole.length;
  for (const [range, start, end] of [
    ['bytes=10-19', 10, 19],
    ['bytes=100-', 100, size - 1],
    ['bytes=-5', size - 5, size - 1],
    ['bytes=0-99999999', 0, size - 1],
  ] as const) {
    const part = await fetch(url, { headers: { authorization, range } });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${start}-${end}/${size}`,
    ]);
    const bytes = Buffer.from(await part.arrayBuffer());
    expect(bytes.equals(whole.subarray(start, end + 1))).toBe(true);
  }
  const beyond = await fetch(url, { headers: { authorization, range: `bytes=${size}-` } });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
});

it.each(['Please fail', 'a [fail] here', 'FAILURE'])(
  'fails a task with the prompt “%s”',
  async (prompt) => {
    const { task_id: id } = await submit(client, { prompt });
    await expect.poll(async () => (await poll(client, id)).status).toBe('failed');
    expect(await poll(client, id)).toMatchObject({
      error: { code: 500, message: expect.stringContaining('fail') },
    });
  },
);

it.each([
  ['width', { width: 100_000 }],
  ['width', { width: 641 }],
  ['height', { height: 8 }],
  ['fps', { fps: 0 }],
  ['n', { n: 2 }],
  ['duration', { duration: 60, width: 1920, height: 1080, fps: 60 }],
])('answers 400 and names %s', async (param, fields) => {
  const response = await client.post('/v1/video/generations', { ...small, ...fields });
  expect([response.status, (await readJson(response)).error.param]).toEqual([400, param]);
});

it('returns an error object for an unknown task', async () => {
  const unknown = await client.get('/v1/video/generations/task_none');
  expect([unknown.status, (await readJson(unknown)).error.code]).toEqual([404, 'task_not_exist']);
});
