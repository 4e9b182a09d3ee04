import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';

import type { RunSummary } from '../../shared/run.ts';
import { makeRun, moveRun, sent } from './chat-fake-main.ts';
import { choice, lastRunId, openReadyChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat();
});

const reasons = (...finishReasons: string[]) => ({
  figures: { model: null, usage: null, finishReasons, noResult: null },
});
const ended = (fields: Partial<RunSummary>) => makeRun({ finishedAt: 1, ...fields });

it('continues an answer cut off by length as a version with both runs', async () => {
  const run = ended(reasons('length'));
  const { answers } = showExchange('Count.', { content: 'One, two', run });
  moveRun(run.id, choice('One, two'), run);
  const { screen, button, answer } = await openReadyChat();
  await expect.element(answer.getByText('Cut off at the token limit.')).toBeVisible();
  await button('Continue').click();
  await expect.poll(() => sent).toMatchObject([{ continuesId: answers[0]?.id, message: null }]);
  await expect.element(screen.getByText('One, two')).toBeVisible();
  moveRun(lastRunId(), choice(', three.'), {
    status: 'succeeded',
    finishedAt: 2,
    ...reasons('stop'),
  });
  await expect.element(screen.getByText('One, two, three.')).toBeVisible();
  await expect.element(button('Continue')).not.toBeInTheDocument();
  await button('Details').click();
  await expect.element(screen.getByRole('list', { name: 'Earlier runs' })).toBeVisible();
  await expect.element(button('Inspect earlier run')).toBeVisible();
  await button('Previous version').click();
  await expect.element(screen.getByText('Cut off at the token limit.')).toBeVisible();
});

it.each([
  ['was stopped', { status: 'cancelled' as const }, { content: 'One' }, true],
  ['was stopped before any text', { status: 'cancelled' as const }, { content: '' }, false],
  ['ended by itself', reasons('stop'), { content: 'One' }, false],
])(
  'offers Continue only if the answer can continue: an answer that %s',
  async (_, fields, message, offers) => {
    showExchange('Count.', { ...message, run: ended(fields) });
    const { button, answer } = await openReadyChat();
    await expect.element(answer).toBeVisible();
    await expect.poll(() => button('Continue').elements().length).toBe(offers ? 1 : 0);
  },
);
