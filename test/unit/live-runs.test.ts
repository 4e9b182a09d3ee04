import { expect, it, vi } from 'vitest';
import { announceChange } from '../../renderer/lib/change-listeners.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import type { RunUpdate } from '../../shared/contract/runs.ts';
import { runView } from '../fixtures/run-view.ts';

const main = vi.hoisted(() => {
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('document', { hidden: true });
  return { watched: [] as string[] };
});
vi.mock('../../renderer/lib/link-state.ts', () => ({ linkOpen: async () => undefined }));
vi.mock('../../renderer/lib/api.ts', () => ({
  api: {
    runs: {
      async *watch({ id }: { id: string }): AsyncGenerator<RunUpdate> {
        main.watched.push(id);
        const view = runView('completion', { id, status: 'succeeded' });
        yield { type: 'snapshot', seq: view.seq, view };
      },
    },
  },
}));

it('shows a run again that was deleted and brought back', async () => {
  const gone = {
    kind: 'not-found',
    message: 'This run was deleted.',
    nextStep: '',
    gateway: null,
    detail: null,
  } as const;
  useLiveRuns.setState({ views: {}, problems: { one: gone, other: gone } });
  announceChange({ topic: 'media', id: 'one' });
  announceChange({ topic: 'runs', id: 'one' });
  await vi.waitFor(() => expect(useLiveRuns.getState().views.one?.status).toBe('succeeded'));
  expect(Object.keys(useLiveRuns.getState().problems)).toEqual(['other']);
  expect(main.watched).toEqual(['one']);
});
