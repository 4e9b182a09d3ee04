import { ORPCError } from '@orpc/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { PricesSection } from '../../renderer/features/settings/prices-section.tsx';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { useUndo } from '../../renderer/lib/undo.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import { appError } from '../../shared/errors.ts';
import type { Price, Rates } from '../../shared/prices.ts';
import { api, main, resetMain } from './shell-fake-main.ts';

const rates: Rates = {
  inputPerMillionTokens: 0.0375,
  cachedInputPerMillionTokens: null,
  cacheWritePerMillionTokens: null,
  hourCacheWritePerMillionTokens: null,
  outputPerMillionTokens: 15,
  perImage: null,
  perVideoSecond: null,
  perMillionCharacters: null,
  perSoundMinute: null,
};
const story: Price = { id: 'story', connectionId: 'demo', model: 'demo-story', rates };

beforeEach(async () => {
  await page.viewport(960, 600);
  queryClient.clear();
  resetMain();
  useUndo.setState({ offers: [] });
  useLinkState.setState('open', true);
});

async function open() {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  void followChanges(stop.signal);
  return render(
    <QueryClientProvider client={queryClient}>
      <PricesSection />
    </QueryClientProvider>,
  );
}

it('removes a daily cap', async () => {
  main.prices = [story];
  main.settings = { ...main.settings, dailyCaps: { demo: 1 } };
  main.today = [{ connectionId: 'demo', dollars: 0.98 }];
  const screen = await open();
  await expect.element(screen.getByText('Est. $0.98 of $1.00 today')).toBeVisible();
  await screen.getByRole('button', { name: 'Demo: Edit daily cap' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Daily cap for Demo' });
  await dialog.getByRole('spinbutton', { name: 'Daily cap' }).fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByRole('button', { name: 'Demo: Set daily cap' })).toBeVisible();
  await expect.element(screen.getByText('Est. $0.98 today', { exact: true })).toBeVisible();
  expect(main.settings.dailyCaps).toEqual({});
});

it('searches prices, enables list prices, and names the invalid row of an imported file', async () => {
  main.otherPrices = { prices: [], total: 2000, listDate: '2026-09-23' };
  const others = vi.spyOn(api.prices, 'others');
  onTestFinished(() => others.mockRestore());
  const screen = await open();
  await screen.getByRole('searchbox', { name: 'Find a model' }).fill('gpt');
  await vi.waitFor(() => expect(others.mock.lastCall?.[0]).toEqual({ search: 'gpt' }));
  await expect.element(screen.getByText('No matching models')).toBeVisible();
  await screen.getByRole('switch', { name: /^Use list prices/ }).click();
  await vi.waitFor(() => expect(main.settings.usesListPrices).toBe(true));

  const message = 'Row 2: perImage: Enter a number.';
  const error = appError('invalid-request', message, 'Fix the row.');
  const importing = vi
    .spyOn(api.prices, 'import')
    .mockRejectedValueOnce(new ORPCError('APP_ERROR', { defined: true, data: error }))
    .mockResolvedValueOnce({ count: 2 });
  onTestFinished(() => importing.mockRestore());
  const file = new File(['[]'], 'prices.json', { type: 'application/json' });
  const input = screen.getByLabelText('Price table to import');
  await userEvent.upload(input, file);
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/Row 2: perImage/);
  await userEvent.upload(input, file);
  await expect.element(screen.getByText('2 prices imported')).toBeVisible();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  expect(importing).toHaveBeenCalledWith({ text: '[]' });
});
