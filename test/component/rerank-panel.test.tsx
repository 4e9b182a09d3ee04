import { QueryClientProvider } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';

vi.mock('../../renderer/lib/api.ts', () => import('./shell-fake-main.ts'));

import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';

it('offers three rankings as examples', async () => {
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <RerankPanel />
    </QueryClientProvider>,
  );
  const examples = screen.getByRole('list', { name: 'Examples' }).getByRole('button');
  await expect.poll(() => examples.elements().length).toBe(3);
});
