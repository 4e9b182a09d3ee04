import { describe, expect, it, vi } from 'vitest';
import type { Services } from '../../electron/services.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import {
  completed,
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
  it('polls again at once if the computer woke during a poll', async () => {
    const gateway = await startTaskGateway({
      polls: [
        async (exchange) => {
          services.wake();
          await running(exchange);
        },
        completed(),
      ],
    });
    const services = await videoServices(gateway.url, { polling: pausesOfADay });
    const runId = await startVideo(services, {}, { follow: 't-9' });
    expect((await ended(services, runId)).status).toBe('succeeded');
    expect(gateway.pollsOf('t-9')).toBe(2);
  });

  it('can be watched, stopped and deleted right after Undo', async () => {
    const gateway = await startTaskGateway({ polls: [running] });
    const services = await videoServices(gateway.url);
    const { engine, deletions } = services;
    const runId = await startVideo(services);
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(0);
    deletions.undo([(await engine.remove(runId)) ?? '']);
    const watch = engine.watch(runId, null, undefined);
    await watch.next();
    await engine.cancel(runId);
    expect((await watch.next()).value).toMatchObject({ type: 'update' });
    deletions.undo([(await engine.remove(runId)) ?? '']);
    await engine.remove(runId);
    await expect(engine.view(runId)).rejects.toThrow('was deleted');
    expect(engine.activeCount()).toBe(0);
  });

  it('reports a task that can’t continue after Undo, and allows resuming it', async () => {
    const { gateway, complete } = await startUnfinished();
    const services = await videoServices(gateway.url);
    const { engine, deletions, ledger, system } = services;
    const runId = await startVideo(services);
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(0);
    const deletionId = (await engine.remove(runId)) ?? '';
    const unreadable = () => {
      throw new TypeError('not an event');
    };
    const events = vi.spyOn(ledger, 'events').mockImplementationOnce(unreadable);
    deletions.undo([deletionId]);
    await expect.poll(() => ledger.run(runId)?.phase).toMatchObject({ name: 'unfollowed' });
    const { notices } = await system.info();
    expect(notices.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('not an event'),
    );
    expect(await engine.view(runId)).toMatchObject({
      status: 'running',
      state: { following: false },
    });
    expect(engine.activeCount()).toBe(0);

    events.mockImplementationOnce(unreadable);
    await expect(engine.resume(runId)).rejects.toThrow('not an event');
    await engine.resume(runId);
    expect((await stateOf(services, runId)).following).toBe(true);
    complete();
    expect((await ended(services, runId)).status).toBe('succeeded');
    expect(gateway.submits()).toHaveLength(1);
  });

  it('stays stopped after Undo, and can be resumed at once', async () => {
    const { gateway, complete } = await startUnfinished();
    const services = await videoServices(gateway.url);
    const { engine, deletions } = services;
    const runId = await startVideo(services);
    await expect.poll(async () => (await stateOf(services, runId)).taskId).toBe('t-1');
    await engine.cancel(runId);
    deletions.undo([(await engine.remove(runId)) ?? '']);
    expect((await stateOf(services, runId)).following).toBe(false);
    complete();
    await engine.resume(runId);
    expect((await stateOf(services, runId)).following).toBe(true);
    expect((await ended(services, runId)).status).toBe('succeeded');
    expect(gateway.submits()).toHaveLength(1);
  });

  it('stays stopped across a restart if the user stopped it', async () => {
    const home = temporaryFolder();
    const gateway = await startTaskGateway({ polls: [running] });
    const first = await videoServices(gateway.url, { home });
    const runId = await startVideo(first);
    await expect.poll(async () => (await stateOf(first, runId)).taskId).toBe('t-1');
    await first.engine.cancel(runId);
    await first.close();
    const pollsBefore = gateway.pollsOf('t-1');
    const second = await videoServices(gateway.url, { home });
    expect(await second.engine.view(runId)).toMatchObject({
      status: 'running',
      state: { following: false },
    });
    await anotherIsPolledOften(second, gateway);
    // One poll may already have been in flight.
    expect(gateway.pollsOf('t-1')).toBeLessThanOrEqual(pollsBefore + 1);
  });

  it('downloads the video only after resuming, if the user stopped during the last poll', async () => {
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
    });
    const first = await videoServices(gateway.url, { home });
    const runId = await startVideo(first);
    await expect.poll(() => gateway.polls().length).toBe(1);
    await first.engine.cancel(runId);
    released.resolve();
    await expect.poll(async () => (await stateOf(first, runId)).status).toBe('completed');
    expect(await first.engine.view(runId)).toMatchObject({ phase: { name: 'unfollowed' } });
    expect(first.engine.activeCounts()).toEqual({});
    expect(first.engine.activeCount()).toBe(0);
    await first.close();

    const second = await videoServices(gateway.url, { home });
    expect(second.engine.activeCount()).toBe(0);
    expect(gateway.downloads()).toEqual([]);
    await second.engine.resume(runId);
    expect(second.engine.activeCounts()).toEqual({ video: 1 });
    expect(await ended(second, runId)).toMatchObject({ status: 'succeeded' });
    expect(gateway.downloads()).toHaveLength(1);
  });

  it('keeps a stop that is immediately followed by shutdown', async () => {
    const home = temporaryFolder();
    const gateway = await startTaskGateway({ download: () => undefined });
    const first = await videoServices(gateway.url, { home });
    const runId = await startVideo(first);
    await expect.poll(() => gateway.downloads().length).toBe(1);
    await first.engine.cancel(runId);
    await first.close();
    const second = await videoServices(gateway.url, { home });
    expect(await second.engine.view(runId)).toMatchObject({ status: 'cancelled' });
    expect(gateway.downloads()).toHaveLength(1);
  });
});
