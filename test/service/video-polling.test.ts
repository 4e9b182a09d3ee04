import { describe, expect, it } from 'vitest';
import { createEngine } from '../../electron/runs/engine.ts';
import type { Services } from '../../electron/services.ts';
import { defaultTimeouts } from '../../shared/default-settings.ts';
import { AppFailure, appError } from '../../shared/errors.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import {
  bytes,
  completed,
  drop,
  film,
  json,
  KEY,
  running,
  startTaskGateway,
  type TaskGateway,
} from '../fixtures/task-gateway.ts';
import { ended, notedPauses, startVideo, stateOf, videoServices } from '../fixtures/video-run.ts';

const download = bytes(film, 'video/mp4');
const queued = json({ task_id: 't-1', status: 'queued' });

function pollsOf(gateway: TaskGateway, taskId: string): number {
  return gateway.polls().filter((head) => head.includes(`/${taskId} `)).length;
}

/** Time enough for the task that should be left alone to be asked about, were it not. */
async function anotherIsPolledOften(services: Services, gateway: TaskGateway): Promise<void> {
  await startVideo(services, {}, { follow: 'other' });
  await expect.poll(() => pollsOf(gateway, 'other')).toBeGreaterThan(5);
}

describe('a video task', () => {
  it('is submitted once, polled until it is completed, and fetched', async () => {
    const gateway = await startTaskGateway({
      polls: [queued, running, completed()],
      download,
    });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view).toMatchObject({ status: 'succeeded', error: null });
    expect(view.state).toMatchObject({
      taskId: 't-1',
      status: 'completed',
      pollCount: 3,
      format: 'mp4',
      media: [{ kind: 'video', type: 'video/mp4', complete: true, sizeBytes: film.length }],
      download: { doneBytes: film.length, totalBytes: film.length },
    });
    expect(gateway.submits()).toHaveLength(1);
    expect(gateway.polls()).toHaveLength(3);
    expect(gateway.downloads()).toHaveLength(1);
  });

  it('is polled with growing pauses, from 2 to 15 seconds', async () => {
    const { polling, pauses } = notedPauses();
    const gateway = await startTaskGateway({
      polls: [...Array.from({ length: 9 }, () => running), completed()],
      download,
    });
    const services = await videoServices(gateway.url, { polling });
    await ended(services, await startVideo(services));
    expect(pauses).toHaveLength(10);
    expect(pauses[0]).toBe(2000);
    expect(pauses.at(-1)).toBe(15_000);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  });

  it('waits as long as a busy gateway asks, and continues', async () => {
    const { polling, pauses } = notedPauses();
    const busy = json({ error: { message: 'slow down' } }, '429 Too Many Requests', {
      'Retry-After': '30',
    });
    const gateway = await startTaskGateway({
      polls: [busy, busy, busy, busy, completed()],
      download,
    });
    const services = await videoServices(gateway.url, { polling });
    expect(await ended(services, await startVideo(services))).toMatchObject({
      status: 'succeeded',
    });
    expect(pauses.filter((ms) => ms === 30_000)).toHaveLength(4);
  });

  it('is only slowed by a network that drops and a proxy that answers with its own page', async () => {
    const { polling, pauses } = notedPauses();
    const page = bytes(Buffer.from('<html>Bad gateway</html>'), 'text/html');
    const gateway = await startTaskGateway({
      polls: [drop, drop, page, drop, drop, json({}, '502 Bad Gateway'), completed()],
      download,
    });
    const services = await videoServices(gateway.url, { polling });
    const view = await ended(services, await startVideo(services));
    expect(view.status).toBe('succeeded');
    expect(view.state.pollCount).toBe(1);
    expect(pauses[6]).toBeGreaterThan(pauses[1] ?? 0);
  });

  it('is understood in the wrapped form, with other words', async () => {
    const wrapped = (data: object) => json({ code: 'success', message: '', data });
    const gateway = await startTaskGateway({
      submit: wrapped({ task_id: 't-1', status: 'NOT_START' }),
      polls: [
        wrapped({ task_id: 't-1', status: 'IN_PROGRESS', progress: '30%' }),
        wrapped({ task_id: 't-1', status: 'SUCCESS', fail_reason: '/files/film.mp4' }),
      ],
      download,
    });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view).toMatchObject({ status: 'succeeded', state: { word: 'SUCCESS' } });
  });

  it('shows an unknown word unchanged, and keeps polling', async () => {
    const gateway = await startTaskGateway({
      polls: [json({ task_id: 't-1', status: 'rendering_pass_2' }), completed()],
      download,
    });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view.status).toBe('succeeded');
    expect(view.state.warnings).toEqual([
      'Unrecognized status “rendering_pass_2”. Still checking.',
    ]);
  });

  it('fails with the code and message of the gateway', async () => {
    const error = { code: 1201, message: 'No GPU left' };
    const gateway = await startTaskGateway({
      polls: [running, json({ task_id: 't-1', status: 'failed', error })],
    });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view).toMatchObject({
      status: 'failed',
      error: { kind: 'task-failed' },
      state: { status: 'failed', error: { code: '1201', message: 'No GPU left' } },
    });
    expect(view.error?.message).toContain('(code 1201): No GPU left');
  });

  it('is not failed by an empty error object beside its status', async () => {
    const error = { code: 0, message: '' };
    const gateway = await startTaskGateway({
      submit: json({ task_id: 't-1', status: 'queued', error }),
      polls: [json({ task_id: 't-1', status: 'in_progress', error }), completed()],
      download,
    });
    const services = await videoServices(gateway.url);
    expect((await ended(services, await startVideo(services))).status).toBe('succeeded');
  });

  it.each([
    [
      'task_not_exist without an error key',
      json({ code: 'task_not_exist', message: 'task not exist', data: null }, '400 Bad Request'),
      'gateway',
    ],
    [
      'task_not_exist with status 200',
      json({ code: 'task_not_exist', message: 'task not exist', data: null }),
      'gateway',
    ],
    [
      '401',
      json({ error: { code: '', message: 'Invalid token', type: 'x' } }, '401 Unauthorized'),
      'unauthorized',
    ],
  ])('gives up after three refusals in a row: %s', async (_name, refusal, kind) => {
    const gateway = await startTaskGateway({ polls: [running, refusal] });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view).toMatchObject({ status: 'failed', error: { kind }, state: { taskId: 't-1' } });
    expect(view.error?.nextStep).toContain('follow the task again');
    expect(gateway.polls()).toHaveLength(4);
  });

  it('forgives a refusal that passes', async () => {
    const refusal = json({ error: { message: 'Invalid token' } }, '401 Unauthorized');
    const gateway = await startTaskGateway({
      polls: [refusal, refusal, running, refusal, refusal, completed()],
      download,
    });
    const services = await videoServices(gateway.url);
    expect((await ended(services, await startVideo(services))).status).toBe('succeeded');
  });
});

describe('the submit', () => {
  it('is never sent again when its answer was lost', async () => {
    const gateway = await startTaskGateway({ submit: drop, polls: [running] });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view).toMatchObject({ status: 'unknown', error: { kind: 'outcome-unknown' } });
    expect(gateway.submits()).toHaveLength(1);
    expect(gateway.polls()).toHaveLength(0);
  });

  it('ends with what the gateway says when it is refused', async () => {
    const gateway = await startTaskGateway({
      submit: json({ error: { message: 'duration too long' } }, '400 Bad Request'),
      polls: [running],
    });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services));
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'gateway' } });
    expect(view.error?.message).toContain('duration too long');
    expect(gateway.polls()).toHaveLength(0);
  });

  it('says so when the answer names no task', async () => {
    const gateway = await startTaskGateway({ submit: json({ ok: true }), polls: [running] });
    const services = await videoServices(gateway.url);
    expect(await ended(services, await startVideo(services))).toMatchObject({
      status: 'failed',
      error: { kind: 'malformed-response' },
    });
  });

  it('mistakes no text for a medium, neither its prompt nor the extra body fields', async () => {
    const gateway = await startTaskGateway({ polls: [completed()], download });
    const services = await videoServices(gateway.url);
    const text = `media:${'A'.repeat(22)}`;
    const request = { model: 'v-1', prompt: text, user: text };
    const runId = await startVideo(services, request, { extraBody: { image: text, tail: [text] } });
    expect((await ended(services, runId)).status).toBe('succeeded');
    const [submit = ''] = gateway.submits();
    expect(JSON.parse(submit.slice(submit.indexOf('\r\n\r\n')))).toEqual({
      ...request,
      image: text,
      tail: [text],
    });
  });

  it('carries renamed fields under their new names, and an image as a data URL', async () => {
    const gateway = await startTaskGateway({ polls: [completed()], download });
    const services = await videoServices(gateway.url);
    const writer = services.media.begin({ name: 'start.png', declaredType: 'image/png' });
    const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
    await writer.write(png);
    const { id } = await writer.finish();
    const request = {
      model: 'v-1',
      prompt: 'A boat',
      image: `media:${id}`,
      seed: 7,
      fps: 24,
      metadata: { negative_prompt: 'fog' },
    };
    const wireNames = { image: ' first_frame ', seed: 'random_seed', metadata: 'extra' };
    const runId = await startVideo(services, request, { wireNames });
    await ended(services, runId);
    const [submit = ''] = gateway.submits();
    expect(JSON.parse(submit.slice(submit.indexOf('\r\n\r\n')))).toEqual({
      model: 'v-1',
      prompt: 'A boat',
      first_frame: `data:image/png;base64,${png.toString('base64')}`,
      random_seed: 7,
      fps: 24,
      extra: { negative_prompt: 'fog' },
    });
  });
});

describe('field names', () => {
  const request = { model: 'v-1', prompt: 'A boat', seed: 7, fps: 24 };

  it.each([
    ['two fields get one name', { seed: 'x', fps: 'x' }, ['seed', 'fps']],
    ['a field gets the name of another', { seed: 'prompt' }, ['seed']],
    ['a name is empty', { seed: ' ' }, ['seed']],
    ['the interface names the field', { duration: 'seconds' }, ['duration']],
    ['there is no such field', { toString: 'x' }, ['toString']],
  ])('are refused before sending where %s', async (_case, wireNames, fields) => {
    const gateway = await startTaskGateway({ polls: [running] });
    const services = await videoServices(gateway.url);
    await expect(startVideo(services, request, { wireNames })).rejects.toMatchObject({
      error: {
        kind: 'invalid-request',
        fields: fields.map((field) => ({ path: ['wireNames', field] })),
      },
    });
    expect(gateway.submits()).toEqual([]);
  });

  it('may change places, and are recorded beside the request', async () => {
    const gateway = await startTaskGateway({ polls: [completed()], download });
    const services = await videoServices(gateway.url);
    const wireNames = { seed: 'fps', fps: 'seed' };
    const runId = await startVideo(services, request, { wireNames });
    await ended(services, runId);
    const [submit = ''] = gateway.submits();
    expect(JSON.parse(submit.slice(submit.indexOf('\r\n\r\n')))).toEqual({
      model: 'v-1',
      prompt: 'A boat',
      fps: 7,
      seed: 24,
    });
    expect(services.ledger.run(runId)).toMatchObject({ request, wireNames, follow: null });
  });
});

describe('following', () => {
  it('stops and resumes as the user likes, without another submit', async () => {
    let finish = false;
    const gateway = await startTaskGateway({
      polls: [(exchange) => (finish ? completed() : running)(exchange)],
      download,
    });
    const services = await videoServices(gateway.url);
    const runId = await startVideo(services);
    await expect.poll(async () => (await stateOf(services, runId)).taskId).toBe('t-1');
    expect(services.activeRunCount()).toBe(1);
    services.engine.cancel(runId);
    expect((await stateOf(services, runId)).following).toBe(false);
    // A closed desktop window must not keep the process for it.
    expect(services.activeRunCount()).toBe(0);
    const pollsBefore = pollsOf(gateway, 't-1');
    await anotherIsPolledOften(services, gateway);
    // One may have been on its way.
    expect(pollsOf(gateway, 't-1')).toBeLessThanOrEqual(pollsBefore + 1);
    finish = true;
    expect((await services.engine.view(runId)).status).toBe('running');
    services.engine.resume(runId);
    expect((await ended(services, runId)).status).toBe('succeeded');
    expect(gateway.submits()).toHaveLength(1);
  });

  it('pauses with the deletion of its run, and resumes unchanged when that is undone', async () => {
    let finish = false;
    const gateway = await startTaskGateway({
      polls: [(exchange) => (finish ? completed() : running)(exchange)],
      download,
    });
    const services = await videoServices(gateway.url);
    const { engine, deletions } = services;
    const runId = await startVideo(services);
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(0);
    const watched = ended(services, runId).catch(() => null);
    const deletionId = (await engine.remove(runId)) ?? '';
    await watched;
    expect(engine.activeCount()).toBe(0);
    const pollsBefore = pollsOf(gateway, 't-1');
    await anotherIsPolledOften(services, gateway);
    expect(pollsOf(gateway, 't-1')).toBeLessThanOrEqual(pollsBefore + 1);

    deletions.undo([deletionId]);
    await expect.poll(() => pollsOf(gateway, 't-1')).toBeGreaterThan(pollsBefore + 1);
    expect(await engine.view(runId)).toMatchObject({
      status: 'running',
      phase: { name: 'following' },
    });
    finish = true;
    expect((await ended(services, runId)).status).toBe('succeeded');
    expect(gateway.submits()).toHaveLength(1);
  });

  it('stays as the user stopped it when its deletion is undone, and can be taken up again', async () => {
    let finish = false;
    const gateway = await startTaskGateway({
      polls: [(exchange) => (finish ? completed() : running)(exchange)],
      download,
    });
    const services = await videoServices(gateway.url);
    const { engine, deletions } = services;
    const runId = await startVideo(services);
    await expect.poll(async () => (await stateOf(services, runId)).taskId).toBe('t-1');
    engine.cancel(runId);
    deletions.undo([(await engine.remove(runId)) ?? '']);
    await expect.poll(() => engine.view(runId).then(({ phase }) => phase.name)).toBe('unfollowed');
    finish = true;
    // Once it is live again.
    await expect
      .poll(async () => {
        engine.resume(runId);
        return (await engine.view(runId)).phase.name;
      })
      .not.toBe('unfollowed');
    expect((await ended(services, runId)).status).toBe('succeeded');
    expect(gateway.submits()).toHaveLength(1);
  });

  it('takes a known task by its id and submits nothing', async () => {
    const gateway = await startTaskGateway({ polls: [running, completed()], download });
    const services = await videoServices(gateway.url);
    const runId = await startVideo(services, {}, { follow: ' known/1 ' });
    const view = await ended(services, runId);
    expect(view).toMatchObject({
      status: 'succeeded',
      preview: 'Task known/1',
      state: { taskId: 'known/1', warnings: [] },
    });
    expect(gateway.submits()).toHaveLength(0);
    expect(gateway.polls()[0]).toMatch(/^GET \/v1\/video\/generations\/known%2F1 /);
  });

  it('refuses to follow nothing', async () => {
    const gateway = await startTaskGateway({ polls: [running] });
    const services = await videoServices(gateway.url);
    await expect(startVideo(services, {}, { follow: ' ' })).rejects.toMatchObject({
      error: { kind: 'invalid-request', fields: [{ path: ['follow'] }] },
    });
  });

  it('continues after Gatehouse was closed and started again', async () => {
    const home = temporaryFolder();
    let finish = false;
    const gateway = await startTaskGateway({
      polls: [(exchange) => (finish ? completed() : running)(exchange)],
      download,
    });
    const first = await videoServices(gateway.url, { home });
    const runId = await startVideo(first);
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(1);
    await first.close();
    const pollsBefore = gateway.polls().length;
    finish = true;

    const second = await videoServices(gateway.url, { home });
    const view = await ended(second, runId);
    expect(view).toMatchObject({ status: 'succeeded', state: { taskId: 't-1' } });
    expect(view.state.media).toHaveLength(1);
    expect(gateway.polls().length).toBeGreaterThan(pollsBefore);
    expect(gateway.submits()).toHaveLength(1);
    const { events } = second.ledger.events(runId, { after: 0, limit: 2000, kinds: ['request'] });
    const numbers = events.map(({ exchange }) => exchange);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('stays left alone over a restart where the user had stopped it', async () => {
    const home = temporaryFolder();
    const gateway = await startTaskGateway({ polls: [running] });
    const first = await videoServices(gateway.url, { home });
    const runId = await startVideo(first);
    await expect.poll(async () => (await stateOf(first, runId)).taskId).toBe('t-1');
    first.engine.cancel(runId);
    await first.close();
    const pollsBefore = pollsOf(gateway, 't-1');
    const second = await videoServices(gateway.url, { home });
    expect(await second.engine.view(runId)).toMatchObject({
      status: 'running',
      state: { following: false },
    });
    await anotherIsPolledOften(second, gateway);
    // One may have been on its way.
    expect(pollsOf(gateway, 't-1')).toBeLessThanOrEqual(pollsBefore + 1);
  });

  it('is fetched only once it is followed again, where the user stopped that during the last poll', async () => {
    const home = temporaryFolder();
    const released = Promise.withResolvers<void>();
    const gateway = await startTaskGateway({
      polls: [
        async (exchange) => {
          await released.promise;
          await completed()(exchange);
        },
        completed(),
      ],
      download,
    });
    const first = await videoServices(gateway.url, { home });
    const runId = await startVideo(first);
    await expect.poll(() => gateway.polls().length).toBe(1);
    first.engine.cancel(runId);
    released.resolve();
    await expect.poll(async () => (await stateOf(first, runId)).status).toBe('completed');
    expect(await first.engine.view(runId)).toMatchObject({ phase: { name: 'unfollowed' } });
    expect(first.engine.activeCount()).toBe(0);
    await first.close();

    const second = await videoServices(gateway.url, { home });
    expect(second.engine.activeCount()).toBe(0);
    expect(gateway.downloads()).toEqual([]);
    second.engine.resume(runId);
    expect(await ended(second, runId)).toMatchObject({ status: 'succeeded' });
    expect(gateway.downloads()).toHaveLength(1);
  });

  it('keeps a stop of the user that Gatehouse’s own end follows at once', async () => {
    const home = temporaryFolder();
    const gateway = await startTaskGateway({ polls: [completed()], download: () => undefined });
    const first = await videoServices(gateway.url, { home });
    const runId = await startVideo(first);
    await expect.poll(() => gateway.downloads().length).toBe(1);
    first.engine.cancel(runId);
    await first.close();
    const second = await videoServices(gateway.url, { home });
    expect(await second.engine.view(runId)).toMatchObject({ status: 'cancelled' });
    expect(gateway.downloads()).toHaveLength(1);
  });

  it('continues once its key is available again', async () => {
    const home = temporaryFolder();
    const gateway = await startTaskGateway({ polls: [running] });
    const first = await videoServices(gateway.url, { home });
    const runId = await startVideo(first);
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(0);
    await first.close();
    const services = await videoServices(gateway.url, {
      home,
      polling: notedPauses().polling,
    });
    const { ledger, media, network, changes, connections, deletions } = services;
    let locked = true;
    let resolved = 0;
    const engine = createEngine({
      ledger,
      media,
      network,
      changes,
      deletions,
      resolve: async (id) => {
        resolved += 1;
        if (locked) throw new AppFailure(appError('unauthorized', 'Locked.', 'Unlock it.', {}));
        return connections.resolve(id);
      },
      timeoutsFor: (operation) => defaultTimeouts[operation],
      onChange: () => undefined,
      onEnd: () => undefined,
      now: () => Date.now(),
      clock: () => performance.now(),
      polling: notedPauses().polling,
    });
    await engine.recover();
    await expect.poll(() => resolved).toBeGreaterThan(2);
    expect(await engine.view(runId)).toMatchObject({ status: 'running' });
    locked = false;
    const polls = gateway.polls().length;
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(polls);
    await engine.close();
  });

  it('records no key that was typed as its ID or its model', async () => {
    const gateway = await startTaskGateway({ polls: [running] });
    const services = await videoServices(gateway.url);
    const runId = await startVideo(services, { model: KEY }, { follow: `task-${KEY}` });
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(0);
    expect(gateway.polls()[0]).toContain(`/task-${KEY} `);
    const { events } = services.ledger.events(runId, { after: 0, limit: 2000, kinds: null });
    expect(JSON.stringify([services.ledger.run(runId), events])).not.toContain(KEY);
  });

  it('polls where the connection leads now, and sends its key nowhere else', async () => {
    const home = temporaryFolder();
    const before = await startTaskGateway({ polls: [running] });
    const first = await videoServices(before.url, { home });
    const runId = await startVideo(first);
    await expect.poll(() => before.polls().length).toBeGreaterThan(0);
    await first.close();
    const pollsBefore = before.polls().length;
    const after = await startTaskGateway({ polls: [completed()], download });
    const second = await videoServices(after.url, { home });
    expect((await ended(second, runId)).status).toBe('succeeded');
    // One may have been on its way.
    expect(before.polls().length).toBeLessThanOrEqual(pollsBefore + 1);
    expect(after.polls()[0]).toContain(KEY);
  });

  it('uses a key that was replaced meanwhile', async () => {
    const gateway = await startTaskGateway({
      polls: [
        json({ task_id: 't-1', status: 'in_progress' }),
        json({ task_id: 't-1', status: 'failed', error: { code: 1, message: 'Enough' } }),
      ],
    });
    const { polling } = notedPauses();
    let replace: (() => Promise<unknown>) | null = null;
    const services = await videoServices(gateway.url, {
      polling: {
        ...polling,
        pauseMs(ms) {
          if (gateway.polls().length === 1) void replace?.();
          return ms / 200;
        },
      },
    });
    const { id } = services.connections.create({ name: 'Rotating', baseUrl: gateway.url });
    await services.connections.setKey(id, 'sk-first-0123456789', 'session');
    replace = () => services.connections.setKey(id, 'sk-second-0123456789', 'session');
    const runId = await services.engine.start({
      connectionId: id,
      operation: 'video',
      request: { model: 'v-1', prompt: 'A boat' },
      extraBody: {},
    });
    await ended(services, runId);
    expect(gateway.polls().map((head) => /Bearer (\S+)/.exec(head)?.[1])).toEqual([
      'sk-first-0123456789',
      'sk-second-0123456789',
    ]);
  });
});
