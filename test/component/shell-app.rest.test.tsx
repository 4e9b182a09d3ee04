import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { App } from '../../renderer/app/app.tsx';
import { useLayout } from '../../renderer/lib/layout.ts';
import { main } from './shell-fake-main.ts';
import { resetShell } from './shell-fixtures.ts';

beforeEach(async () => {
  await resetShell();
  location.hash = '#/image';
});

it('shows a notice until it is dismissed', async () => {
  main.notices = [
    {
      id: 'damaged',
      level: 'warning',
      message: 'The ledger was damaged and has been set aside.',
      nextStep: 'Find it in the data folder.',
    },
  ];
  const screen = await render(<App />);
  await expect.element(screen.getByText(/has been set aside/)).toBeVisible();
  await screen.getByRole('button', { name: 'Dismiss' }).click();
  expect(screen.getByText(/has been set aside/).elements()).toHaveLength(0);
});

it('resizes the inspector with the keyboard', async () => {
  useLayout.setState({ inspectorOpen: true, inspectorHeight: 300 });
  const screen = await render(<App />);
  const handle = screen.getByRole('separator', { name: 'Inspector height' });
  await expect.element(handle).toHaveAttribute('aria-valuenow', '300');
  handle.element().focus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(handle).toHaveAttribute('aria-valuenow', '316');
  await userEvent.keyboard('{Home}');
  await expect.element(handle).toHaveAttribute('aria-valuenow', '160');
});
