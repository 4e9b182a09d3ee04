import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import {
  everything,
  LibraryPanel,
  narrow,
} from '../../renderer/features/library/library-panel.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { MediaTile } from '../../renderer/media/library/media-grid.tsx';
import '../../renderer/ui/base.css';
import type { LibraryItem, Media } from '../../shared/media.ts';
import { medium } from '../fixtures/medium.ts';
import { api } from './shell-fake-main.ts';

beforeEach(() => narrow(everything));

it('on F2, renames the focused tile or the file in the details', async () => {
  const items = ['one.txt', 'two.txt'].map((name) => ({
    ...medium({ id: name, kind: 'file', type: 'text/plain', name }),
    role: 'upload' as const,
    run: null,
  }));
  const listing = vi.spyOn(api.media, 'list');
  listing.mockResolvedValue({ media: items, more: false });
  queryClient.clear();
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <LibraryPanel />
    </QueryClientProvider>,
  );
  await screen.getByRole('button', { name: 'Show one.txt' }).click();
  const details = screen.getByRole('complementary', { name: 'Details' });
  const name = details.getByRole('textbox', { name: 'Name' });
  await userEvent.keyboard('{ArrowRight}{F2}');
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveValue('two.txt');
  expect(getSelection()?.toString()).toBe('two.txt');
  const close = details.getByRole('button', { name: 'Close details' }).element();
  if (close instanceof HTMLElement) close.focus();
  await userEvent.keyboard('{F2}');
  await expect.element(name).toHaveFocus();

  listing.mockResolvedValue({ media: [], more: false });
  const search = screen.getByRole('searchbox');
  await search.fill('g');
  await expect.element(screen.getByText('No matching files')).toBeVisible();
  await queryClient.invalidateQueries();
  await search.fill('');
  await expect.element(screen.getByText('No files yet')).toBeVisible();
});

it('selects several files, downloads them, and deletes them together', async () => {
  const items = ['one.txt', 'two.txt', 'three.txt', 'four.txt'].map((name) => ({
    ...medium({ id: name, kind: 'file', type: 'text/plain', name }),
    role: 'upload' as const,
    run: null,
  }));
  const listing = vi.spyOn(api.media, 'list');
  listing.mockResolvedValue({ media: items, more: false });
  const removed = vi.spyOn(api.media, 'remove').mockResolvedValue({ deletionId: null });
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  queryClient.clear();
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <LibraryPanel />
    </QueryClientProvider>,
  );
  const show = (name: string) => screen.getByRole('button', { name: `Show ${name}` });
  await show('one.txt').click({ modifiers: ['ControlOrMeta'] });
  await show('three.txt').click({ modifiers: ['Shift'] });
  await expect.element(screen.getByText('3 selected')).toBeVisible();
  await userEvent.keyboard('{ArrowRight} ');
  await expect.element(screen.getByText('4 selected')).toBeVisible();
  await screen.getByRole('checkbox', { name: 'Select two.txt' }).click();
  await screen.getByRole('button', { name: 'Download selected' }).click();
  expect(saved).toEqual(['one.txt', 'three.txt', 'four.txt']);
  await screen.getByRole('button', { name: 'Delete selected' }).click();
  await expect.poll(() => removed.mock.calls.length).toBe(3);
  await expect.element(screen.getByText(/selected$/)).not.toBeInTheDocument();
  vi.restoreAllMocks();
});

it('titles a file with the prompt that its name is derived from, unless it was renamed', async () => {
  const run = { id: 'r', operation: 'image', preview: 'A Gate: at dawn!' } as LibraryItem['run'];
  const name = 'a-gate-at-dawn-2026-11-30-120000.png';
  const derived = medium({ id: 'd', kind: 'image', type: 'image/png', name });
  const screen = await tile(derived, { role: 'output', run });
  await expect.element(screen.getByRole('button', { name: 'Show A Gate: at dawn!' })).toBeVisible();
  const renamed = await tile({ ...derived, name: 'final.png' }, { role: 'output', run });
  await expect.element(renamed.getByRole('button', { name: 'Show final.png' })).toBeVisible();
});

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

it.each([
  ['image', 'img'],
  ['video', 'video'],
  ['audio', 'svg'],
  ['file', 'svg'],
] as const)('shows %s as %s, with its run', async (kind, tag) => {
  const run = { id: 'run-1', operation: 'image', preview: 'A gate at night' } as const;
  const screen = await tile(medium({ id: 'a', kind, name: 'it' }), { role: 'output', run });
  const button = screen.getByRole('button', { name: 'Show it' });
  const picture = button.element().querySelector('img, video, svg');
  expect(picture?.localName).toBe(tag);
  if (tag !== 'svg') expect(picture?.getAttribute('src')).toMatch(/^\/media\/a/);
  await expect.element(button).toHaveAccessibleDescription(/^Image, A gate at night/);
  const caption = screen.getByTitle(/^it · Image · .+B · /);
  await expect.element(caption).toBeVisible();
  expect(caption.element().textContent).toMatch(/^itImage · .+B · /);
  expect(caption.element().getBoundingClientRect().height).toBeLessThan(40);
});
