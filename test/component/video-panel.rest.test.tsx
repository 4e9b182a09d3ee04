import { beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { main } from './panel-fake-main.ts';
import { openVideoPanel, resetVideoPanel } from './video-fixtures.tsx';

beforeEach(resetVideoPanel);

test('accepts bare base64 without a prompt, and keeps focus among the images', async () => {
  const base64 = `${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(4)}AA==`;
  const screen = await openVideoPanel();
  const slot = screen.getByRole('group', { name: 'Images' });
  await slot.getByRole('button', { name: 'URL' }).click();
  const field = slot.getByRole('textbox', { name: 'Image URL or base64' });
  await expect.element(field).toHaveFocus();
  await field.fill('not base64');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveAccessibleDescription(/full URL/);
  await field.fill(base64);
  await userEvent.keyboard('{Enter}');
  await expect.element(slot.getByRole('button', { name: 'URL' })).toHaveFocus();
  await screen.getByRole('button', { name: 'Run' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request).toEqual({ model: 'demo-model', image: base64 });
  slot
    .getByRole('button', { name: /^Remove / })
    .element()
    .focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(slot.getByRole('button', { name: 'Attach' })).toHaveFocus();
});
