import { QueryClientProvider } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { PanelRun } from '../../renderer/run/live/use-panel-run.ts';

vi.mock('../../renderer/lib/api.ts', () => import('./shell-fake-main.ts'));

/** Every run of it ends at once. */
const run = vi.hoisted(
  (): PanelRun => ({
    runId: null,
    status: undefined,
    running: false,
    starting: false,
    problem: null,
    fieldErrors: [],
    description: null,
    connection: null,
    model: '',
    ready: null,
    blocked: null,
    start: vi.fn(async () => null),
    stop: async () => undefined,
  }),
);
vi.mock('../../renderer/run/live/use-panel-run.ts', () => ({ usePanelRun: () => run }));

import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { rerankForm } from '../../renderer/features/rerank/rerank-store.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';

it('runs once while Enter is held in Query', async () => {
  rerankForm.change({ input: { query: 'Which one?', documents: 'This one' } });
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <RerankPanel />
    </QueryClientProvider>,
  );
  await screen.getByRole('textbox', { name: 'Query' }).click();
  await userEvent.keyboard('{Enter>4/}');
  expect(run.start).toHaveBeenCalledOnce();
});
