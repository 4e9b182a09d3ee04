import { createRouterClient } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import type { Cell, ComparisonPlan } from '../../shared/comparison.ts';
import { type NoteChange, noNotes } from '../../shared/comparison-notes.ts';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';
import {
  answer,
  answerAtOnce,
  cellsOf,
  failure,
  finished,
  heldGateway,
  outcomes,
  plan,
  row,
  serveGateway,
  states,
  variant,
  variants,
} from '../fixtures/comparisons.ts';
import { everyRun } from '../fixtures/test-run.ts';

/** Returns the notes of the next update that contains notes. */
async function nextNotes(updates: AsyncGenerator<ComparisonUpdate, void>) {
  for (;;) {
    const { value } = await updates.next();
    if (value === undefined) throw new Error('The comparison is gone.');
    if (value.notes !== null) return value.notes;
  }
}

describe('a sent comparison', () => {
  it('doesn’t resend a deleted run', async () => {
    const { server, services, open: restart } = await serveGateway(answerAtOnce);
    const id = await services.comparisons.start(plan([variant('a')]));
    const [cell] = await finished(services, id);
    await services.engine.remove(cell?.run?.id ?? '');
    services.comparisons.retry(id, null);
    await services.close();
    const next = await restart();
    next.comparisons.resume(id);
    expect(await cellsOf(next, id)).toMatchObject([{ state: 'sent', run: null, attempts: 1 }]);
    expect(server.requests).toHaveLength(1);
  });

  it('deletes and restores a comparison with its runs', async () => {
    const { open, script } = heldGateway();
    const { services } = await serveGateway(script);
    const id = await services.comparisons.start(plan(variants('a', 'b', 'c', 'd', 'e')));
    await expect.poll(() => open).toHaveLength(3);
    await open[0]?.send(answer);
    await expect.poll(() => cellsOf(services, id).then(outcomes)).toContain('succeeded');
    const watching = services.comparisons.watch(id, undefined);
    await watching.next();
    const deletionId = await services.comparisons.remove(id);
    for await (const _rest of watching) {
    }
    await expect(cellsOf(services, id)).rejects.toMatchObject({ error: { kind: 'not-found' } });
    expect(services.ledger.list(everyRun).runs).toEqual([]);
    services.deletions.undo([deletionId]);
    const cells = await cellsOf(services, id);
    expect(states(cells)).toContain('dropped');
    expect(outcomes(cells)).toContain('succeeded');
    expect(outcomes(cells)).not.toContain('running');
    expect(services.ledger.list(everyRun).runs.length).toBeGreaterThan(2);
  });

  it('stores its name and notes, and sends them to every watcher', async () => {
    const { services, open: restart } = await serveGateway(answerAtOnce);
    const { comparisons } = createRouterClient(createRouter(services));
    const { id } = await comparisons.start(plan(variants('a', 'b')));
    const updates = services.comparisons.watch(id, undefined);
    expect(await nextNotes(updates)).toEqual(noNotes);
    const blind = { isHidden: true, order: ['b', 'a'] };
    await comparisons.note({ id, change: { kind: 'blind', blind } });
    await comparisons.note({ id, change: { kind: 'pick', place: 'once/0', pick: 'b' } });
    await comparisons.note({ id, change: { kind: 'labels', labels: { one: 3, two: 1 } } });
    await comparisons.note({ id, change: { kind: 'labels', labels: { two: null } } });
    await comparisons.note({ id, change: { kind: 'reference', rowId: 'once', text: 'Gates.' } });
    const pickChoice = (place: string, messageId: string | null) =>
      comparisons.note({ id, change: { kind: 'choice', place, messageId } });
    await pickChoice('0', 'second');
    await pickChoice('1', 'third');
    await pickChoice('1', null);
    const notes = {
      blind: { ...blind, picks: { 'once/0': 'b' } },
      labels: { one: 3 },
      references: { once: 'Gates.' },
      choices: { 0: 'second' },
    };
    await expect.poll(() => nextNotes(updates)).toEqual(notes);
    await updates.return();
    await comparisons.rename({ id, title: ' Two gates ' });
    const withKey = { kind: 'reference' as const, rowId: 'once', text: 'sk-test-1234567890' };
    await expect(comparisons.note({ id, change: withKey })).rejects.toMatchObject({
      data: { kind: 'invalid-request' },
    });
    await services.close();
    const next = await restart();
    const kept = next.comparisons.get(id);
    expect(kept).toMatchObject({ comparison: { title: 'Two gates' }, notes });
    next.comparisons.note(id, { kind: 'blind', blind: { isHidden: false, order: [] } });
    expect(next.comparisons.get(id).notes.blind).toMatchObject({ picks: { 'once/0': 'b' } });
    next.comparisons.note(id, { kind: 'pick', place: 'once/0', pick: null });
    expect(next.comparisons.get(id).notes.blind).toMatchObject({ picks: {} });
  });

  it('lists a comparison as blind while its names are hidden, unless it is deleted', async () => {
    const { services } = await serveGateway(answerAtOnce);
    const { comparisons } = createRouterClient(createRouter(services));
    const { id } = await comparisons.start(plan(variants('a', 'b')));
    await comparisons.start(plan([variant('c')]));
    const look = (isHidden: boolean) =>
      comparisons.note({ id, change: { kind: 'blind', blind: { isHidden, order: ['b', 'a'] } } });
    expect(await comparisons.blind()).toEqual([]);
    await look(true);
    expect(await comparisons.blind()).toEqual([id]);
    const deletionId = await services.comparisons.remove(id);
    expect(await comparisons.blind()).toEqual([]);
    services.deletions.undo([deletionId]);
    expect(await comparisons.blind()).toEqual([id]);
    await look(false);
    expect(await comparisons.blind()).toEqual([]);
  });

  it('exports every request and result as one JSON value', async () => {
    const { services } = await serveGateway(({ request, send }) => {
      void send(request.includes('"bad"') ? failure : answer);
    });
    const { comparisons } = createRouterClient(createRouter(services));
    const { id } = await comparisons.start(plan(variants('good', 'bad')));
    await finished(services, id);
    await comparisons.note({ id, change: { kind: 'labels', labels: { one: 3 } } });
    let text = '';
    for await (const piece of await comparisons.export({ id })) text += piece;
    expect(JSON.parse(text)).toMatchObject({
      kind: 'gatehouse-comparison',
      comparison: { id, title: 'Once', rows: [{ id: 'once' }] },
      notes: { labels: { one: 3 } },
      cells: [
        {
          variantId: 'good',
          repeat: 0,
          run: {
            status: 'succeeded',
            request: { model: 'good', prompt: 'Once' },
            figures: { finishReasons: ['stop'] },
            reply: { text: 'gates' },
          },
        },
        { variantId: 'bad', run: { status: 'failed', error: { kind: 'gateway' } } },
      ],
    });
    expect(text).not.toContain('sk-test');
  });

  it('sends a long comparison in chunks', async () => {
    const { services } = await serveGateway(answerAtOnce);
    const gone = plan([variant('gone', { connectionId: 'gone' })], { repeats: 100 });
    const id = await services.comparisons.start({
      ...gone,
      rows: ['a', 'b', 'c'].map((each) => row(each, { prompt: each })),
    });
    const pieces: Cell[][] = [];
    for await (const { cells, more } of services.comparisons.watch(id, undefined)) {
      pieces.push(cells);
      if (!more) break;
    }
    expect(Math.max(...pieces.map((cells) => cells.length))).toBe(100);
    expect(new Set(pieces.flat().map(({ place }) => place)).size).toBe(300);
    await services.comparisons.stop(id, null);
  });
});

describe('a comparison in the list of runs', () => {
  const newest = { ...everyRun, folded: true };

  it('lists a comparison as one entry with outcome counts', async () => {
    const { services } = await serveGateway(({ request, send }) => {
      void send(request.includes('"bad"') ? failure : answer);
    });
    const { comparisons, runs } = createRouterClient(createRouter(services));
    const alone = { operation: 'completion' as const, connectionId: 'environment' };
    await runs.start({ ...alone, request: { model: 'good', prompt: 'Alone' } });
    const { id } = await comparisons.start(plan(variants('good', 'bad'), { repeats: 2 }));
    const cells = await finished(services, id);
    services.comparisons.retry(id, [0]);
    const [first] = await finished(services, id);
    await comparisons.rename({ id, title: 'Gates of hell' });
    const list = await runs.list(newest);
    expect(list.runs.map(({ preview }) => preview)).toEqual(['Once', 'Alone']);
    expect(list.runs[0]?.id).toBe(first?.run?.id);
    expect(list.comparisons).toMatchObject([
      {
        id,
        title: 'Gates of hell',
        requests: 4,
        unsent: 0,
        running: 0,
        succeeded: 2,
        failed: 2,
        stopped: 0,
      },
    ]);
    // In a filtered list, the comparison takes the place of its first matching run.
    const failed = await runs.list({ ...newest, status: 'failed' });
    expect(failed.runs.map((run) => run.cell)).toEqual([3]);
    expect(failed.comparisons).toHaveLength(1);
    expect((await runs.list({ ...newest, model: 'other' })).runs).toEqual([]);
    for (const search of ['once', 'gates of', 'nc', 'OF HELL', 'of']) {
      const found = await runs.list({ ...newest, search });
      expect([search, found.runs.map(({ comparisonId }) => comparisonId)]).toEqual([search, [id]]);
      const behind = { createdAt: found.runs[0]?.createdAt ?? 0, id: found.runs[0]?.id ?? '' };
      expect((await runs.list({ ...newest, search, before: behind })).runs).toEqual([]);
      expect((await runs.metrics({ ...newest, search })).pricedRuns).toBe(0);
    }
    expect((await runs.list({ ...newest, search: 'of', status: 'failed' })).runs).toHaveLength(1);
    expect((await runs.list({ ...newest, search: 'nowhere' })).runs).toEqual([]);
    // Filtering by comparison lists each run separately.
    const listed = await runs.list({ ...everyRun, comparisonId: id });
    expect(listed.runs).toHaveLength(5);
    expect(listed.comparisons).toEqual([]);
    expect(cells).toHaveLength(4);
  });
});

describe('notes about the input', () => {
  it('copies notes, but not picks, to a comparison with the same input', async () => {
    const { services } = await serveGateway(answerAtOnce);
    const { comparisons } = createRouterClient(createRouter(services));
    const rows = (...prompts: string[]) => ({
      rows: prompts.map((prompt, at) => row(`input ${at}`, { prompt })),
    });
    const variants = [variant('a')];
    const { id } = await comparisons.start(plan(variants, rows('Once', 'Twice')));
    const changes: NoteChange[] = [
      { kind: 'labels', labels: { 0: 3, 4: 1 } },
      { kind: 'reference', rowId: 'input 1', text: 'Said twice.' },
      { kind: 'pick', place: 'input 0/0', pick: 'a' },
    ];
    for (const change of changes) await comparisons.note({ id, change });
    const notesOf = async (after: ComparisonPlan, notesFrom: string | null = id) => {
      const started = await comparisons.start({ ...after, notesFrom });
      return (await comparisons.get(started)).notes;
    };
    const [same, other] = [plan(variants, rows('Once', 'Twice')), plan(variants, rows('Twice'))];
    const references = { 'input 1': 'Said twice.' };
    expect(await notesOf(same)).toEqual({ ...noNotes, labels: { 0: 3, 4: 1 }, references });
    // Notes match rows by the input that they send.
    expect(await notesOf(other)).toEqual({ ...noNotes, references: { 'input 0': 'Said twice.' } });
    expect(await notesOf(same, null)).toEqual(noNotes);
    expect(await notesOf(same, 'nowhere')).toEqual(noNotes);
    await comparisons.remove({ id });
    expect(await notesOf(same)).toEqual(noNotes);
  });
});

describe('runs that use another run’s result', () => {
  const prompt = (text: string, sourceRunId: string | null) => ({
    operation: 'completion' as const,
    connectionId: 'environment',
    sourceRunId,
    request: { model: 'a', prompt: text },
  });

  it('finds linked runs from both ends, even in comparisons and after a deletion', async () => {
    const { services } = await serveGateway(answerAtOnce);
    const { runs } = createRouterClient(createRouter(services));
    const { runId: first } = await runs.start(prompt('First', null));
    const { runId: second } = await runs.start(prompt('Second', first));
    // IDs sort by creation time in milliseconds.
    const { createdAt } = (await runs.get({ id: second })).view;
    await expect.poll(() => Date.now()).toBeGreaterThan(createdAt);
    const id = await services.comparisons.start(
      plan([variant('a')], { rows: [row('once', { prompt: 'Once' }, first)] }),
    );
    const [cell] = await finished(services, id);
    expect(cell?.run?.sourceRunId).toBe(first);
    const { source, next } = await runs.chain({ id: first });
    expect([source, next.map((run) => run.id)]).toEqual([null, [second, cell?.run?.id]]);
    expect((await runs.chain({ id: second })).source).toMatchObject({ preview: 'First' });
    await runs.remove({ id: first });
    expect(await runs.chain({ id: second })).toEqual({ source: null, next: [] });
    expect((await runs.get({ id: second })).view.sourceRunId).toBe(first);
  });
});
