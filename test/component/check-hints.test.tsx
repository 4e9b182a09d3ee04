import { beforeEach, expect, it } from 'vitest';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { openPanel } from './every-panel.tsx';
import { main } from './panel-fake-main.ts';
import { resetPanels } from './panel-fixtures.tsx';

beforeEach(() => resetPanels());

it('says at a field that the model ignored it when it was last probed', async () => {
  const day = 24 * 60 * 60 * 1000;
  const hint = { format: '' as const, sentence: '', atMs: Date.now() - 3.5 * day, checkId: 'a' };
  main.hints = [
    { ...hint, rowId: 'dimensions', verdict: 'ignored' },
    { ...hint, rowId: 'base64', verdict: 'honored' },
  ];
  panelForms.embeddings.change({ models: { demo: 'one' } });
  const { screen } = await openPanel('embeddings');
  await expect.element(screen.getByText('Ignored by this model, 3 days ago')).toBeVisible();
  expect(screen.getByText(/by this model/).elements()).toHaveLength(1);
});
