import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { queryClient } from '../../renderer/lib/query-client.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { setParameter } from '../../renderer/run/form/parameters.ts';
import { PresetsDialog } from '../../renderer/run/form/presets-dialog.tsx';
import { api, main } from './panel-fake-main.ts';
import { PanelPage, resetPanels } from './panel-fixtures.tsx';

beforeEach(resetPanels);

async function open() {
  const screen = await render(
    <PanelPage>
      <PresetsDialog form={panelForms.completion} conversation={null} onClose={() => undefined} />
    </PanelPage>,
  );
  const undoBar = (text: string) =>
    screen
      .getByText(text)
      .element()
      .parentElement?.querySelector<HTMLElement>('button:not([aria-label])');
  const undo = (text: string) => userEvent.click(undoBar(text) ?? document.body);
  async function save(maxTokens: number) {
    setParameter(panelForms.completion, 'max_tokens', maxTokens);
    await screen.getByRole('textbox', { name: 'Save settings as' }).fill('Exact');
    await userEvent.keyboard('{Enter}');
    await expect.poll(kept).toBe(maxTokens);
    await queryClient.invalidateQueries();
  }
  return { screen, save, undo };
}

const kept = () => main.presets[0]?.settings.parameters.max_tokens;
it('focuses a preset that Undo restores', async () => {
  const { screen, save, undo } = await open();
  await save(12);
  const preset = screen.getByRole('button', { name: 'Exact', exact: true });
  await expect.element(preset).toBeVisible();
  const before = main.presets;
  const undoing = vi.spyOn(api.deletions, 'undo').mockImplementation(async () => {
    main.presets = before;
    return { renamed: [], notes: [] };
  });
  onTestFinished(() => undoing.mockRestore());
  await screen.getByRole('button', { name: 'Delete Exact' }).click();
  await expect.element(screen.getByText('“Exact” deleted')).toBeVisible();
  await queryClient.invalidateQueries();
  await expect.element(preset).not.toBeInTheDocument();
  await undo('“Exact” deleted');
  await queryClient.invalidateQueries();
  await expect.element(preset).toHaveFocus();
});
