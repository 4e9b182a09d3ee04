import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { everything, narrow } from '../../renderer/features/library/library-panel.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { MediaTile } from '../../renderer/media/library/media-grid.tsx';
import '../../renderer/ui/base.css';
import type { LibraryItem, Media } from '../../shared/media.ts';
import { medium } from '../fixtures/medium.ts';

beforeEach(() => narrow(everything));

function tile(media: Media, origin: Pick<LibraryItem, 'role' | 'run'>) {
  return render(
    <QueryClientProvider client={queryClient}>
      <MediaTile
        item={{ ...media, ...origin }}
        verb="Show"
        current={false}
        tabIndex={0}
        now={0}
        onChoose={vi.fn()}
      />
    </QueryClientProvider>,
  );
}

it('labels an uploaded file only once', async () => {
  const notes = medium({ type: 'application/pdf', name: 'notes.pdf', sizeBytes: 1000 });
  const screen = await tile(notes, { role: 'upload', run: null });
  expect(screen.container.textContent?.match(/Upload/g)).toHaveLength(1);
});
