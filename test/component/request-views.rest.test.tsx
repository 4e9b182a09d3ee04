import { beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { showRequestAs } from '../../renderer/run/form/request-views.ts';
import { getParamValues } from '../../shared/param.ts';
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
  await vi.waitFor(() =>
    expect(getParamValues(values().params)).toEqual({ top_n: 3, return_documents: true }),
  );
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
  await vi.waitFor(() => expect(values().input).toMatchObject({ query: 'Own?', documents: 'b' }));
  await expect.element(offer).not.toBeInTheDocument();
});
