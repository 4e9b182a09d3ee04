import { describe, expect, it } from 'vitest';
import type { Services } from '../../electron/services.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import {
  completed,
  json,
  running,
  startTaskGateway,
  type TaskGateway,
} from '../fixtures/task-gateway.ts';
import { ended, startVideo, stateOf, videoServices } from '../fixtures/video-run.ts';

/** Waits so long that the stopped task would have been polled again. */
async function anotherIsPolledOften(services: Services, gateway: TaskGateway): Promise<void> {
  await startVideo(services, {}, { follow: 'other' });
  await expect.poll(() => gateway.pollsOf('other')).toBeGreaterThan(5);
}

/** Starts a gateway whose task stays in progress until `complete` is called. */
async function startUnfinished() {
  let isComplete = false;
  const gateway = await startTaskGateway({
    polls: [(exchange) => (isComplete ? completed() : running)(exchange)],
  });
  const complete = () => {
    isComplete = true;
  };
  return { gateway, complete };
}

/** Pauses so long that only another event can end them. */
const pausesOfADay = {
  spacingMs: 0,
  random: () => 0.5,
  pauseMs: (ms: number) => (ms === 0 ? 0 : 86_400_000),
};

describe('following', () => {
  it('stops and resumes on request without another submit', async () => {
    const { gateway, complete } = await startUnfinished();
    const services = await videoServices(gateway.url);
    const runId = await startVideo(services);
    await expect.poll(async () => (await stateOf(services, runId)).taskId).toBe('t-1');
    expect(services.activeRunCount()).toBe(1);
    await services.engine.cancel(runId);
    expect((await stateOf(services, runId)).following).toBe(false);
    // This task must not keep the process alive after the desktop window closes.
    expect(services.activeRunCount()).toBe(0);
    const pollsBefore = gateway.pollsOf('t-1');
    await anotherIsPolledOften(services, gateway);
    // One poll may already have been in flight.
    expect(gateway.pollsOf('t-1')).toBeLessThanOrEqual(pollsBefore + 1);
    complete();
    expect((await services.engine.view(runId)).status).toBe('running');
    await services.engine.resume(runId);
    expect((await ended(services, runId)).status).toBe('succeeded');
    expect(gateway.submits()).toHaveLength(1);
  });

  it('polls as soon as the computer wakes, however long the pause', async () => {
    const { gateway, complete } = await startUnfinished();
    const services = await videoServices(gateway.url, { polling: pausesOfADay });
    const runId = await startVideo(services, {}, { follow: 't-9' });
    await expect.poll(() => gateway.pollsOf('t-9')).toBe(1);
    services.wake();
    await expect.poll(() => gateway.pollsOf('t-9')).toBe(2);
    complete();
    services.wake();
    expect((await ended(services, runId)).status).toBe('succeeded');
    expect(gateway.pollsOf('t-9')).toBe(3);
  });

  it('pauses when its run is deleted, and resumes after Undo', async () => {
    const { gateway, complete } = await startUnfinished();
    const services = await videoServices(gateway.url);
    const { engine, deletions } = services;
    const runId = await startVideo(services);
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(0);
    const watched = ended(services, runId).catch(() => null);
    const deletionId = (await engine.remove(runId)) ?? '';
    await watched;
    expect(engine.activeCount()).toBe(0);
    const pollsBefore = gateway.pollsOf('t-1');
    await anotherIsPolledOften(services, gateway);
    expect(gateway.pollsOf('t-1')).toBeLessThanOrEqual(pollsBefore + 1);

    deletions.undo([deletionId]);
    await expect.poll(() => gateway.pollsOf('t-1')).toBeGreaterThan(pollsBefore + 1);
    expect(await engine.view(runId)).toMatchObject({
      status: 'running',
      phase: { name: 'following' },
    });
    complete();
    expect((await ended(services, runId)).status).toBe('succeeded');
    expect(gateway.submits()).toHaveLength(1);
  });

  it('follows a known task by its ID without a submit', async () => {
    const gateway = await startTaskGateway({ polls: [running, completed()] });
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

  it('can’t rerun a known task that has ended', async () => {
    const gateway = await startTaskGateway({ polls: [json({ id: 'known', status: 'expired' })] });
    const services = await videoServices(gateway.url);
    const view = await ended(services, await startVideo(services, {}, { follow: 'known' }));
    expect(view.error).toMatchObject({ kind: 'task-failed', nextStep: 'Generate a new video.' });
  });

  it('rejects an empty task ID', async () => {
    const gateway = await startTaskGateway({ polls: [running] });
    const services = await videoServices(gateway.url);
    await expect(startVideo(services, {}, { follow: ' ' })).rejects.toMatchObject({
      error: { kind: 'invalid-request', fields: [{ path: ['follow'] }] },
    });
  });

  it('resumes after a restart', async () => {
    const home = temporaryFolder();
    const { gateway, complete } = await startUnfinished();
    const first = await videoServices(gateway.url, { home });
    const runId = await startVideo(first);
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(1);
    await first.close();
    const pollsBefore = gateway.polls().length;
    complete();

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
});
