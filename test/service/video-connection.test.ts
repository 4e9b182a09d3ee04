import { describe, expect, it } from 'vitest';
import { createEngine } from '../../electron/runs/engine.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { defaultTimeouts } from '../../shared/settings.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { filmDownload, json, KEY, running, startTaskGateway } from '../fixtures/task-gateway.ts';
import { ended, notedPauses, startVideo, videoServices } from '../fixtures/video-run.ts';

describe('the connection of a video task', () => {
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
      documents: null,
      changes,
      deletions,
      reportDefect: services.reportDefect,
      resolve: async (id) => {
        resolved += 1;
        if (locked) throw new UserFacingError(appError('unauthorized', 'Locked.', 'Unlock it.'));
        return connections.resolve(id);
      },
      getTimeouts: (operation) => defaultTimeouts[operation],
      onChange: () => undefined,
      onEnd: () => undefined,
      estimateCost: () => null,
      spending: services.spending,
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

  it('waits after a restart until the user enters a session-only key again', async () => {
    const home = temporaryFolder();
    const gateway = await startTaskGateway({ polls: [running] });
    const first = await videoServices(gateway.url, { home });
    const { id } = await first.connections.create({ name: 'Mine', baseUrl: gateway.url });
    await first.connections.setKey(id, 'sk-session-0123456789', 'session');
    const runId = await first.engine.start({
      connectionId: id,
      operation: 'video',
      extraBody: {},
      request: { model: 'v-1', prompt: 'A boat' },
    });
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(0);
    await first.close();
    const second = await videoServices(gateway.url, { home, polling: notedPauses().polling });
    await expect(second.connections.test(id)).rejects.toThrow('Enter it again.');
    expect(await second.engine.view(runId)).toMatchObject({ status: 'running' });
    await second.connections.setKey(id, 'sk-again-0123456789', 'session');
    await expect.poll(() => gateway.polls().at(-1)).toContain('Bearer sk-again-0123456789');
    // The last poll of the first session may arrive after the session has ended.
    const withoutKey = gateway.polls().filter((poll) => !/Bearer sk-(session|again)-/.test(poll));
    expect(withoutKey).toEqual([]);
  });

  it('never records a key that the user typed as a task ID or model', async () => {
    const gateway = await startTaskGateway({ polls: [running] });
    const services = await videoServices(gateway.url);
    const runId = await startVideo(services, { model: KEY }, { follow: `task-${KEY}` });
    await expect.poll(() => gateway.polls().length).toBeGreaterThan(0);
    expect(gateway.polls()[0]).toContain(`/task-${KEY} `);
    const { events } = services.ledger.events(runId, { after: 0, limit: 2000, kinds: null });
    expect(JSON.stringify([services.ledger.run(runId), events])).not.toContain(KEY);
  });

  it('polls the connection’s current URL, and sends its key nowhere else', async () => {
    const home = temporaryFolder();
    const before = await startTaskGateway({ polls: [running] });
    const first = await videoServices(before.url, { home });
    const runId = await startVideo(first);
    await expect.poll(() => before.polls().length).toBeGreaterThan(0);
    await first.close();
    const pollsBefore = before.polls().length;
    const after = await startTaskGateway({ download: filmDownload });
    const second = await videoServices(after.url, { home });
    expect((await ended(second, runId)).status).toBe('succeeded');
    // One poll may already have been in flight.
    expect(before.polls().length).toBeLessThanOrEqual(pollsBefore + 1);
    expect(after.polls()[0]).toContain(KEY);
  });

  it('uses a key that was replaced in the meantime', async () => {
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
    const { id } = await services.connections.create({ name: 'Rotating', baseUrl: gateway.url });
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
