import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';

vi.mock('../../renderer/lib/api.ts', () => import('./shell-fake-main.ts'));

import { LibraryPanel } from '../../renderer/features/library/library-panel.tsx';
import { everything, narrow } from '../../renderer/features/library/library-store.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { MediaTile } from '../../renderer/media/library/media-tile.tsx';
import type { LibraryItem } from '../../shared/media.ts';

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

it('says of an uploaded file once that it is one', async () => {
  const item: LibraryItem = {
    id: 'a',
    kind: 'file',
    type: 'application/pdf',
    declaredType: null,
    name: 'notes.pdf',
    sizeBytes: 1000,
    complete: true,
    width: null,
    height: null,
    durationSeconds: null,
    sampleRate: null,
    channels: null,
    frameRate: null,
    createdAt: 0,
    role: 'upload',
    run: null,
  };
  const screen = await render(
    <MediaTile item={item} verb="Show" current={false} tabIndex={0} now={0} onChoose={vi.fn()} />,
  );
  expect(screen.container.textContent?.match(/Upload/g)).toHaveLength(1);
});
