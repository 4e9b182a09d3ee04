import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { EarlierTakes } from '../../renderer/features/speech/earlier-takes.tsx';
import { runView } from '../fixtures/run-view.ts';
import { storedTone } from './media-fixtures.ts';
import { api, main } from './panel-fake-main.ts';
import { Queries } from './params-fixtures.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

it('gives earlier takes one Tab stop, and reaches a player with Right', async () => {
  const sound = await storedTone(5);
  main.runs = ['First', 'Second'].map((preview, index) =>
    runView('speech', {
      id: `run-${index}`,
      status: 'succeeded',
      preview,
      media: [sound],
    }),
  );
  const screen = await render(
    <Queries>
      <button type="button">Before</button>
      <EarlierTakes shownId={null} />
      <button type="button">After</button>
    </Queries>,
  );
  const takes = screen.getByRole('region', { name: 'Earlier takes' });
  // The position can be set once the length is known.
  for (const take of [0, 1]) {
    await expect
      .element(takes.getByRole('slider').nth(take))
      .toHaveAttribute('aria-valuetext', '0:00.0 of 0:05.0');
  }
  screen.getByRole('button', { name: 'Before' }).element().focus();
  await userEvent.tab();
  await expect.element(takes.getByRole('button', { name: /^First/ })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(takes.getByRole('button', { name: 'Play' }).first()).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(takes.getByRole('slider').first()).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect
    .element(takes.getByRole('slider').first())
    .toHaveAttribute('aria-valuetext', '0:05.0 of 0:05.0');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  await expect.element(takes.getByRole('button', { name: 'Play' }).first()).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(takes.getByRole('button', { name: /^First/ })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowDown}');
  await expect.element(takes.getByRole('button', { name: /^Second/ })).toHaveFocus();
  await userEvent.tab();
  await expect.element(screen.getByRole('button', { name: 'After' })).toHaveFocus();
});

it.each([
  ['is blind', async () => ['voices']],
  [
    'may be blind, because the main process fails',
    () => Promise.reject(new Error('The disk is full.')),
  ],
])('hides the voice of a take whose comparison %s', async (_how, blind) => {
  vi.spyOn(api.comparisons, 'blind').mockImplementation(blind);
  const sound = await storedTone(1);
  const take = { status: 'succeeded' as const, preview: 'Good morning', media: [sound] };
  main.runs = [
    runView('speech', { ...take, id: 'alone' }),
    runView('speech', { ...take, id: 'compared', comparisonId: 'voices', cell: 0 }),
  ];
  const spoken = (voice: string) => ({
    request: { voice },
    extraBody: {},
    wireNames: {},
    follow: null,
  });
  main.inputs.set('alone', spoken('alloy'));
  main.inputs.set('compared', spoken('echo'));
  const screen = await render(
    <Queries>
      <EarlierTakes shownId={null} />
    </Queries>,
  );
  await expect.element(screen.getByText(/alloy/)).toBeVisible();
  expect(screen.getByRole('button', { name: /^Good morning/ }).elements()).toHaveLength(2);
  expect(screen.getByText(/echo/).elements()).toEqual([]);
});
