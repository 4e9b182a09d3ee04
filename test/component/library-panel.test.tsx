import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';

vi.mock('../../renderer/lib/api.ts', () => import('./shell-fake-main.ts'));

import { LibraryPanel } from '../../renderer/features/library/library-panel.tsx';
import { everything, narrow } from '../../renderer/features/library/library-store.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';

beforeEach(() => narrow(everything));

it('is empty, not narrowed, once a search was typed and deleted again', async () => {
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <LibraryPanel />
    </QueryClientProvider>,
  );
  await expect.element(screen.getByText('No files yet')).toBeVisible();
  const search = screen.getByRole('searchbox');
  await search.fill('g');
  await expect.element(screen.getByText('No matching files')).toBeVisible();
  await search.fill('');
  await expect.element(screen.getByText('No files yet')).toBeVisible();
});
