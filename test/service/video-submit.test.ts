import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../shared/parse-json.ts';
import { canFollowAgain } from '../../shared/run.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import {
  bytes,
  completed,
  drop,
  filmDownload,
  json,
  running,
  startTaskGateway,
} from '../fixtures/task-gateway.ts';
import { ended, runVideo, startVideo, videoServices } from '../fixtures/video-run.ts';

describe('submitting a video', () => {
  it('never resends the submit if its response was lost', async () => {
    const { gateway, view } = await runVideo({ submit: drop, polls: [running] });
    expect(view).toMatchObject({ status: 'unknown', error: { kind: 'outcome-unknown' } });
    expect(gateway.submits()).toHaveLength(1);
    expect(gateway.polls()).toHaveLength(0);
  });

  it('stores the submit and its task before sending anything else', async () => {
    const home = temporaryFolder();
    const phases: unknown[] = [];
    const gateway = await startTaskGateway({
      polls: [
        async (exchange) => {
          const ledger = new DatabaseSync(join(home, 'ledger.sqlite'), { readOnly: true });
          phases.push(ledger.prepare('SELECT phase FROM runs').get()?.phase);
          ledger.close();
          await completed()(exchange);
        },
      ],
    });
    const services = await videoServices(gateway.url, { home });
    const view = await ended(services, await startVideo(services));
    expect(view.status).toBe('succeeded');
    expect(phases).toEqual([expect.stringContaining('t-1')]);
  });

  it.each([
    [{ success: false, message: 'No balance' }, 'No balance'],
    [{ code: 1102, msg: 'Account balance not enough' }, 'Account balance not enough'],
    [{ task_id: 't-1', status: 'rejected', fail_reason: 'Prompt blocked' }, 'Prompt blocked'],
  ])('fails on %j with status 200, and doesn’t poll', async (body, reason) => {
    const { gateway, view } = await runVideo({ submit: json(body), polls: [running] });
    expect(view.status).toBe('failed');
    expect(view.error?.message).toContain(reason);
    expect(JSON.stringify(view.error)).not.toMatch(/accepted|billed/);
    expect(gateway.polls()).toHaveLength(0);
  });

  describe('with an immediate video', () => {
    const made = json({ created: 1, data: [{ url: '/files/film.mp4' }] });
    const missing = json({}, '404 Not Found');

    it('downloads the video without polling', async () => {
      const { gateway, view } = await runVideo({ submit: made, polls: [running] });
      expect(view).toMatchObject({
        status: 'succeeded',
        state: { taskId: null },
        phase: { name: 'downloading', task: null },
      });
      expect(gateway.polls()).toHaveLength(0);
    });

    it('retries the download until its file appears', async () => {
      const answers = [missing, missing, filmDownload];
      const { pauses, view } = await runVideo({
        submit: made,
        polls: [running],
        download: (exchange) => answers.shift()?.(exchange),
      });
      expect(view.status).toBe('succeeded');
      expect(pauses).toEqual([1000, 2000]);
    });

    it('offers no task to follow if its file never appears', async () => {
      const { gateway, view } = await runVideo({
        submit: made,
        polls: [running],
        download: missing,
      });
      expect(view).toMatchObject({ status: 'failed', phase: { task: null } });
      expect(view.error?.nextStep).not.toMatch(/follow/i);
      expect(canFollowAgain(view)).toBe(false);
      expect(gateway.downloads()).toHaveLength(7);
      expect(gateway.polls()).toHaveLength(0);
    });

    it('downloads the video after a restart without another request', async () => {
      const home = temporaryFolder();
      let isThere = false;
      const gateway = await startTaskGateway({
        submit: made,
        polls: [running],
        download: (exchange) => (isThere ? filmDownload(exchange) : undefined),
      });
      const first = await videoServices(gateway.url, { home });
      const runId = await startVideo(first);
      await expect.poll(() => gateway.downloads().length).toBe(1);
      await first.close();
      isThere = true;

      const second = await videoServices(gateway.url, { home });
      expect(await ended(second, runId)).toMatchObject({
        status: 'succeeded',
        state: { taskId: null, media: [{ kind: 'video', complete: true }] },
      });
      expect(gateway.submits()).toHaveLength(1);
      expect(gateway.polls()).toHaveLength(0);
    });
  });

  it('doesn’t mistake the prompt or extra body fields for media', async () => {
    const gateway = await startTaskGateway({ download: filmDownload });
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

  it('sends bare base64 unchanged, without a prompt', async () => {
    const gateway = await startTaskGateway({ download: filmDownload });
    const services = await videoServices(gateway.url);
    const request = { model: 'v-1', image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' };
    const runId = await startVideo(services, request);
    expect(await ended(services, runId)).toMatchObject({
      status: 'succeeded',
      preview: 'Image to video',
    });
    const [submit = ''] = gateway.submits();
    expect(JSON.parse(submit.slice(submit.indexOf('\r\n\r\n')))).toEqual(request);
    await expect(startVideo(services, { model: 'v-1' })).rejects.toMatchObject({
      error: { kind: 'invalid-request', fields: [{ path: ['prompt'] }] },
    });
  });

  it('keeps every digit of a seed and an ID, even after a restart', async () => {
    const home = temporaryFolder();
    const id = '12345678901234567890';
    const raw = (body: string) => bytes(Buffer.from(body), 'application/json');
    let isDone = false;
    const gateway = await startTaskGateway({
      submit: raw(`{"task_id":${id},"status":"queued"}`),
      polls: [
        (exchange) =>
          raw(
            `{"task_id":${id},"status":"${isDone ? 'completed' : 'queued'}","url":"/files/film.mp4",` +
              '"metadata":{"seed":9223372036854775807}}',
          )(exchange),
      ],
    });
    const before = await videoServices(gateway.url, { home });
    const seed = parseJson('9223372036854775807') ?? null;
    const runId = await startVideo(before, { model: 'v-1', prompt: 'A boat', seed });
    await expect.poll(() => gateway.pollsOf(id)).toBeGreaterThan(0);
    expect(gateway.submits()[0]).toContain('"seed":9223372036854775807');
    await before.close();
    isDone = true;
    const after = await videoServices(gateway.url, { home });
    const view = await ended(after, runId);
    expect(view).toMatchObject({ status: 'succeeded', state: { taskId: id } });
    expect(JSON.stringify(view.state.metadata)).toBe('{"seed":9223372036854775807}');
    expect(JSON.stringify(after.ledger.run(runId)?.request)).toContain('9223372036854775807');
  });

  it('sends renamed fields under their new names, and an image as a data URL', async () => {
    const gateway = await startTaskGateway({ download: filmDownload });
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
  ])('rejects field names before sending if %s', async (_case, wireNames, fields) => {
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

  it('allows swapped field names, and records them with the request', async () => {
    const gateway = await startTaskGateway({ download: filmDownload });
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
