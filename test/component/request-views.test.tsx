import { beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { showRequestAs } from '../../renderer/run/views/request-views.ts';
import { main } from './panel-fake-main.ts';
import { PanelPage, resetPanels } from './panel-fixtures.tsx';

const form = panelForms.rerank;
const values = () => form.state.getState().values;

beforeEach(() => {
  location.hash = '#/rerank';
  resetPanels();
  showRequestAs('rerank', 'json');
});

async function panel() {
  const screen = await render(
    <PanelPage>
      <RerankPanel />
    </PanelPage>,
  );
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-model');
  const body = screen.getByRole('textbox', { name: 'Request body' });
  // Wait for the editor to replace the plain text box.
  await vi.waitFor(() => expect(body.element().className).toContain('cm-content'));
  return { screen, body };
}

const write = (body: object) => JSON.stringify({ model: 'demo-model', ...body });

it('updates the form as JSON is typed, and moves unknown and invalid values to extra body fields', async () => {
  const { screen, body } = await panel();
  form.change({ parameters: { top_n: 4 } });
  await expect.element(body).toMatchTextContent(/"top_n": 4/);
  await body.fill(write({ query: 'Why?', documents: ['a', 'b\nc'], top_n: 2, seed: 7 }));
  // A change to the form doesn't replace text that the user is typing.
  form.change({ parameters: { return_documents: true } });
  await expect.poll(() => values().input).toEqual({ query: 'Why?', documents: 'a\nb↵c' });
  await expect.element(body).not.toMatchTextContent(/return_documents/);
  expect(values().parameters).toMatchObject({ top_n: 2 });
  expect(JSON.parse(values().extraBody)).toEqual({ seed: 7 });
  await expect.element(screen.getByText('Extra body fields: seed')).toBeVisible();

  await body.fill(write({ query: 'Why?', documents: ['a'], top_n: 'two', model: 'other' }));
  await expect.poll(() => JSON.parse(values().extraBody)).toEqual({ top_n: 'two' });
  expect(values()).toMatchObject({ parameters: {}, models: { demo: 'other' } });
  const problem = 'top_n: Enter a whole number. Sent as an extra body field.';
  await expect.element(screen.getByText(problem).first()).toBeVisible();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const request = { model: 'other', query: 'Why?', documents: ['a'] };
  await expect.poll(() => main.started).toMatchObject([{ request, extraBody: { top_n: 'two' } }]);
});

it('keeps the last valid form and focus while the JSON is broken, and blocks Run', async () => {
  form.change({ input: { query: 'Why?', documents: 'a' } });
  const { screen, body } = await panel();
  await body.fill('{ "query": "How?", }');
  const problems = screen.getByRole('list', { name: 'Errors in Request body' });
  await expect.element(problems).toMatchTextContent(/^Line 1, column 20: trailing comma before }/);
  expect(values().input).toEqual({ query: 'Why?', documents: 'a' });
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(screen.getByText('Fix the JSON first.')).toBeVisible();
  expect(main.started).toEqual([]);

  const view = screen.getByRole('radiogroup', { name: 'View' });
  await body.click();
  showRequestAs('rerank', 'code');
  await expect.element(view.getByRole('radio', { name: 'Code' })).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  await expect.element(screen.getByRole('textbox', { name: 'Query' })).toHaveValue('Why?');
  await view.getByRole('radio', { name: 'JSON' }).click();
  await expect.element(body).toMatchTextContent('{ "query": "How?", }');
  await screen.getByRole('button', { name: 'Restore' }).click();
  await expect.element(body).toMatchTextContent(/"query": "Why\?"/);
});

it('completes and explains request fields', async () => {
  const { body } = await panel();
  await body.fill('{"model": "demo-model"}');
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowRight}"');
  const find = (selector: string) => {
    const root = body.element().getRootNode();
    return root instanceof ShadowRoot ? [...root.querySelectorAll(selector)] : [];
  };
  const read = (selector: string) => find(selector).map(({ textContent }) => textContent);
  // The editor ignores Enter briefly, so that a line break isn't taken as a choice.
  const choose = () =>
    find('[role=option]')[0]?.dispatchEvent(new MouseEvent('mousedown', bubbles));
  const bubbles = { bubbles: true, cancelable: true };
  await vi.waitFor(() => expect(read('[role=option]')).toContain('query'));
  await userEvent.keyboard('top');
  await vi.waitFor(() => expect(read('[role=option]')).toEqual(['top_nTop n']));
  await vi.waitFor(() =>
    expect(read('.cm-completionInfo')).toEqual(['Return only the top N documents.']),
  );
  choose();
  await vi.waitFor(() =>
    expect(read('.cm-content')).toEqual(['{"top_n": ,"model": "demo-model"}']),
  );
  await userEvent.keyboard('3, "return_documents": t');
  await vi.waitFor(() => expect(read('[role=option]')).toEqual(['true']));
  choose();
  await vi.waitFor(() => expect(values().parameters).toEqual({ top_n: 3, return_documents: true }));
});

function paste(target: Element, text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const init = { bubbles: true, cancelable: true, composed: true, clipboardData };
  target.dispatchEvent(new ClipboardEvent('paste', init));
}

it('offers to open or insert a pasted command, and accepts its own body as text', async () => {
  const { screen, body } = await panel();
  const offer = screen.getByRole('group', { name: 'Pasted request' });
  const command = `curl https://a.example/v1/rerank -d '{"model":"m","query":"Why?","documents":["a"]}'`;
  await userEvent.click(body);
  await userEvent.keyboard('{Control>}a{/Control}');
  paste(body.element(), command);
  await expect.element(offer.getByRole('button', { name: 'Open in Rerank' })).toHaveFocus();
  expect(body.element().textContent).not.toContain('curl');
  const view = (name: string) => screen.getByRole('radio', { name, exact: true });
  await view('Form').click();
  await view('JSON').click();
  await expect.element(offer).toBeVisible();
  await expect.element(view('JSON')).toHaveFocus();
  await expect.element(body).toHaveClass('cm-content');
  await offer.getByRole('button', { name: 'Insert as text' }).click();
  await expect.poll(() => body.element().textContent).toContain('curl https://a.example');
  // The editor has focus again, so this selects its text.

  await userEvent.keyboard('{Control>}a{/Control}');
  paste(body.element(), write({ query: 'Own?', documents: ['b'] }));
  await vi.waitFor(() => expect(values().input).toEqual({ query: 'Own?', documents: 'b' }));
  await expect.element(offer).not.toBeInTheDocument();
});
