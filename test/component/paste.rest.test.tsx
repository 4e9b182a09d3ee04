import { beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { App } from '../../renderer/app/app.tsx';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { usePastedNotices } from '../../renderer/run/form/pasted-notice.ts';
import { api, main } from './shell-fake-main.ts';
import { resetShellWithModels } from './shell-fixtures.ts';

const key = 'sk-pasted-0123456789';
const body = { model: 'rank-1', query: 'Rivers', documents: ['Sea', 'Hill'], top_n: 1, unusual: 2 };
const curl = (origin: string) => `curl ${origin}/v1/rerank \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`;

beforeEach(async () => {
  await resetShellWithModels();
  usePastedNotices.setState({ notices: {}, question: null });
  location.hash = '#/speech';
});

function paste(target: Element, text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const init = { bubbles: true, cancelable: true, clipboardData };
  target.dispatchEvent(new ClipboardEvent('paste', init));
}

async function pasteIntoPalette(text: string) {
  const screen = await render(<App />);
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  const command = screen.getByRole('combobox', { name: 'Command' });
  await expect.element(command).toHaveFocus();
  paste(command.element(), text);
  const options = screen.getByRole('listbox', { name: 'Commands' });
  return { screen, options };
}

it('offers to add an unknown gateway with its key, and keeps the model name for it', async () => {
  const { screen, options } = await pasteIntoPalette(
    curl('https://new.example/api').replace('-H', "-H 'X-Team: blue' \\\n  -H"),
  );
  await expect
    .element(options.getByRole('option'))
    .toHaveTextContent('Open pasted request in RerankPOST new.example');
  await userEvent.keyboard('{Enter}');
  await screen.getByRole('button', { name: 'Add as connection…' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Add connection' });
  await expect
    .element(dialog.getByRole('textbox', { name: 'Base URL' }))
    .toHaveValue('https://new.example/api/v1');
  await expect.element(dialog.getByLabelText('API key', { exact: true })).toHaveValue(key);
  expect(main.saved).toEqual([]);
  expect(main.keys).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const headers = [{ name: 'X-Team', isSecret: true }];
  expect(main.saved).toMatchObject([
    { baseUrl: 'https://new.example/api/v1', options: { headers } },
  ]);
  expect(main.keys).toMatchObject([{ key }]);
  const added = main.connections.at(-1)?.id ?? '';
  await expect.poll(() => panelForms.rerank.state.getState().values.models[added]).toBe('rank-1');
  await expect.element(screen.getByText(/^Pasted a rerank request/)).not.toBeInTheDocument();
});

it('opens other requests in the Console, explains unreadable ones, and ignores other text', async () => {
  const { screen, options } = await pasteIntoPalette('curl is a program');
  const command = screen.getByRole('combobox', { name: 'Command' });
  const opens = options.getByRole('option', { name: /Open pasted/ });
  expect(opens.query()).toBeNull();
  paste(command.element(), `curl https://a.example/v1/rerank -d '{"a":1}`);
  const why = 'Can’t open the pasted request. The single quote at character 37 isn’t closed.';
  await expect.element(options).toHaveTextContent(why);
  await command.fill('go to image');
  await expect.element(options.getByRole('option').first()).toBeVisible();

  const sent = `{ method: 'POST', body: '{"a":1}' }`;
  paste(command.element(), `fetch('http://127.0.0.1:4100/v1/fine_tuning/jobs', ${sent})`);
  await expect.element(opens).toMatchTextContent(/in ConsolePOST 127\.0\.0\.1:4100$/);
  await userEvent.keyboard('{Enter}');
  const path = screen.getByRole('textbox', { name: 'Path' });
  await expect.element(path).toHaveValue('/v1/fine_tuning/jobs');
  const { input } = panelForms.console.state.getState().values;
  expect(input).toMatchObject({ method: 'POST', body: '{\n  "a": 1\n}' });
});

it('asks once before a pasted request goes to another gateway, in its panel only', async () => {
  // A refused start leaves the panel as it was.
  const start = vi.spyOn(api.runs, 'start').mockRejectedValue(new Error('Refused'));
  const { screen } = await pasteIntoPalette(curl('https://new.example/api'));
  await userEvent.keyboard('{Enter}');
  const banner = screen.getByRole('status').filter({ hasText: 'Pasted a rerank request' });
  await expect
    .element(banner)
    .toMatchTextContent(
      'For new.example, which isn’t a connection. It would be sent to Demo. Pasted a rerank request',
    );
  const add = banner.getByRole('button', { name: 'Add as connection…' });
  expect(add.element().className).toMatch(/primary/);
  location.hash = '#/speech';
  await expect.element(screen.getByRole('heading', { name: 'Speech', level: 1 })).toBeVisible();
  expect(banner.elements()).toEqual([]);
  location.hash = '#/rerank';
  await expect.element(banner).toBeVisible();
  await banner.getByRole('button', { name: 'Dismiss' }).click();

  const run = screen.getByRole('button', { name: 'Run', exact: true });
  await run.click();
  const question = screen.getByRole('alertdialog', { name: 'Send to Demo?' });
  await expect.element(question).toMatchTextContent(/for new\.example, which isn’t a connection/);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(start).not.toHaveBeenCalled();
  await run.click();
  await question.getByRole('button', { name: 'Send to Demo' }).click();
  await expect.poll(() => start.mock.calls.length).toBe(1);
  await run.click();
  await expect.poll(() => start.mock.calls.length).toBe(2);
  expect(question.elements()).toEqual([]);
});

it('asks nothing about a pasted request that Undo took back', async () => {
  const { screen } = await pasteIntoPalette(curl('https://new.example/api'));
  await userEvent.keyboard('{Enter}');
  const banner = screen.getByRole('status').filter({ hasText: 'Pasted a rerank request' });
  await expect.element(banner).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(banner).not.toBeInTheDocument();
});

it('adds the connection instead of sending a pasted request elsewhere', async () => {
  const { screen } = await pasteIntoPalette(curl('https://new.example/api'));
  await userEvent.keyboard('{Enter}');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  const question = screen.getByRole('alertdialog', { name: 'Send to Demo?' });
  await question.getByRole('button', { name: 'Add as connection…' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Add connection' });
  await expect
    .element(dialog.getByRole('textbox', { name: 'Base URL' }))
    .toHaveValue('https://new.example/api/v1');
});
