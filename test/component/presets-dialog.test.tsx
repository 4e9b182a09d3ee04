import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-react';

import { queryClient } from '../../renderer/lib/query-client.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { PresetsDialog } from '../../renderer/run/form/presets-dialog.tsx';
import { api, main } from './panel-fake-main.ts';
import { PanelPage, resetPanels } from './panel-fixtures.tsx';

beforeEach(resetPanels);

it('focuses a preset that Undo restores', async () => {
  const settings = { parameters: {}, cleared: {}, typed: {}, wireNames: {}, extraBody: '' };
  const presets = [{ id: 'exact', operation: 'completion' as const, name: 'Exact', settings }];
  main.presets = presets;
  const undoing = vi.spyOn(api.deletions, 'undo').mockImplementation(async () => {
    main.presets = presets;
    return { renamed: [], notes: [] };
  });
  onTestFinished(() => undoing.mockRestore());
  const screen = await render(
    <PanelPage>
      <PresetsDialog form={panelForms.completion} conversation={null} onClose={() => undefined} />
    </PanelPage>,
  );
  const preset = screen.getByRole('button', { name: 'Exact', exact: true });
  await screen.getByRole('button', { name: 'Delete Exact' }).click();
  await expect.element(screen.getByText('“Exact” deleted')).toBeVisible();
  await queryClient.invalidateQueries();
  await expect.element(preset).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await queryClient.invalidateQueries();
  await expect.element(preset).toHaveFocus();
});
