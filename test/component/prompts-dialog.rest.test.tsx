import { beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { queryClient } from '../../renderer/lib/query-client.ts';
import { compareRows } from '../../renderer/run/compare/variants.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { getPanelText } from '../../renderer/run/form/panel-text.ts';
import { PromptsDialog } from '../../renderer/run/form/prompts-dialog.tsx';
import { main } from './panel-fake-main.ts';
import { PanelPage, resetPanels } from './panel-fixtures.tsx';

const form = panelForms.completion;
beforeEach(resetPanels);

async function open() {
  const onClose = vi.fn();
  const screen = await render(
    <PanelPage>
      <PromptsDialog
        form={form}
        onRows={(prompts) => compareRows(form, prompts)}
        onClose={onClose}
      />
    </PanelPage>,
  );
  return { screen, onClose };
}

it('saves the panel’s text as a prompt, and inserts it later', async () => {
  form.change({ input: { prompt: 'Once upon a time' } });
  const { screen, onClose } = await open();
  await screen.getByRole('textbox', { name: 'Save as' }).fill('Fairy tale');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => main.prompts).toMatchObject([{ text: 'Once upon a time' }]);
  await queryClient.invalidateQueries();
  form.change({ input: { prompt: 'Other' } });
  await screen.getByRole('button', { name: /^Fairy tale/ }).click();
  expect(getPanelText(form)).toBe('Once upon a time');
  expect(onClose).toHaveBeenCalledOnce();
});
