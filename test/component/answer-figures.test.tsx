import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';

import { makeRun, moveRun } from './chat-fake-main.ts';
import { choice, openReadyChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat();
});

it('shows the main figures in fixed order on one line, the others in the details', async () => {
  const usage = {
    prompt_tokens: 12_345,
    completion_tokens: 2345,
    total_tokens: 14_690,
    prompt_tokens_details: { cached_tokens: 11_264 },
  };
  const run = makeRun({
    ...{ startedAt: 0, finishedAt: 64_000, cost: 0.0123 },
    figures: { model: 'demo-long', usage, finishReasons: ['stop'], noResult: null },
  });
  moveRun(run.id, choice('Fine.'), run);
  showExchange('Hi', { content: 'Fine.', run });
  const { screen, button } = await openReadyChat();
  const labels = () => [...document.querySelectorAll('article dt')].map((dt) => dt.textContent);
  await expect.poll(labels).toEqual(['Input', 'Cached', 'Output', 'Total time', 'Est. cost']);
  const tops = [...document.querySelectorAll('article dt')].map(
    (dt) => dt.getBoundingClientRect().top,
  );
  expect(new Set(tops).size).toBe(1);
  await button('Details').click();
  await expect.poll(labels).toContain('Finish reason');
  expect(labels()).toContain('Model');
  await expect.element(screen.getByText('demo-long', { exact: true }).first()).toBeVisible();
});

it('shows the details of an error with those of the answer, in one place', async () => {
  const gateway = { status: 503, type: null, code: 'busy', param: null, requestId: 'req_7' };
  const error = {
    ...{ kind: 'gateway' as const, message: 'The gateway is busy.', nextStep: 'Retry later.' },
    ...{ detail: null, gateway: { ...gateway, message: 'Busy', bodyExcerpt: null } },
    retryAfterSeconds: null,
  };
  const run = makeRun({ status: 'failed', error, startedAt: 0, finishedAt: 64_000 });
  moveRun(run.id, choice(''), run);
  showExchange('Hi', { content: '', run });
  const { screen } = await openReadyChat();
  const article = screen.getByRole('article', { name: 'assistant' });
  await expect.element(article.getByText('The gateway is busy.')).toBeVisible();
  const details = article.getByText('Details', { exact: true });
  await expect.poll(() => details.elements().length).toBe(1);
  await details.click();
  const table = article.getByRole('table', { name: 'Error' });
  await expect.element(table).toHaveTextContent('Status503CodebusyMessageBusyRequest IDreq_7');
});
