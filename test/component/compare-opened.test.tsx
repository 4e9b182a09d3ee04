import { beforeEach, expect, it, vi } from 'vitest';

vi.mock('../../renderer/lib/api.ts', () => import('./panel-fake-main.ts'));

import { openComparison } from '../../renderer/run/compare/open-comparison.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import type { Comparison } from '../../shared/comparison.ts';
import type { JsonObject } from '../../shared/json.ts';
import { main } from './panel-fake-main.ts';
import { openVideoPanel, resetVideoPanel } from './video-fixtures.tsx';

beforeEach(resetVideoPanel);

/** Sent from a form with the extra parameter `camera`. */
function layDownScenes(): void {
  const variant = (id: string, differences: string[], request: JsonObject) => ({
    ...{ id, name: '', connectionId: 'demo', extraBody: {}, wireNames: {}, differences },
    request: { model: 'demo-model', ...request },
  });
  const scenes: Comparison = {
    ...{ id: 'scenes', title: 'Scenes', operation: 'video', createdAt: 0, repeats: 2 },
    ...{ conversationId: null, sourceComparisonId: null },
    rows: [
      {
        ...{ id: 'input', label: '', sourceRunId: null, variants: [] },
        request: { prompt: 'A boat', metadata: { camera: 'ink' } },
      },
    ],
    variants: [
      variant('plain', [], {}),
      variant('oil', ['camera oil'], { metadata: { camera: 'oil' } }),
      variant('lake', ['“A lake”'], { prompt: 'A lake', duration: 4 }),
    ],
  };
  main.plans.set('scenes', scenes);
}

it('a comparison that is opened has its variants as they were chosen, also what the form has no more', async () => {
  layDownScenes();
  const screen = await openVideoPanel();
  panelForms.video.change({ input: { prompt: 'Mine' }, parameters: { fps: 24 } });
  await openComparison('scenes');
  const edit = (name: string) => screen.getByRole('button', { name, exact: true });
  await expect.element(edit('Edit demo-model fps not sent')).toBeVisible();
  await expect.element(edit('Edit demo-model “A lake” duration 4 fps not sent')).toBeVisible();
  expect(panelForms.video.state.getState().values).toMatchObject({
    ...{ comparing: true, comparisonId: 'scenes', repeats: 2, input: { prompt: 'Mine' } },
  });
  await edit('Edit demo-model camera oil fps not sent').click();
  const editor = screen.getByRole('dialog', { name: 'Edit variant' });
  const camera = editor.getByRole('combobox', { name: 'camera' });
  await expect.element(camera).toHaveValue('oil');
  await camera.fill('');
  await expect.element(edit('Edit demo-model fps not sent').nth(1)).toBeInTheDocument();
  await camera.fill('chalk');
  await expect.element(edit('Edit demo-model camera chalk fps not sent')).toBeInTheDocument();
  await expect.element(editor.getByRole('textbox', { name: 'Extra body fields' })).toHaveValue('');
});
