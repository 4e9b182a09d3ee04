import { beforeEach, expect, it } from 'vitest';
import { appError } from '../../shared/errors.ts';
import { runView } from '../fixtures/run-view.ts';
import { openPanel } from './every-panel.tsx';
import { main } from './panel-fake-main.ts';
import { resetPanels, show } from './panel-fixtures.tsx';

beforeEach(() => resetPanels());

it('sends the method, path, headers and body as typed, and shows the response', async () => {
  const { screen, button, result } = await openPanel('console');
  await screen.getByRole('combobox', { name: 'Method' }).selectOptions('POST');
  await screen.getByRole('textbox', { name: 'Path' }).fill('/v1/tokenize');
  await screen.getByText('Query', { exact: true }).click();
  await screen.getByRole('textbox', { name: 'Name of parameter 1' }).fill('page size');
  await screen.getByRole('textbox', { name: 'Value of parameter 1' }).fill('2&3');
  await screen.getByText('Headers', { exact: true }).click();
  await screen.getByRole('textbox', { name: 'Name of header 1' }).fill('X-Trace');
  await screen.getByRole('textbox', { name: 'Value of header 1' }).fill('7');
  await screen.getByRole('textbox', { name: 'Body' }).fill('{"text": "a gate"}');
  await button('Run').click();
  await expect.poll(() => main.started.length).toBe(1);
  const { request = {} } = main.started[0] ?? {};
  expect(request).toMatchObject({
    method: 'POST',
    path: '/v1/tokenize?page%20size=2%263',
    headers: [['X-Trace', '7']],
    body: '{"text": "a gate"}',
  });

  const state = { status: 200, contentType: 'application/json', text: '{"tokens": [3, 4]}' };
  show(runView('console', { id: 'started', status: 'succeeded', finishedAt: 1, state }), request);
  await expect.element(result.getByText('HTTP 200')).toBeVisible();
  await expect.element(result).toMatchTextContent(/application\/json.*"tokens"/s);
});

it('keeps the body of a failed request below the error', async () => {
  const error = appError('rate-limited', 'Rate limit reached.', 'Wait a moment.', {
    retryAfterSeconds: null,
  });
  const state = { status: 429, text: 'slow down' };
  show(runView('console', { status: 'failed', finishedAt: 1, error, state }), {
    method: 'GET',
    path: '/v1/models',
    body: null,
  });
  const { result } = await openPanel('console');
  await expect.element(result.getByRole('alert')).toMatchTextContent(/Rate limit reached\./);
  await expect.element(result).toMatchTextContent(/HTTP 429.*slow down/s);
});
